// Deliveries over SQLite, with endpoints and a clock that the tests hold in their hands.

import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { DeliveryQueue } from "../../src/durable/delivery-queue.ts";
import { ScheduleStore } from "../../src/durable/schedule-store.ts";
import { ConversationStore } from "../../src/durable/conversation-store.ts";
import { WebhookStore } from "../../src/durable/webhook-store.ts";
import { scheduleSchema, type ScheduleRunResult, type Schedule } from "../../src/protocol/schedules/schedule.ts";
import { scheduleRunReportSchema } from "../../src/protocol/schedules/schedule-run-report.ts";
import { parseSettings } from "../../src/settings.ts";
import { REFUSED_ADDRESSES } from "../support/addresses.ts";
import { inMemory } from "../support/sqlite.ts";

const HOOK = "https://hooks.example.dev/orrery";
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

const schedule: Schedule = {
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
  webhook: { url: HOOK },
  created_at: 0,
  updated_at: 0,
};

const run = (n: number): ScheduleRunResult => ({
  run_id: `th-${n}`,
  schedule_id: "task-1",
  due_at: n,
  status: "completed",
  started_at: n,
  ended_at: n + 5,
  result: "22°C 🌤",
});

type Sent = { readonly url: string; readonly init: RequestInit; readonly headers: Headers; readonly body: string };

