// The delivery queue of one conversation on SQLite, with a scripted webhook endpoint.

import { Webhook } from "standardwebhooks";
import { ConversationStore } from "../../src/durable/conversation/storage/conversation-store.ts";
import { DeliveryQueue } from "../../src/durable/conversation/deliveries/delivery-queue.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { WebhookStore } from "../../src/durable/conversation/deliveries/webhook-store.ts";
import type { Schedule, ScheduleRunResult } from "../../src/protocol/schedules/schedule.ts";
import type { HostResolver } from "../../src/lib/urls/address-problem.ts";
import { parseSettings } from "../../src/settings.ts";
import { createInMemorySql } from "../support/sqlite.ts";

export const WEBHOOK_URL = "https://hooks.example.dev/orrery";
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

export const schedule: Schedule = {
  schedule_id: "task-1",
  conversation_id: "conv-1",
  user_id: "ada",
  title: "Weather",
  query: "the weather",
  agent_name: "assistant",
  schedule_config: { interval_minutes: 5 },
  catch_up: "once",
  status: "active",
  failures: 0,
  webhook: { url: WEBHOOK_URL },
  created_at: 0,
  updated_at: 0,
};

export const createRun = (n: number): ScheduleRunResult => ({
  run_id: `th-${n}`,
  schedule_id: "task-1",
  due_at: n,
  status: "completed",
  started_at: n,
  ended_at: n + 5,
  result: "22°C 🌤",
});

export type SentRequest = {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly body: string;
};

/** Creates the delivery queue of a conversation; `answers` are the responses of the endpoint, then 204. */
export function openQueue(...answers: (Response | Error | Promise<never>)[]) {
  const sql = createInMemorySql();
  new ConversationStore(sql).migrate();
  const [store, schedules] = [new WebhookStore(sql), new ScheduleStore(sql)];
  schedules.put(schedule);
  const sent: SentRequest[] = [];
  const updates: unknown[] = [];
  const requestHooks: (() => void)[] = [];
  const caller = {
    fetch(url: string, init: RequestInit = {}) {
      sent.push({ url, init, headers: new Headers(init.headers), body: String(init.body) });
      requestHooks.shift()?.();
      const answer = answers.shift() ?? new Response(null, { status: 204 });
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const reopen = (settings = {}, resolveHost: HostResolver = async () => []): DeliveryQueue =>
    new DeliveryQueue(
      {
        userId: "ada",
        store,
        schedules,
        settings: parseSettings(settings),
        jobs: () => ({ push: () => Promise.resolve() }) as never,
        onChanged: () => updates.push(schedules.get("task-1")),
      },
      caller,
      resolveHost,
    );
  const deliveries = reopen();
  deliveries.setEndpoint("task-1", { url: WEBHOOK_URL, secret: SECRET });
  return {
    sql,
    store,
    schedules,
    sent,
    updates,
    requestHooks,
    deliveries,
    reopen,
    last: () => schedules.get("task-1")?.last_delivery,
  };
}

export const createResponse = (code: number, headers = {}): Response => new Response(null, { status: code, headers });
export const verifyRequest = ({ body, headers }: SentRequest): unknown =>
  new Webhook(SECRET).verify(body, Object.fromEntries(headers));
