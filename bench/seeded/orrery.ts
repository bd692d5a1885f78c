// The runtime with additional routes: they create conversations with schedules, count the finished runs, and fill a
// registry of tools.

import { putSchedules } from "../../src/directory/schedule-directory.ts";
import { formatObjectName } from "../../src/durable/conversation-api.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { createSql } from "../../src/durable/sql.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";
import orrery, { Conversation as ConversationObject } from "../../src/worker.ts";
import type { ScheduleSeed, ScheduleCounts } from "../measure/schedules.ts";
import { handleToolRequest } from "./tool-routes.ts";

export * from "../../src/worker.ts";

type Bindings = { readonly CONVERSATION: DurableObjectNamespace<Conversation>; readonly DB: D1Database };

// Replaces the class of the export above.
export class Conversation extends ConversationObject {
  async addSchedules(schedules: readonly Schedule[]): Promise<void> {
    await this.create();
    const store = new ScheduleStore(createSql(this.ctx.storage));
    for (const schedule of schedules) store.put(schedule);
  }
}

// oxlint-disable-next-line import/no-default-export -- a Worker entry
export default {
  ...orrery,
  async fetch(request, env, ctx) {
    const bindings = env as unknown as Bindings;
    const { pathname } = new URL(request.url);
    if (pathname === "/seed") {
      await storeSchedules(bindings, await request.json<ScheduleSeed>());
      return new Response();
    }
    if (pathname === "/schedule-counts") return Response.json(await countSchedules(bindings.DB));
    return (await handleToolRequest(request, bindings.DB)) ?? orrery.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Parameters<typeof orrery.fetch>[1]>;

async function storeSchedules(
  { CONVERSATION, DB }: Bindings,
  { conversation, userId, schedules, query }: ScheduleSeed,
): Promise<void> {
  const now = Date.now();
  const created = Array.from({ length: schedules }, (_, i): Schedule => ({
    schedule_id: createId("task"),
    conversation_id: conversation,
    user_id: userId,
    title: `Report ${i}`,
    query,
    agent_name: "assistant",
    schedule_config: { interval_minutes: 24 * 60 },
    catch_up: "once",
    status: "active",
    next_run_at: now,
    failures: 0,
    created_at: now,
    updated_at: now,
  }));
  await CONVERSATION.getByName(formatObjectName(userId, conversation)).addSchedules(created);
  await putSchedules(DB, created);
}

async function countSchedules(DB: D1Database): Promise<ScheduleCounts> {
  const row = await DB.prepare(
    `SELECT coalesce(sum(next_run_at <= ?), 0) AS due,
       coalesce(sum(body ->> '$.last_run.status' = 'completed'), 0) AS completed,
       coalesce(sum(body ->> '$.last_run.status' IN ('failed', 'cancelled', 'skipped')), 0) AS failed
     FROM schedule`,
  )
    .bind(Date.now())
    .first<ScheduleCounts>();
  if (row === null) throw new Error("D1 returned no row");
  return row;
}