/** One conversation's deliveries; `answers` are what the endpoint says in turn, then 204. */
function open(...answers: (Response | Error | Promise<never>)[]) {
  const sql = inMemory();
  new ConversationStore(sql).migrate();
  const [store, schedules] = [new WebhookStore(sql), new ScheduleStore(sql)];
  schedules.put(schedule);
  const sent: Sent[] = [];
  const told: unknown[] = [];
  const hooks: (() => void)[] = [];
  const caller = {
    fetch(url: string, init: RequestInit = {}) {
      sent.push({ url, init, headers: new Headers(init.headers), body: String(init.body) });
      hooks.shift()?.();
      const answer = answers.shift() ?? new Response(null, { status: 204 });
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const reopened = (settings = {}): DeliveryQueue =>
    new DeliveryQueue(store, schedules, parseSettings(settings), () => told.push(schedules.get("task-1")), caller);
  const deliveries = reopened();
  deliveries.setEndpoint("task-1", { url: HOOK, secret: SECRET });
  return {
    sql,
    store,
    schedules,
    sent,
    told,
    hooks,
    deliveries,
    reopened,
    last: () => schedules.get("task-1")?.last_delivery,
  };
}

const status = (code: number, headers = {}): Response => new Response(null, { status: code, headers });
const verified = ({ body, headers }: Sent): unknown => new Webhook(SECRET).verify(body, Object.fromEntries(headers));

describe("a result", () => {
  test("reaches its webhook, signed, once, and the schedule shows it", async () => {
    const { deliveries, sent, told, last } = open();
    const now = Date.now();
    expect(deliveries.getNextDueTime()).toBeNull();
    deliveries.enqueue(schedule, run(1), now);
    expect(deliveries.getNextDueTime()).toBe(now);
    expect(await deliveries.deliver(now)).toBeNull();
    expect(await deliveries.deliver(now)).toBeNull();
    expect(sent).toHaveLength(1);
    const [only] = sent as [Sent];
    expect(only.url).toBe(HOOK);
    expect(only.init).toMatchObject({ method: "POST", redirect: "manual" });
    expect(only.headers.get("content-type")).toBe("application/json");
    expect(only.headers.get("webhook-id")).toBe("th-1");
    expect(scheduleRunReportSchema.parse(verified(only))).toEqual({
      type: "schedule.run",
      timestamp: "1970-01-01T00:00:00.006Z",
      data: { ...run(1), title: "Weather", conversation_id: "conv-1" },
    });
    expect(last()).toEqual({ status: "delivered", at: now, attempts: 1 });
    expect(told).toMatchObject([{ last_delivery: { status: "delivered" } }]);
  });

  test("without end is cut", async () => {
    const { deliveries, sent } = open();
    for (const [n, length] of [100_000, 100_001].entries()) {
      deliveries.enqueue(schedule, { ...run(n), result: "好".repeat(length) }, n);
    }
    await deliveries.deliver(1);
    // Two that are due at once go out side by side: which of them is first is open.
    const shown = new Set(sent.map(({ body }) => scheduleRunReportSchema.parse(JSON.parse(body)).data.result));
    expect(sent).toHaveLength(2);
    expect(shown).toEqual(new Set(["好".repeat(100_000), `${"好".repeat(100_000)}…`]));
  });

  test("of a schedule without a webhook goes nowhere", () => {
    const { deliveries } = open();
    deliveries.setEndpoint("task-1", null);
    deliveries.enqueue(schedule, run(1), 0);
    deliveries.enqueue({ ...schedule, schedule_id: "task-2" }, run(2), 0);
    expect(deliveries.getNextDueTime()).toBeNull();
  });

  test("that was stored twice is sent once; one that the host died over comes again under its id", async () => {
    const { deliveries, sent, reopened } = open(new Promise<never>(() => {}));
    const now = Date.now();
    deliveries.enqueue(schedule, run(1), now);
    deliveries.enqueue(schedule, run(1), now);
    // The attempt of an object that dies before it hears the answer.
    void deliveries.deliver(now);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(await reopened().deliver(now + SECOND)).toBeNull();
    expect(sent.map(({ headers }) => headers.get("webhook-id"))).toEqual(["th-1", "th-1"]);
    expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
  });

  test("is not stored when the transaction that it belongs to is not", () => {
    const { deliveries, sql } = open();
    const broken = () =>
      sql.transaction(() => {
        deliveries.enqueue(schedule, run(1), 0);
        throw new Error("no");
      });
    expect(broken).toThrow("no");
    expect(deliveries.getNextDueTime()).toBeNull();
  });
});

describe("an endpoint that fails", () => {
  test("is tried again with back-off under the same id, a new time and a valid signature, and then given up visibly", async () => {
    const { deliveries, sent, last } = open(...Array.from({ length: 7 }, () => status(500)));
    const began = Date.now();
    deliveries.enqueue(schedule, run(1), began);
    const waits: number[] = [];
    let now = began;
    for (;;) {
      const next = await deliveries.deliver(now);
      if (next === null) break;
      expect(last()).toMatchObject({ status: "retrying", attempts: waits.length + 1, at: now });
      expect(await deliveries.deliver(next - 1)).toBe(next);
      waits.push(next - now);
      now = next;
    }
    const planned = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
    expect(waits).toHaveLength(planned.length);
    for (const [i, wait] of planned.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(wait);
      expect(waits[i]).toBeLessThanOrEqual(wait * 1.1);
    }
    expect(new Set(sent.map(({ headers }) => headers.get("webhook-id")))).toEqual(new Set(["th-1"]));
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers.get("webhook-signature"))).size).toBe(7);
    expect(sent.slice(0, 2).map(verified)).toHaveLength(2);
    expect(last()).toEqual({ status: "failed", at: now, attempts: 7, error: "The endpoint answered with status 500." });
  });

  test.each([
    ["a redirect", status(302, { location: "http://169.254.169.254/" }), /redirect \(302\)/],
    ["a broken line", new TypeError("secret-host refused"), /could not be reached/],
    ["400", status(400), /status 400/],
  ])("%s is tried again", async (_, answer, words) => {
    const { deliveries, sent, last } = open(answer);
    deliveries.enqueue(schedule, run(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).toBeGreaterThanOrEqual(5 * SECOND);
    expect(sent).toHaveLength(1);
    expect(last()).toMatchObject({ status: "retrying", error: expect.stringMatching(words) as string });
    expect(last()?.error).not.toContain("secret-host");
    expect(await deliveries.deliver(next ?? 0)).toBeNull();
    expect(last()).toMatchObject({ status: "delivered", attempts: 2 });
    expect(last()).not.toHaveProperty("error");
  });

  test("one that does not answer in time is tried again", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    const { deliveries, sent, last } = open(new DOMException("", "TimeoutError"));
    deliveries.enqueue(schedule, run(1), 0);
    expect(await deliveries.deliver(0)).not.toBeNull();
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    expect(timeout).toHaveBeenCalledWith(15_000);
    expect(last()).toMatchObject({ status: "retrying", error: "The endpoint did not answer within 15 seconds." });
    timeout.mockRestore();
  });

  test.each([
    ["in seconds", "120", 120 * SECOND],
    ["as a date", new Date(90 * SECOND).toUTCString(), 90 * SECOND],
    ["for ever", "99999999999", 24 * HOUR],
    ["less than we would", "1", 5 * SECOND],
    ["in words", "soon", 5 * SECOND],
    ["in the past", new Date(-90 * SECOND).toUTCString(), 5 * SECOND],
  ])("may say when to come back: %s", async (_, header, least) => {
    const { deliveries } = open(status(503, { "retry-after": header }));
    deliveries.enqueue(schedule, run(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).toBeGreaterThanOrEqual(least);
    expect(next).toBeLessThanOrEqual(least * 1.1);
  });

  test("410 Gone is told nothing more until the webhook is set again", async () => {
    const { deliveries, sent, last, schedules } = open(status(410));
    for (const n of [1, 2]) deliveries.enqueue(schedule, run(n), n);
    expect(await deliveries.deliver(1)).toBeNull();
    deliveries.enqueue(schedule, run(3), 3);
    expect(deliveries.getNextDueTime()).toBeNull();
    expect(sent).toHaveLength(1);
    expect(last()).toMatchObject({ status: "gone", error: expect.stringContaining("Set the webhook again") as string });
    expect(schedules.get("task-1")?.webhook).toEqual({ url: HOOK });
    deliveries.setEndpoint("task-1", { url: HOOK, secret: SECRET });
    expect(last()).toBeUndefined();
    deliveries.enqueue(schedule, run(4), 4);
    expect(await deliveries.deliver(4)).toBeNull();
    expect(sent).toHaveLength(2);
  });

  test("410 Gone of an endpoint that was replaced meanwhile means nothing to the new one", async () => {
    const { deliveries, sent, hooks, last } = open(status(410));
    hooks.push(() => deliveries.setEndpoint("task-1", { url: "https://new.example.dev/", secret: SECRET }));
    deliveries.enqueue(schedule, run(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).not.toBeNull();
    expect(last()).toBeUndefined();
    expect(await deliveries.deliver(next ?? 0)).toBeNull();
    expect(sent[1]?.url).toBe("https://new.example.dev/");
  });
});

describe("many results", () => {
  test("go out side by side, a few at a time, the oldest first", async () => {
    const { deliveries, sent } = open();
    for (let n = 1; n <= 9; n++) deliveries.enqueue(schedule, run(n), n);
    const both = [deliveries.deliver(9), deliveries.deliver(9)];
    expect(await Promise.all(both)).toEqual([5, 5]);
    const ids = () => sent.map(({ headers }) => headers.get("webhook-id") ?? "").toSorted((a, b) => a.localeCompare(b));
    expect(ids()).toEqual(["th-1", "th-2", "th-3", "th-4"]);
    await deliveries.deliver(9);
    expect(await deliveries.deliver(9)).toBeNull();
    expect(ids()).toEqual(Array.from({ length: 9 }, (_, i) => `th-${i + 1}`));
  });

  test("do not pile up without end", () => {
    const { deliveries, sql } = open();
    for (let n = 1; n <= 103; n++) deliveries.enqueue(schedule, run(n), n);
    const [row] = sql.rows(`SELECT count(*) AS n, min(due_at) AS oldest FROM delivery`);
    expect(row).toEqual({ n: 100, oldest: 4 });
  });

  test("that wait go with their webhook, also in the middle of an attempt", async () => {
    const { deliveries, hooks, told, last } = open(status(500));
    hooks.push(() => deliveries.setEndpoint("task-1", null));
    for (const n of [1, 2]) deliveries.enqueue(schedule, run(n), n);
    expect(await deliveries.deliver(1)).toBeNull();
    expect(last()).toBeUndefined();
    expect(told).toEqual([]);
  });
});

describe("where results may go", () => {
  const { deliveries, reopened } = open();

  test.each(REFUSED_ADDRESSES)("[S9] not to %s", (url) => {
    if (!URL.canParse(url)) return;
    expect(() => deliveries.createEndpoint({ url })).toThrow(/^webhook\.url: The address must/);
  });

  test("[S9] an address that is no longer allowed is not called", async () => {
    const { deliveries: strict, reopened: with_, sent, last } = open();
    const local = with_({ ALLOW_PRIVATE_AGENTS: "1" }).createEndpoint({ url: "http://127.0.0.1:9/", secret: SECRET });
    strict.setEndpoint("task-1", local);
    strict.enqueue(schedule, run(1), 0);
    expect(await strict.deliver(0)).not.toBeNull();
    expect(sent).toEqual([]);
    expect(last()?.error).toBe("The address must begin with https://.");
  });

  test("a secret is made, or checked", () => {
    const made = deliveries.createEndpoint({ url: HOOK }).secret;
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(deliveries.createEndpoint({ url: HOOK }).secret).not.toBe(made);
    expect(deliveries.createEndpoint({ url: HOOK, secret: SECRET }).secret).toBe(SECRET);
    expect(() => deliveries.createEndpoint({ url: HOOK, secret: "hunter2" })).toThrow(
      /^webhook\.secret: must be whsec_/,
    );
    expect(() => deliveries.createEndpoint({ url: HOOK, secret: "hunter2" })).not.toThrow("hunter2");
    expect(reopened({ ALLOW_PRIVATE_AGENTS: "1" }).createEndpoint({ url: "http://localhost:9/" }).url).toContain("9");
  });

  test("a secret is nowhere in what a schedule shows", async () => {
    const { deliveries: own, schedules, sent } = open(status(500));
    own.enqueue(schedule, run(1), 0);
    await own.deliver(0);
    const shown = schedules.get("task-1");
    expect(scheduleSchema.parse(shown)).toEqual(shown);
    expect(JSON.stringify([shown, sent])).not.toContain(SECRET.slice(6));
  });
});
