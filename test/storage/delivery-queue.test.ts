// Webhook deliveries on SQLite, with scripted endpoints and an explicit clock.

import { describe, expect, test, vi } from "vitest";
import { scheduleRunReportSchema } from "../../src/protocol/schedules/schedule-run-report.ts";
import { REFUSED_URLS } from "../support/refused-urls.ts";
import {
  WEBHOOK_URL,
  SECRET,
  SECOND,
  MINUTE,
  HOUR,
  createRun,
  openQueue,
  createResponse,
  verifyRequest,
  type SentRequest,
} from "./delivery-fixture.ts";

describe("delivery of a result", () => {
  test("calls the webhook once with a signature and updates the schedule", async () => {
    const { deliveries, sent, updates, last } = openQueue();
    const now = Date.now();
    expect(deliveries.getNextDueTime()).toBeNull();
    deliveries.enqueue(createRun(1), now);
    expect(deliveries.getNextDueTime()).toBe(now);
    expect(await deliveries.deliver(now)).toBeNull();
    expect(await deliveries.deliver(now)).toBeNull();
    expect(sent).toHaveLength(1);
    const [only] = sent as [SentRequest];
    expect(only.url).toBe(WEBHOOK_URL);
    expect(only.init).toMatchObject({ method: "POST", redirect: "manual" });
    expect(only.headers.get("content-type")).toBe("application/json");
    expect(only.headers.get("webhook-id")).toBe("th-1");
    expect(scheduleRunReportSchema.parse(verifyRequest(only))).toEqual({
      type: "schedule.run",
      timestamp: "1970-01-01T00:00:00.006Z",
      data: { ...createRun(1), title: "Weather", conversation_id: "conv-1" },
    });
    expect(last()).toEqual({ status: "delivered", at: now, attempts: 1 });
    expect(updates).toMatchObject([{ last_delivery: { status: "delivered" } }]);
  });

  test("truncates a long result", async () => {
    const { deliveries, sent } = openQueue();
    for (const [n, length] of [100_000, 100_001].entries()) {
      deliveries.enqueue({ ...createRun(n), result: "好".repeat(length) }, n);
    }
    await deliveries.deliver(1);
    // Due deliveries are sent concurrently, so their order is not defined.
    const shown = new Set(sent.map(({ body }) => scheduleRunReportSchema.parse(JSON.parse(body)).data.result));
    expect(sent).toHaveLength(2);
    expect(shown).toEqual(new Set(["好".repeat(100_000), `${"好".repeat(100_000)}…`]));
  });

  test("is rolled back with its transaction", () => {
    const { deliveries, sql } = openQueue();
    const enqueueAndFail = () =>
      sql.transaction(() => {
        deliveries.enqueue(createRun(1), 0);
        throw new Error("no");
      });
    expect(enqueueAndFail).toThrow("no");
    expect(deliveries.getNextDueTime()).toBeNull();
  });

  test("sends nothing for a schedule without a webhook", () => {
    const { deliveries } = openQueue();
    deliveries.setEndpoint("task-1", null);
    deliveries.enqueue(createRun(1), 0);
    deliveries.enqueue({ ...createRun(2), schedule_id: "task-2" }, 0);
    expect(deliveries.getNextDueTime()).toBeNull();
  });

  test("sends a duplicate once and repeats an interrupted delivery with the same id", async () => {
    const { deliveries, sent, reopen } = openQueue(new Promise<never>(() => {}));
    const now = Date.now();
    deliveries.enqueue(createRun(1), now);
    deliveries.enqueue(createRun(1), now);
    // The attempt of an object that is evicted before it receives the response.
    void deliveries.deliver(now);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(await reopen().deliver(now + SECOND)).toBeNull();
    expect(sent.map(({ headers }) => headers.get("webhook-id"))).toEqual(["th-1", "th-1"]);
    expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
  });
});

