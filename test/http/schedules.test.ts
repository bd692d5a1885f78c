// Schedules over HTTP: list, read, change, run, delete, and webhooks for their results.

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
import {
  callRoute,
  call,
  assertPresent,
  readStream,
  callForProblem,
  waitForThreads,
  sendAndWait,
  type AcceptedMessage,
  type ApiRequest,
} from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const EVERY_FIVE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
const HOOK = "https://hooks.example.dev/orrery";

/** Creates a conversation with one schedule, for a new user unless one is given. */
async function createSchedule(givenUser?: ApiRequest) {
  const user = givenUser ?? (await authenticateAs(createId("conv")));
  const { conversation_id } = await sendAndWait(EVERY_FIVE, user, { timezone: "Asia/Shanghai" });
  const { tasks } = await callRoute<{ tasks: { task_id: string }[] }>(
    "GET",
    `/api/v1/conversations/${conversation_id}/tasks`,
    user,
  );
  const id = assertPresent(tasks[0]).task_id;
  await vi.waitFor(async () => expect((await listSchedules(user)).map(({ schedule_id }) => schedule_id)).toContain(id));
  return { user, conversation_id, id, path: `/api/v1/schedules/${id}` };
}

async function listSchedules(user: ApiRequest): Promise<Schedule[]> {
  return (await callRoute<ScheduleList>("GET", "/api/v1/schedules", user)).schedules;
}

async function listResults(path: string, user: ApiRequest, query = ""): Promise<ScheduleRunResultList> {
  return callRoute<ScheduleRunResultList>("GET", `${path}/results${query}`, user);
}

