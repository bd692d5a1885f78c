// Schedules from outside: listed, read, changed, run, deleted, and their results sent to webhooks.

import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { Frame } from "../../src/protocol/wire/events.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type {
  ScheduleRunResultList,
  Schedule,
  ScheduleList,
  UpdatedSchedule,
} from "../../src/protocol/schedules/schedule.ts";
import { scheduleRunReportSchema } from "../../src/protocol/schedules/schedule-run-report.ts";
import { ask, call, must, readStream, refused, settled, talk, type Accepted, type Ask } from "./support.ts";
import { as } from "./tokens.ts";

const EVERY_FIVE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
const HOOK = "https://hooks.example.dev/orrery";

/** A conversation with one schedule, of a user of its own unless there is one. */
async function scheduled(by?: Ask) {
  const user = by ?? (await as(createId("conv")));
  const { conversation_id } = await talk(EVERY_FIVE, user, { timezone: "Asia/Shanghai" });
  const { tasks } = await ask<{ tasks: { task_id: string }[] }>(
    "GET",
    `/api/v1/conversations/${conversation_id}/tasks`,
    user,
  );
  const id = must(tasks[0]).task_id;
  await vi.waitFor(async () => expect((await list(user)).map(({ schedule_id }) => schedule_id)).toContain(id));
  return { user, conversation_id, id, path: `/api/v1/schedules/${id}` };
}

async function list(user: Ask): Promise<Schedule[]> {
  return (await ask<ScheduleList>("GET", "/api/v1/schedules", user)).schedules;
}

async function results(path: string, user: Ask, query = ""): Promise<ScheduleRunResultList> {
  return ask<ScheduleRunResultList>("GET", `${path}/results${query}`, user);
}

