// The D1 rows of conversations, including a row for each task with a conversation of its own. Only the conversation
// objects write them. A row is replaced only by a version with the same or a later `updated_at`, so late and repeated
// writes do no harm. All statements name the user (U1).

import { omitNulls } from "../lib/omit-nulls.ts";
import { conversationInfoSchema, type ConversationInfo } from "../protocol/wire/conversation-info.ts";
import { parseConversationDigest, computeConversationDigest } from "../protocol/wire/ids.ts";
import type { Task } from "../protocol/plans/task-plan.ts";
import { LIST_START, type ListPosition } from "./list-position.ts";
import { prepareInstanceDeletion } from "./instance-directory.ts";
import { prepareScheduleDeletion } from "./schedule-directory.ts";
import { WriteBatcher } from "./write-batcher.ts";
import { splitJsonLists } from "./tool-rows.ts";

const CONVERSATION_COLUMNS = "conversation_id, user_id, parent_id, title, agent_name, status, created_at, updated_at";

// The rows are bound as one JSON array: a statement binds at most 100 values, and a plan may have many tasks.
const UPSERT_CONVERSATIONS = `INSERT INTO conversation (${CONVERSATION_COLUMNS}, digest)
  SELECT value ->> 'conversation_id', value ->> 'user_id', value ->> 'parent_id', value ->> 'title', value ->> 'agent_name',
    value ->> 'status', value ->> 'created_at', value ->> 'updated_at', value ->> 'digest'
  FROM json_each(?) WHERE true
  ON CONFLICT (user_id, conversation_id) DO UPDATE
  SET title = excluded.title, status = excluded.status, updated_at = excluded.updated_at
  WHERE excluded.updated_at >= conversation.updated_at`;

type PutConversation = (db: D1Database, conversation: ConversationInfo, tasks?: readonly Task[]) => Promise<void>;

/**
 * Writes the rows of a conversation and of its tasks that have conversations of their own. Older versions change
 * nothing.
 */
export const putConversation: PutConversation = (db, conversation, tasks = []) =>
  upsertRows(db, encodeRows(conversation, tasks));

/** Shared by all conversation objects of this isolate. */
const writeBatcher = new WriteBatcher<string>();

/** Like `putConversation`, but combined with the writes of other conversations in this isolate; see `WriteBatcher`. */
export const putConversationBatched: PutConversation = (db, conversation, tasks = []) =>
  writeBatcher.write(encodeRows(conversation, tasks), (rows) => upsertRows(db, rows));

function encodeRows(conversation: ConversationInfo, tasks: readonly Task[]): string[] {
  const own = { ...conversation, digest: computeConversationDigest(conversation.conversation_id) };
  const subs = tasks
    .filter((task) => task.conversation_id !== conversation.conversation_id)
    .map((task) => toSubConversation(conversation, task));
  return [own, ...subs].map((row) => JSON.stringify(row));
}

async function upsertRows(db: D1Database, rows: readonly string[]): Promise<void> {
  for (const list of splitJsonLists(rows)) await db.prepare(UPSERT_CONVERSATIONS).bind(list).run();
}

/** Filters the listed conversations; without members, all are listed. */
export type ConversationFilter = {
  /** Words that must all occur in the title, ignoring case and order. */
  readonly text?: string | undefined;
  /** Only conversations that a person began: no task conversations and no workflow instances. */
  readonly isTop?: boolean | undefined;
};

const IS_TOP = `parent_id IS NULL AND NOT EXISTS (SELECT 1 FROM plan_instance AS instance
  WHERE instance.user_id = conversation.user_id
    AND instance.plan_instance_id = 'inst-' || substr(conversation.conversation_id, 6)
    AND instance.conversation_id = conversation.conversation_id)`;

/**
 * True if every word occurs in the title in one of its forms. Uses `instr`, because patterns of `LIKE` are limited in
 * length.
 */
const HAS_WORDS = `title IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(?5) AS word
  WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) AS form WHERE instr(lower(title), form.value) > 0))`;

/** Returns at most `limit` conversations of a user, last updated first, that come after the cursor `after`. */
export async function listConversations(
  db: D1Database,
  userId: string,
  limit: number,
  after: ListPosition | null,
  { text = "", isTop = false }: ConversationFilter = {},
): Promise<ConversationInfo[]> {
  const { at, id } = after ?? LIST_START;
  const words = [...new Set(text.match(/\S+/g))].map(listCaseForms);
  const query = db.prepare(
    `SELECT ${CONVERSATION_COLUMNS} FROM conversation
     WHERE user_id = ?1 AND (updated_at, conversation_id) < (?2, ?3)
       AND ${isTop ? IS_TOP : "true"} AND ${words.length === 0 ? "?5 IS NOT NULL" : HAS_WORDS}
     ORDER BY updated_at DESC, conversation_id DESC LIMIT ?4`,
  );
  const { results } = await query.bind(userId, at, id, limit, JSON.stringify(words)).all();
  return results.map((row) => conversationInfoSchema.parse(omitNulls(row)));
}

/** Returns the case forms of a word to compare with SQLite's `lower(title)`, which converts ASCII letters only. */
function listCaseForms(word: string): string[] {
  const [first = ""] = word;
  const capitalised = first.toUpperCase() + word.slice(first.length).toLowerCase();
  const forms = [word, word.toLowerCase(), word.toUpperCase(), capitalised];
  return [...new Set(forms.map((form) => form.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())))];
}

/** Returns the id of the conversation that contains a task or task conversation; null if unknown. */
export async function findParentId(
  db: D1Database,
  userId: string,
  taskOrSubConversation: string,
): Promise<string | null> {
  const digest = parseConversationDigest(taskOrSubConversation);
  if (digest === null) return null;
  const query = db.prepare(`SELECT conversation_id FROM conversation WHERE user_id = ? AND digest = ?`);
  return query.bind(userId, digest).first<string>("conversation_id");
}

/**
 * Removes a conversation with its task conversations, its schedules (S3) and its instance row, in one batch. First
 * waits for the pending writes of this isolate.
 */
export async function removeConversation(db: D1Database, userId: string, conversationId: string): Promise<void> {
  // Writes that the object queued before a reset may still be pending; wait, so that they do not follow the removal.
  await writeBatcher.write([], (rows) => upsertRows(db, rows));
  await db.batch([
    db
      .prepare(`DELETE FROM conversation WHERE user_id = ?1 AND (conversation_id = ?2 OR parent_id = ?2)`)
      .bind(userId, conversationId),
    prepareScheduleDeletion(db, userId, conversationId),
    prepareInstanceDeletion(db, userId, conversationId),
  ]);
}

/** Returns the read-only conversation that shows the work of one task. Its status and `updated_at` are the parent's. */
export function toSubConversation(parent: ConversationInfo, task: Task): ConversationInfo {
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