describe("failing endpoint", () => {
  test("is called again with backoff, the same id, a new time and a valid signature, and then reported as failed", async () => {
    const { deliveries, sent, last } = openQueue(...Array.from({ length: 7 }, () => createResponse(500)));
    const start = Date.now();
    deliveries.enqueue(createRun(1), start);
    const waits: number[] = [];
    let now = start;
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
    expect(sent.slice(0, 2).map(verifyRequest)).toHaveLength(2);
    expect(last()).toEqual({
      status: "failed",
      at: now,
      attempts: 7,
      error: "The endpoint responded with status 500.",
    });
  });

  test.each([
    ["a redirect", createResponse(302, { location: "http://169.254.169.254/" }), /redirect \(302\)/],
    ["a broken line", new TypeError("secret-host refused"), /can’t be reached/],
    ["400", createResponse(400), /status 400/],
  ])("is called again after %s", async (_, answer, words) => {
    const { deliveries, sent, last } = openQueue(answer);
    deliveries.enqueue(createRun(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).toBeGreaterThanOrEqual(5 * SECOND);
    expect(sent).toHaveLength(1);
    expect(last()).toMatchObject({ status: "retrying", error: expect.stringMatching(words) as string });
    expect(last()?.error).not.toContain("secret-host");
    expect(await deliveries.deliver(next ?? 0)).toBeNull();
    expect(last()).toMatchObject({ status: "delivered", attempts: 2 });
    expect(last()).not.toHaveProperty("error");
  });

  test("is called again after a timeout", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    const { deliveries, sent, last } = openQueue(new DOMException("", "TimeoutError"));
    deliveries.enqueue(createRun(1), 0);
    expect(await deliveries.deliver(0)).not.toBeNull();
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    expect(timeout).toHaveBeenCalledWith(15_000);
    expect(last()).toMatchObject({ status: "retrying", error: "The endpoint didn’t respond within 15 seconds." });
    timeout.mockRestore();
  });

  test.each([
    ["in seconds", "120", 120 * SECOND],
    ["as a date", new Date(90 * SECOND).toUTCString(), 90 * SECOND],
    ["too long", "99999999999", 24 * HOUR],
    ["shorter than our own delay", "1", 5 * SECOND],
    ["not a number or date", "soon", 5 * SECOND],
    ["in the past", new Date(-90 * SECOND).toUTCString(), 5 * SECOND],
  ])("may delay the next call with Retry-After: %s", async (_, header, least) => {
    const { deliveries } = openQueue(createResponse(503, { "retry-after": header }));
    deliveries.enqueue(createRun(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).toBeGreaterThanOrEqual(least);
    expect(next).toBeLessThanOrEqual(least * 1.1);
  });

  test("is not called again after 410 Gone until the webhook is set again", async () => {
    const { deliveries, sent, last, schedules } = openQueue(createResponse(410));
    for (const n of [1, 2]) deliveries.enqueue(createRun(n), n);
    expect(await deliveries.deliver(1)).toBeNull();
    deliveries.enqueue(createRun(3), 3);
    expect(deliveries.getNextDueTime()).toBeNull();
    expect(sent).toHaveLength(1);
    expect(last()).toMatchObject({ status: "gone", error: expect.stringContaining("Set the webhook again") as string });
    expect(schedules.get("task-1")?.webhook).toEqual({ url: WEBHOOK_URL });
    deliveries.setEndpoint("task-1", { url: WEBHOOK_URL, secret: SECRET });
    expect(last()).toBeUndefined();
    deliveries.enqueue(createRun(4), 4);
    expect(await deliveries.deliver(4)).toBeNull();
    expect(sent).toHaveLength(2);
  });

  test("does not affect a new endpoint that was set before its 410 Gone", async () => {
    const { deliveries, sent, requestHooks, last } = openQueue(createResponse(410));
    requestHooks.push(() => deliveries.setEndpoint("task-1", { url: "https://new.example.dev/", secret: SECRET }));
    deliveries.enqueue(createRun(1), 0);
    const next = await deliveries.deliver(0);
    expect(next).not.toBeNull();
    expect(last()).toBeUndefined();
    expect(await deliveries.deliver(next ?? 0)).toBeNull();
    expect(sent[1]?.url).toBe("https://new.example.dev/");
  });
});

describe("several deliveries", () => {
  test("are sent concurrently, a few at a time, oldest first", async () => {
    const { deliveries, sent } = openQueue();
    for (let n = 1; n <= 9; n++) deliveries.enqueue(createRun(n), n);
    const both = [deliveries.deliver(9), deliveries.deliver(9)];
    expect(await Promise.all(both)).toEqual([5, 5]);
    const ids = () => sent.map(({ headers }) => headers.get("webhook-id") ?? "").toSorted((a, b) => a.localeCompare(b));
    expect(ids()).toEqual(["th-1", "th-2", "th-3", "th-4"]);
    await deliveries.deliver(9);
    expect(await deliveries.deliver(9)).toBeNull();
    expect(ids()).toEqual(Array.from({ length: 9 }, (_, i) => `th-${i + 1}`));
  });

  test("are limited to 100 waiting ones", () => {
    const { deliveries, sql } = openQueue();
    for (let n = 1; n <= 103; n++) deliveries.enqueue(createRun(n), n);
    const [row] = sql.rows(`SELECT count(*) AS n, min(due_at) AS oldest FROM delivery`);
    expect(row).toEqual({ n: 100, oldest: 4 });
  });

  test("are removed with their webhook, also during an attempt", async () => {
    const { deliveries, requestHooks, updates, last } = openQueue(createResponse(500));
    requestHooks.push(() => deliveries.setEndpoint("task-1", null));
    for (const n of [1, 2]) deliveries.enqueue(createRun(n), n);
    expect(await deliveries.deliver(1)).toBeNull();
    expect(last()).toBeUndefined();
    expect(updates).toEqual([]);
  });
});

describe("webhook URL", () => {
  const { deliveries, reopen } = openQueue();

  test.each(REFUSED_URLS)("[S9] must not be %s", async (url) => {
    if (!URL.canParse(url)) return;
    await expect(deliveries.createEndpoint({ url })).rejects.toThrow(/^webhook\.url: The URL must/);
  });

  test("[S9] is not called when it is no longer allowed", async () => {
    const { deliveries: strict, reopen: reopenWith, sent, last } = openQueue();
    const local = await reopenWith({ ALLOW_PRIVATE_AGENTS: "1" }).createEndpoint({
      url: "http://127.0.0.1:9/",
      secret: SECRET,
    });
    strict.setEndpoint("task-1", local.endpoint);
    strict.enqueue(createRun(1), 0);
    expect(await strict.deliver(0)).not.toBeNull();
    expect(sent).toEqual([]);
    expect(last()?.error).toBe("The URL must start with https://.");
  });

  test("[S9] must not have a name with a private address, also when it is called", async () => {
    const { deliveries: own, reopen: reopenWith, sent, last } = openQueue();
    const rebound = reopenWith({}, async () => ["93.184.215.14", "10.0.0.7"]);
    await expect(rebound.createEndpoint({ url: WEBHOOK_URL })).rejects.toThrow(/^webhook\.url: The URL must be public/);
    own.enqueue(createRun(1), 0);
    expect(await rebound.deliver(0)).not.toBeNull();
    expect(sent).toEqual([]);
    expect(last()?.error).toContain("The URL must be public");
  });

  test("comes with a generated or validated secret", async () => {
    const { secret: made } = await deliveries.createEndpoint({ url: WEBHOOK_URL });
    expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await deliveries.createEndpoint({ url: WEBHOOK_URL })).secret).not.toBe(made);
    expect((await deliveries.createEndpoint({ url: WEBHOOK_URL, secret: SECRET })).secret).toBe(SECRET);
    const refusal = deliveries.createEndpoint({ url: WEBHOOK_URL, secret: "hunter2" });
    await expect(refusal).rejects.toThrow(/^webhook\.secret: must be whsec_/);
    await expect(refusal).rejects.not.toThrow("hunter2");
    const local = await reopen({ ALLOW_PRIVATE_AGENTS: "1" }).createEndpoint({ url: "http://localhost:9/" });
    expect(local.endpoint.url).toContain("9");
  });

  test("has a secret that is sealed for its user and URL", async () => {
    const { sent, store, last, reopen: reopenWith } = openQueue();
    const sealing = reopenWith({ SEALING_KEY: "a key" });
    const { endpoint } = await sealing.createEndpoint({ url: WEBHOOK_URL, secret: SECRET });
    expect(endpoint.secret).not.toContain(SECRET.slice(6));
    sealing.setEndpoint("task-1", endpoint);
    const now = Date.now();
    sealing.enqueue(createRun(1), now);
    await sealing.deliver(now);
    const [only] = sent as [SentRequest];
    expect(verifyRequest(only)).toMatchObject({ type: "schedule.run" });
    store.putEndpoint("task-1", { ...endpoint, url: `${WEBHOOK_URL}/elsewhere` });
    sealing.enqueue(createRun(2), now);
    await sealing.deliver(now);
    expect(sent).toHaveLength(1);
    expect(last()?.error).toBe("The endpoint’s secret can no longer be read. Set the webhook again.");
  });

  test("has a secret that neither the schedule nor a request shows", async () => {
    const { deliveries: own, schedules, sent } = openQueue(createResponse(500));
    own.enqueue(createRun(1), 0);
    await own.deliver(0);
    expect(sent).toHaveLength(1);
    expect(JSON.stringify([schedules.get("task-1"), sent])).not.toContain(SECRET.slice(6));
  });
});