describe("schedules", () => {
  test("are listed across conversations, newest first, in pages", async () => {
    const first = await scheduled();
    const second = await scheduled(first.user);
    const all = await list(first.user);
    expect(all.map(({ schedule_id }) => schedule_id)).toEqual([second.id, first.id]);
    expect(all.map(({ conversation_id }) => conversation_id)).toEqual([second.conversation_id, first.conversation_id]);
    const page = await ask<ScheduleList>("GET", "/api/v1/schedules?limit=1", first.user);
    expect(page.schedules).toEqual(all.slice(0, 1));
    const rest = `/api/v1/schedules?limit=1&cursor=${must(page.next_cursor)}`;
    const next = await ask<ScheduleList>("GET", rest, first.user);
    expect(next.schedules).toEqual(all.slice(1));
    const end = await ask<ScheduleList>(
      "GET",
      `/api/v1/schedules?limit=1&cursor=${must(next.next_cursor)}`,
      first.user,
    );
    expect(end).toEqual({ schedules: [], next_cursor: null });
    expect(await ask<ScheduleList>("GET", rest, await as("eve"))).toEqual({ schedules: [], next_cursor: null });
    expect(await refused("GET", "/api/v1/schedules?cursor=x", first.user)).toMatchObject({ field: "cursor" });
  });

  test("are read, paused, resumed and changed", async () => {
    const { user, path, id, conversation_id } = await scheduled();
    const change = (body: object) => ask<UpdatedSchedule>("PATCH", path, { ...user, body });
    const made = await ask<Schedule>("GET", path, user);
    expect(made).toMatchObject({ schedule_id: id, conversation_id, status: "active", failures: 0 });
    expect(made.schedule_config).toMatchObject({ interval_minutes: 5 });
    expect(made.next_runs).toEqual([0, 1, 2, 3, 4].map((i) => must(made.next_run_at) + i * 300_000));
    expect(await list(user)).toMatchObject([{ next_runs: made.next_runs }]);
    const paused = await change({ status: "paused" });
    expect(paused).toMatchObject({ status: "paused" });
    expect(paused).not.toHaveProperty("next_run_at");
    expect(paused.next_runs).toEqual([]);
    expect(await ask("GET", path, user)).toMatchObject({ next_runs: [] });
    await vi.waitFor(async () => expect(await list(user)).toMatchObject([{ status: "paused", next_runs: [] }]));
    expect(await change({ status: "active" })).toMatchObject({
      status: "active",
      next_run_at: expect.any(Number) as number,
    });
    const changed = await change({ title: "Six times seven", schedule_config: "weekdays at 18:30", catch_up: "skip" });
    expect(changed).toMatchObject({
      title: "Six times seven",
      schedule_config: { cron: "30 18 * * 1-5" },
      catch_up: "skip",
    });
    expect(changed.next_runs).toHaveLength(5);
    expect(changed.next_runs?.[0]).toBe(changed.next_run_at);
    const clock = { timeZone: "Asia/Shanghai", hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
    for (const run of changed.next_runs ?? []) expect(new Date(run).toLocaleTimeString("en", clock)).toBe("18:30");
    expect(await ask("GET", path, user)).toEqual(changed);
    await vi.waitFor(async () => expect(await list(user)).toEqual([changed]));
    for (const [body, field] of [
      [{ status: "gone" }, "status"],
      [{ next_run_at: 1 }, "next_run_at"],
      [{ title: "" }, "title"],
      [{ title: "  " }, "title"],
      [{ query: "\n" }, "query"],
    ] as const) {
      expect(await refused("PATCH", path, { ...user, body })).toMatchObject({ code: "invalid_request", field });
    }
    const wrong = await refused("PATCH", path, { ...user, body: { schedule_config: "every 10 seconds" } });
    expect(wrong).toMatchObject({ code: "unprocessable", field: "schedule_config" });
  });

  test("run now, once per key, also as a stream; their results come in pages", async () => {
    const { user, path, conversation_id } = await scheduled();
    const keyed = { ...user, headers: { ...user.headers, "idempotency-key": "now-1" } };
    const accepted = await ask<Accepted>("POST", `${path}/run`, keyed);
    expect(accepted).toMatchObject({ conversation_id });
    await settled(conversation_id, 2, user);
    expect(await ask("POST", `${path}/run`, keyed)).toEqual(accepted);
    const streamed = await call("POST", `${path}/run`, {
      ...user,
      headers: { ...user.headers, accept: "text/event-stream" },
    });
    const { events, hasEnded } = await readStream(streamed);
    expect(hasEnded).toBe(true);
    expect(JSON.stringify(events)).toContain("scheduled_task_result");
    const all = await results(path, user);
    expect(all.results).toMatchObject([{ status: "completed" }, { status: "completed", run_id: accepted.thread_id }]);
    const page = await results(path, user, "?limit=1");
    expect(page.results).toEqual(all.results.slice(0, 1));
    const rest = await results(path, user, `?limit=1&before=${must(page.next)}`);
    expect(rest.results).toEqual(all.results.slice(1));
    expect((await results(path, user, `?limit=1&before=${must(rest.next)}`)).results).toEqual([]);
  });

  test.each(["DELETE the schedule", "cancel its task", "DELETE its conversation"])("end: %s", async (how) => {
    const { user, path, id, conversation_id } = await scheduled();
    if (how === "DELETE the schedule") {
      expect(await ask("DELETE", path, user)).toEqual({ schedule_id: id, deleted: true });
    } else if (how === "cancel its task") {
      expect(await ask("POST", `/api/v1/tasks/${id}/cancel`, user)).toEqual({ cancelled: [id] });
    } else {
      await ask("DELETE", `/api/v1/conversations/${conversation_id}`, user);
    }
    for (const [method, at] of [
      ["GET", path],
      ["DELETE", path],
      ["POST", `${path}/run`],
      ["GET", `${path}/results`],
    ] as const) {
      expect(await refused(method, at, user)).toMatchObject({ code: "not_found" });
    }
    await vi.waitFor(async () => expect(await list(user)).toEqual([]));
  });
});

describe("a webhook", () => {
  afterEach(() => vi.restoreAllMocks());

  /** What the endpoint is sent; `status` is what it says. */
  function endpoint(status: number) {
    const sent: { headers: Record<string, string>; body: string }[] = [];
    const real = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      if (input !== HOOK) return real(input as string, init);
      sent.push({ headers: init?.headers as Record<string, string>, body: String(init?.body) });
      return Promise.resolve(new Response(null, { status }));
    });
    return sent;
  }

  test("is sent what a run brought, signed with a secret that is told once", async () => {
    const { user, path, id, conversation_id } = await scheduled();
    const sent = endpoint(204);
    const set = await ask<UpdatedSchedule>("PATCH", path, { ...user, body: { webhook: { url: HOOK } } });
    const secret = must(set.webhook_secret);
    expect(set.webhook).toEqual({ url: HOOK });
    await ask("POST", `${path}/run`, user);
    await vi.waitFor(async () => expect((await ask<Schedule>("GET", path, user)).last_delivery).toBeDefined(), 5_000);
    expect(sent).toHaveLength(1);
    const { headers, body } = must(sent[0]);
    const report = scheduleRunReportSchema.parse(new Webhook(secret).verify(body, headers));
    const [result] = (await results(path, user)).results;
    expect(report.data).toEqual({ ...result, title: set.title, conversation_id });
    expect(report.data).toMatchObject({
      schedule_id: id,
      status: "completed",
      result: expect.stringContaining("42") as string,
    });
    expect(headers["webhook-id"]).toBe(result?.run_id);
    const read = await ask<Schedule>("GET", path, user);
    expect(read.last_delivery).toMatchObject({ status: "delivered", attempts: 1 });
    await vi.waitFor(async () => expect(await list(user)).toEqual([read]));
    const { events } = await ask<{ events: Frame[] }>("GET", `/api/v1/conversations/${conversation_id}/events`, user);
    const shown = JSON.stringify([read, events, await list(user), await results(path, user)]);
    expect(shown).not.toContain(secret.slice(6));
    expect(shown).not.toContain("webhook_secret");
  });

  test("that fails is seen to fail; one that is removed is left alone", async () => {
    const { user, path } = await scheduled();
    const sent = endpoint(500);
    await ask("PATCH", path, { ...user, body: { webhook: { url: HOOK } } });
    await ask("POST", `${path}/run`, user);
    await vi.waitFor(
      async () =>
        expect((await ask<Schedule>("GET", path, user)).last_delivery).toMatchObject({
          status: "retrying",
          attempts: 1,
          error: "The endpoint answered with status 500.",
        }),
      5_000,
    );
    const removed = await ask<UpdatedSchedule>("PATCH", path, { ...user, body: { webhook: null } });
    expect(removed).not.toHaveProperty("webhook");
    expect(await ask("GET", path, user)).not.toHaveProperty("last_delivery");
    expect(sent).toHaveLength(1);
  });

  test.each([
    [{ url: "http://hooks.example.dev/" }, "webhook.url"],
    [{ url: "https://127.0.0.1/" }, "webhook.url"],
    [{ url: "https://metadata.google.internal/" }, "webhook.url"],
    [{ url: "hooks" }, "webhook.url"],
    [{ url: HOOK, secret: "hunter2" }, "webhook.secret"],
    [{ url: HOOK, headers: {} }, "webhook.headers"],
  ])("[S9] that is none is refused: %j", async (webhook, field) => {
    const { user, path } = await scheduled();
    const problem = await refused("PATCH", path, { ...user, body: { title: "Other", webhook } });
    expect(problem).toMatchObject({ code: "invalid_request", field });
    expect(JSON.stringify(problem)).not.toContain("hunter2");
    const schedule = await ask<Schedule>("GET", path, user);
    expect(schedule).not.toHaveProperty("webhook");
    expect(schedule.title).not.toBe("Other");
  });
});
