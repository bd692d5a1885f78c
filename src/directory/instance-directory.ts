// The D1 rows of workflow instances. Only their conversations write them.

import { omitNulls } from "../lib/omit-nulls.ts";
import { deriveId } from "../protocol/wire/ids.ts";
import { instanceSummarySchema, type InstanceSummary } from "../protocol/workflows/workflow-instance.ts";
import { LIST_START, type ListPosition } from "./list-position.ts";

export type InstanceRow = Pick<
  InstanceSummary,
  "plan_instance_id" | "plan_id" | "plan_version" | "conversation_id" | "created_at" | "status" | "ended_at"
>;

/**
 * Writes an instance, or updates status and end of a stored one. Nothing changes without a status, or once an end is
 * stored.
 */
export async function putInstance(db: D1Database, userId: string, instance: InstanceRow): Promise<void> {
  const { plan_instance_id, plan_id, plan_version, conversation_id, created_at, status, ended_at } = instance;
  await db
    .prepare(
      `INSERT INTO plan_instance
         (user_id, plan_instance_id, plan_id, plan_version, conversation_id, created_at, status, ended_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (user_id, plan_instance_id) DO UPDATE
       SET status = excluded.status, ended_at = excluded.ended_at
       WHERE plan_instance.ended_at IS NULL AND excluded.status IS NOT NULL`,
    )
    .bind(
      userId,
      plan_instance_id,
      plan_id,
      plan_version,
      conversation_id,
      created_at,
      status ?? null,
      ended_at ?? null,
    )
    .run();
}

/**
 * Returns at most `limit` instances of a user, newest first, after the cursor; with `planId`, only those of a template.
 */
export async function listInstances(
  db: D1Database,
  userId: string,
  limit: number,
  after: ListPosition | null,
  planId?: string,
): Promise<InstanceSummary[]> {
  const { at, id } = after ?? LIST_START;
  const ofPlan = planId === undefined ? "?5 IS NULL" : "plan_id = ?5";
  const query = db.prepare(
    `SELECT plan_instance_id, plan_id, plan_version, conversation_id, plan_instance.created_at, title,
       conversation.status AS conversation_status, plan_instance.status, ended_at
     FROM plan_instance LEFT JOIN conversation USING (user_id, conversation_id)
     WHERE user_id = ?1 AND ${ofPlan} AND (plan_instance.created_at, plan_instance_id) < (?2, ?3)
     ORDER BY plan_instance.created_at DESC, plan_instance_id DESC LIMIT ?4`,
  );
  const { results } = await query.bind(userId, at, id, limit, planId ?? null).all<Record<string, unknown>>();
  return results.map((row) => instanceSummarySchema.parse(omitNulls(row)));
}

/** Returns the statement that deletes the instance of a conversation, for the batch that deletes the conversation. */
export function prepareInstanceDeletion(db: D1Database, userId: string, conversationId: string): D1PreparedStatement {
  return db
    .prepare(`DELETE FROM plan_instance WHERE user_id = ? AND plan_instance_id = ?`)
    .bind(userId, deriveId(conversationId, "inst"));
}
