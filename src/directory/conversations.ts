// The D1 rows of conversations and of the tasks in them. Written by the conversations themselves.

import { conversationSchema, type Conversation } from "../protocol/conversation.ts";
import type { Task } from "../protocol/plan.ts";

/** Where a page of conversations begins: after the last one of the page before. */
export type Place = { readonly updatedAt: number; readonly conversationId: string };

const COLUMNS = "conversation_id, user_id, parent_id, title, agent_name, status, created_at, updated_at";
const UPSERT = `INSERT INTO conversation (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (user_id, conversation_id) DO UPDATE SET title = excluded.title, status = excluded.status, updated_at = excluded.updated_at
  WHERE excluded.updated_at >= conversation.updated_at`;

/** Notes how a conversation stands, and tasks that came up in it. News that is older than what is known changes nothing. */
export async function putConversation(
  db: D1Database,
  conversation: Conversation,
  tasks: readonly Task[] = [],
): Promise<void> {
  const { user_id, conversation_id } = conversation;
  const upsert = db.prepare(UPSERT);
  const statements = [upsert.bind(...valuesOf(conversation))];
  for (const task of tasks) {
    statements.push(
      db
        .prepare(`INSERT OR IGNORE INTO task (user_id, task_id, conversation_id) VALUES (?, ?, ?)`)
        .bind(user_id, task.task_id, conversation_id),
    );
    if (task.conversation_id !== conversation_id)
      statements.push(upsert.bind(...valuesOf(subConversation(conversation, task))));
  }
  await db.batch(statements);
}

/** A user's conversations, newest first. */
export async function listConversations(
  db: D1Database,
  userId: string,
  limit: number,
  after: Place | null,
): Promise<Conversation[]> {
  const order = `ORDER BY updated_at DESC, conversation_id DESC LIMIT ?`;
  const query =
    after === null
      ? db.prepare(`SELECT ${COLUMNS} FROM conversation WHERE user_id = ? ${order}`).bind(userId, limit)
      : db
          .prepare(
            `SELECT ${COLUMNS} FROM conversation WHERE user_id = ? AND (updated_at, conversation_id) < (?, ?) ${order}`,
          )
          .bind(userId, after.updatedAt, after.conversationId, limit);
  const { results } = await query.all();
  return results.map(decoded);
}

export async function findConversation(
  db: D1Database,
  userId: string,
  conversationId: string,
): Promise<Conversation | null> {
  const query = db.prepare(`SELECT ${COLUMNS} FROM conversation WHERE user_id = ? AND conversation_id = ?`);
  const row = await query.bind(userId, conversationId).first();
  return row === null ? null : decoded(row);
}

/** The conversation whose plan a task belongs to. */
export async function conversationOfTask(db: D1Database, userId: string, taskId: string): Promise<string | null> {
  const query = db.prepare(`SELECT conversation_id FROM task WHERE user_id = ? AND task_id = ?`);
  return query.bind(userId, taskId).first<string>("conversation_id");
}

/** Removes a conversation with its tasks and their sub-conversations. */
export async function removeConversation(db: D1Database, userId: string, conversationId: string): Promise<void> {
  await db.batch([
    db.prepare(`DELETE FROM task WHERE user_id = ? AND conversation_id = ?`).bind(userId, conversationId),
    db
      .prepare(`DELETE FROM conversation WHERE user_id = ?1 AND (conversation_id = ?2 OR parent_id = ?2)`)
      .bind(userId, conversationId),
  ]);
}

function subConversation(parent: Conversation, task: Task): Conversation {
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

function valuesOf(conversation: Conversation): (string | number | null)[] {
  const { conversation_id, user_id, parent_id, title, agent_name, status, created_at, updated_at } = conversation;
  return [
    conversation_id,
    user_id,
    parent_id ?? null,
    title ?? null,
    agent_name ?? null,
    status,
    created_at,
    updated_at,
  ];
}

function decoded(row: Record<string, unknown>): Conversation {
  return conversationSchema.parse(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
}