describe("a schedule", () => {
  test("is listed across conversations, newest first, in pages", async () => {
    const first = await createSchedule();
    const second = await createSchedule(first.user);
    const all = await listSchedules(first.user);
    expect(all.map(({ schedule_id }) => schedule_id)).toEqual([second.id, first.id]);
    expect(all.map(({ conversation_id }) => conversation_id)).toEqual([second.conversation_id, first.conversation_id]);
    const page = await callRoute<ScheduleList>("GET", "/api/v1/schedules?limit=1", first.user);
    expect(page.schedules).toEqual(all.slice(0, 1));
    const rest = `/api/v1/schedules?limit=1&cursor=${assertPresent(page.next_cursor)}`;
    const next = await callRoute<ScheduleList>("GET", rest, first.user);
    expect(next.schedules).toEqual(all.slice(1));
    expect(await callRoute<ScheduleList>("GET", rest, await authenticateAs("eve"))).toEqual({
      schedules: [],
      next_cursor: null,
    });
    expect(await callForProblem("GET", "/api/v1/schedules?cursor=x", first.user)).toMatchObject({ field: "cursor" });
  });

  test("can be read, paused, resumed and changed", async () => {
    const { user, path, id, conversation_id } = await createSchedule();
    const update = (body: object) => callRoute<UpdatedSchedule>("PATCH", path, { ...user, body });
    const created = await callRoute<Schedule>("GET", path, user);
    expect(created).toMatchObject({ schedule_id: id, conversation_id, status: "active", failures: 0 });
    expect(created.schedule_config).toMatchObject({ interval_minutes: 5 });
    expect(created.next_runs).toEqual([0, 1, 2, 3, 4].map((i) => assertPresent(created.next_run_at) + i * 300_000));
    expect(await listSchedules(user)).toMatchObject([{ next_runs: created.next_runs }]);
    const paused = await update({ status: "paused" });
    expect(paused).toMatchObject({ status: "paused" });
    expect(paused).not.toHaveProperty("next_run_at");
    expect(paused.next_runs).toEqual([]);
    expect(await callRoute("GET", path, user)).toMatchObject({ next_runs: [] });
    await vi.waitFor(async () =>
      expect(await listSchedules(user)).toMatchObject([{ status: "paused", next_runs: [] }]),
    );
    expect(await update({ status: "active" })).toMatchObject({
      status: "active",
      next_run_at: expect.any(Number) as number,
    });
    const changed = await update({ title: "Six times seven", schedule_config: "weekdays at 18:30", catch_up: "skip" });
    expect(changed).toMatchObject({
      title: "Six times seven",
      schedule_config: { cron: "30 18 * * 1-5" },
      catch_up: "skip",
    });
    expect(changed.next_runs).toHaveLength(5);
    expect(changed.next_runs?.[0]).toBe(changed.next_run_at);
    const clock = { timeZone: "Asia/Shanghai", hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
    for (const run of changed.next_runs ?? []) expect(new Date(run).toLocaleTimeString("en", clock)).toBe("18:30");
    expect(await callRoute("GET", path, user)).toEqual(changed);
    await vi.waitFor(async () => expect(await listSchedules(user)).toEqual([changed]));
    for (const [body, field] of [
      [{ status: "gone" }, "status"],
      [{ next_run_at: 1 }, "next_run_at"],
      [{ title: "  " }, "title"],
    ] as const) {
      expect(await callForProblem("PATCH", path, { ...user, body })).toMatchObject({ code: "invalid_request", field });
    }
    const wrong = await callForProblem("PATCH", path, { ...user, body: { schedule_config: "every 10 seconds" } });
    expect(wrong).toMatchObject({ code: "unprocessable", field: "schedule_config" });
  });

  test("can be run at once, once per key, also as a stream, and its results are listed in pages", async () => {
    const { user, path, conversation_id } = await createSchedule();
    const withKey = { ...user, headers: { ...user.headers, "idempotency-key": "now-1" } };
    const accepted = await callRoute<AcceptedMessage>("POST", `${path}/run`, withKey);
    expect(accepted).toMatchObject({ conversation_id });
    await waitForThreads(conversation_id, 2, user);
    expect(await callRoute("POST", `${path}/run`, withKey)).toEqual(accepted);
    const rename = { ...withKey, body: { message: "Something else" } };
    const refused = await call("POST", `/api/v1/conversations/${conversation_id}/messages`, rename);
    expect([refused.status, await refused.json()]).toMatchObject([422, { field: "id" }]);
    const streamed = await call("POST", `${path}/run`, {
      ...user,
      headers: { ...user.headers, accept: "text/event-stream" },
    });
    const { events, hasEnded } = await readStream(streamed);
    expect(hasEnded).toBe(true);
    expect(JSON.stringify(events)).toContain("scheduled_task_result");
    const all = await listResults(path, user);
    expect(all.results).toMatchObject([{ status: "completed" }, { status: "completed", run_id: accepted.thread_id }]);
    const page = await listResults(path, user, "?limit=1");
    expect(page.results).toEqual(all.results.slice(0, 1));
    const rest = await listResults(path, user, `?limit=1&before=${assertPresent(page.next)}`);
    expect(rest.results).toEqual(all.results.slice(1));
    expect((await listResults(path, user, `?limit=1&before=${assertPresent(rest.next)}`)).results).toEqual([]);
  });

  test.each(["DELETE the schedule", "cancel its task", "DELETE its conversation"])("ends after: %s", async (how) => {
    const { user, path, id, conversation_id } = await createSchedule();
    if (how === "DELETE the schedule") {
      expect(await callRoute("DELETE", path, user)).toEqual({ schedule_id: id, deleted: true });
    } else if (how === "cancel its task") {
      expect(await callRoute("POST", `/api/v1/tasks/${id}/cancel`, user)).toEqual({ cancelled: [id] });
    } else {
      await callRoute("DELETE", `/api/v1/conversations/${conversation_id}`, user);
    }
    for (const [method, at] of [
      ["GET", path],
      ["DELETE", path],
      ["POST", `${path}/run`],
      ["GET", `${path}/results`],
    ] as const) {
      expect(await callForProblem(method, at, user)).toMatchObject({ code: "not_found" });
    }
    await vi.waitFor(async () => expect(await listSchedules(user)).toEqual([]));
  });
});

describe("the webhook of a schedule", () => {
  afterEach(() => vi.restoreAllMocks());

  /** Mocks the endpoint and records its requests. `status` is its response. */
  function mockEndpoint(status: number) {
    const received: { headers: Record<string, string>; body: string }[] = [];
    const originalFetch = globalThis.fetch;
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
      if (input !== HOOK) return originalFetch(input as string, init);
      received.push({ headers: init?.headers as Record<string, string>, body: String(init?.body) });
      return Promise.resolve(new Response(null, { status }));
    });
    return received;
  }

  test("receives the result of a run, signed with a secret that is returned once", async () => {
    const { user, path, id, conversation_id } = await createSchedule();
    const received = mockEndpoint(204);
    const updated = await callRoute<UpdatedSchedule>("PATCH", path, { ...user, body: { webhook: { url: HOOK } } });
    const secret = assertPresent(updated.webhook_secret);
    expect(updated.webhook).toEqual({ url: HOOK });
    await callRoute("POST", `${path}/run`, user);
    await vi.waitFor(
      async () => expect((await callRoute<Schedule>("GET", path, user)).last_delivery).toBeDefined(),
      5_000,
    );
    expect(received).toHaveLength(1);
    const { headers, body } = assertPresent(received[0]);
    const report = scheduleRunReportSchema.parse(new Webhook(secret).verify(body, headers));
    const [result] = (await listResults(path, user)).results;
    expect(report.data).toEqual({ ...result, title: updated.title, conversation_id });
    expect(report.data).toMatchObject({
      schedule_id: id,
      status: "completed",
      result: expect.stringContaining("42") as string,
    });
    expect(headers["webhook-id"]).toBe(result?.run_id);
    const read = await callRoute<Schedule>("GET", path, user);
    expect(read.last_delivery).toMatchObject({ status: "delivered", attempts: 1 });
    await vi.waitFor(async () => expect(await listSchedules(user)).toEqual([read]));
    const { events } = await callRoute<{ events: Frame[] }>(
      "GET",
      `/api/v1/conversations/${conversation_id}/events`,
      user,
    );
    const allOutput = JSON.stringify([read, events, await listSchedules(user), await listResults(path, user)]);
    expect(allOutput).not.toContain(secret.slice(6));
    expect(allOutput).not.toContain("webhook_secret");
  });

  test("that fails is reported as failing, and receives nothing after its removal", async () => {
    const { user, path } = await createSchedule();
    const received = mockEndpoint(500);
    await callRoute("PATCH", path, { ...user, body: { webhook: { url: HOOK } } });
    await callRoute("POST", `${path}/run`, user);
    await vi.waitFor(
      async () =>
        expect((await callRoute<Schedule>("GET", path, user)).last_delivery).toMatchObject({
          status: "retrying",
          attempts: 1,
          error: "The endpoint responded with status 500.",
        }),
      5_000,
    );
    const removed = await callRoute<UpdatedSchedule>("PATCH", path, { ...user, body: { webhook: null } });
    expect(removed).not.toHaveProperty("webhook");
    expect(await callRoute("GET", path, user)).not.toHaveProperty("last_delivery");
    expect(received).toHaveLength(1);
  });

  test.each([
    [{ url: "http://hooks.example.dev/" }, "webhook.url"],
    [{ url: "https://127.0.0.1/" }, "webhook.url"],
    [{ url: HOOK, secret: "hunter2" }, "webhook.secret"],
  ])("[S9] is rejected when it is invalid: %j", async (webhook, field) => {
    const { user, path } = await createSchedule();
    const problem = await callForProblem("PATCH", path, { ...user, body: { title: "Other", webhook } });
    expect(problem).toMatchObject({ code: "invalid_request", field });
    expect(JSON.stringify(problem)).not.toContain("hunter2");
    const schedule = await callRoute<Schedule>("GET", path, user);
    expect(schedule).not.toHaveProperty("webhook");
    expect(schedule.title).not.toBe("Other");
  });
});
