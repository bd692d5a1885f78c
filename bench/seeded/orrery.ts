// The runtime with doors that make conversations with schedules, tell how far their runs have come, and fill a registry
// of tools.

import { putSchedules } from "../../src/directory/schedule-directory.ts";
import { formatObjectName } from "../../src/durable/conversation-api.ts";
import { ScheduleStore } from "../../src/durable/schedule-store.ts";
import { createSql } from "../../src/durable/sql.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";
import orrery, { Conversation as Real } from "../../src/worker.ts";
import type { Seed, Standing } from "../measure/schedules.ts";
import { atTools } from "./tools.ts";

export * from "../../src/worker.ts";

type Bindings = { readonly CONVERSATION: DurableObjectNamespace<Conversation>; readonly DB: D1Database };

// Takes the place of the one in the line above.
export class Conversation extends Real {
  async plant(schedules: readonly Schedule[]): Promise<void> {
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
      await seed(bindings, await request.json<Seed>());
      return new Response();
    }
    if (pathname === "/standing") return Response.json(await standing(bindings.DB));
    return (await atTools(request, bindings.DB)) ?? orrery.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Parameters<typeof orrery.fetch>[1]>;

async function seed({ CONVERSATION, DB }: Bindings, { conversation, userId, schedules, query }: Seed): Promise<void> {
  const now = Date.now();
  const planted = Array.from({ length: schedules }, (_, i): Schedule => ({
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
  await CONVERSATION.getByName(formatObjectName(userId, conversation)).plant(planted);
  await putSchedules(DB, planted);
}

async function standing(DB: D1Database): Promise<Standing> {
  const row = await DB.prepare(
    `SELECT coalesce(sum(next_run_at <= ?), 0) AS due,
       coalesce(sum(body ->> '$.last_run.status' = 'completed'), 0) AS completed,
       coalesce(sum(body ->> '$.last_run.status' IN ('failed', 'cancelled', 'skipped')), 0) AS failed
     FROM schedule`,
  )
    .bind(Date.now())
    .first<Standing>();
  if (row === null) throw new Error("D1 answered nothing");
  return row;
}
