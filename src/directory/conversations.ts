// The D1 rows of conversations. Written by the conversations themselves.

import { conversationSchema, type Conversation } from "../protocol/conversation.ts";
import { digestIn, digestOf } from "../protocol/ids.ts";
import type { Task } from "../protocol/plan.ts";
import { deletionOfInstance } from "./plan-instances.ts";
import { jsonListsOf } from "./json-lists.ts";
import { deletionOfSchedules } from "./schedules.ts";
import { Together } from "./together.ts";

/** Where a page of conversations begins: after the last one of the page before. */
export type Place = { readonly updatedAt: number; readonly conversationId: string };

const COLUMNS = "conversation_id, user_id, parent_id, title, agent_name, status, created_at, updated_at";

// The rows come as one JSON array: a statement may bind a hundred values, and a plan may have many tasks.
const UPSERT = `INSERT INTO conversation (${COLUMNS}, digest)
  SELECT value ->> 'conversation_id', value ->> 'user_id', value ->> 'parent_id', value ->> 'title', value ->> 'agent_name',
    value ->> 'status', value ->> 'created_at', value ->> 'updated_at', value ->> 'digest'
  FROM json_each(?) WHERE true
  ON CONFLICT (user_id, conversation_id) DO UPDATE
  SET title = excluded.title, status = excluded.status, updated_at = excluded.updated_at
  WHERE excluded.updated_at >= conversation.updated_at`;

type Put = (db: D1Database, conversation: Conversation, tasks?: readonly Task[]) => Promise<void>;

/**
 * Notes how a conversation stands, and the tasks that have conversations of their own in it. News that is
 * older than what is known changes nothing.
 */
export const putConversation: Put = (db, conversation, tasks = []) => putRows(db, rowsOf(conversation, tasks));

const together = new Together<string>();

/** As `putConversation`, a moment later where others have something to note as well. */
export const putConversationTogether: Put = (db, conversation, tasks = []) =>
  together.put(rowsOf(conversation, tasks), (rows) => putRows(db, rows));

function rowsOf(conversation: Conversation, tasks: readonly Task[]): string[] {
  const own = { ...conversation, digest: digestOf(conversation.conversation_id) };
  const subs = tasks
    .filter((task) => task.conversation_id !== conversation.conversation_id)
    .map((task) => subConversation(conversation, task));
  return [own, ...subs].map((row) => JSON.stringify(row));
}

async function putRows(db: D1Database, rows: readonly string[]): Promise<void> {
  for (const list of jsonListsOf(rows)) await db.prepare(UPSERT).bind(list).run();
}

/** Which conversations are listed: all when nothing is said. */
export type ConversationsWanted = {
  /** Words that are all in the title, in whatever case and order. */
  readonly text?: string | undefined;
  /** Only what a person began as a conversation: none of a task, no instance of a plan. */
  readonly isTop?: boolean | undefined;
};

const IS_TOP = `parent_id IS NULL AND NOT EXISTS (SELECT 1 FROM plan_instance AS instance
  WHERE instance.user_id = conversation.user_id
    AND instance.plan_instance_id = 'inst-' || substr(conversation.conversation_id, 6)
    AND instance.conversation_id = conversation.conversation_id)`;

/** There is no word of which no form is in the title. Unlike a pattern, what `instr` looks for may be of any length. */
const HAS_WORDS = `title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(?5) AS word
  WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) AS form WHERE instr(lower(title), form.value) > 0))`;

/** A user's conversations, newest first. */
export async function listConversations(
  db: D1Database,
  userId: string,
  limit: number,
  after: Place | null,
  { text = "", isTop = false }: ConversationsWanted = {},
): Promise<Conversation[]> {
  const { updatedAt, conversationId } = after ?? { updatedAt: Number.MAX_SAFE_INTEGER, conversationId: "" };
  const words = [...new Set(text.match(/\S+/g))].map(formsOf);
  const query = db.prepare(
    `SELECT ${COLUMNS} FROM conversation
     WHERE user_id = ?1 AND (updated_at, conversation_id) < (?2, ?3)
       AND ${isTop ? IS_TOP : "true"} AND ${words.length === 0 ? "?5 IS NOT NULL" : HAS_WORDS}
     ORDER BY updated_at DESC, conversation_id DESC LIMIT ?4`,
  );
  const { results } = await query.bind(userId, updatedAt, conversationId, limit, JSON.stringify(words)).all();
  return results.map(decoded);
}

/** A word as it may be written in a title that has gone through the database's `lower`, which knows ASCII alone. */
function formsOf(word: string): string[] {
  const [first = ""] = word;
  const capitalised = first.toUpperCase() + word.slice(first.length).toLowerCase();
  const forms = [word, word.toLowerCase(), word.toUpperCase(), capitalised];
  return [...new Set(forms.map((form) => form.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())))];
}

/** The conversation that a task, or the sub-conversation of one, belongs to. */
export async function parentOf(db: D1Database, userId: string, taskOrSubConversation: string): Promise<string | null> {
  const digest = digestIn(taskOrSubConversation);
  if (digest === null) return null;
  const query = db.prepare(`SELECT conversation_id FROM conversation WHERE user_id = ? AND digest = ?`);
  return query.bind(userId, digest).first<string>("conversation_id");
}

/** Removes a conversation with the sub-conversations of its tasks, with its schedules (S3), and as an instance. */
export async function removeConversation(db: D1Database, userId: string, conversationId: string): Promise<void> {
  // What it had queued before it was reset may yet be written, and must not come after this.
  await together.put([], (rows) => putRows(db, rows));
  await db.batch([
    db
      .prepare(`DELETE FROM conversation WHERE user_id = ?1 AND (conversation_id = ?2 OR parent_id = ?2)`)
      .bind(userId, conversationId),
    deletionOfSchedules(db, userId, conversationId),
    deletionOfInstance(db, userId, conversationId),
  ]);
}

/** The conversation in which the work of one task can be read alone. */
export function subConversation(parent: Conversation, task: Task): Conversation {
  return {
    conversation_id: task.conversation_id,
    user_id: parent.user_id,
    parent_id: parent.conversation_id,
    title: task.title,
    agent_name: task.agent_name,
    status: parent.status,
    created_at: task.created_at,
    updated_at: parent.updated_at,
  };
}

function decoded(row: Record<string, unknown>): Conversation {
  return conversationSchema.parse(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
}
