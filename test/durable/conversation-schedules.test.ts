// Schedules in the Conversation object, with the embedded model and the built-in agent. Ticks carry their due time.

import { evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import {
  SCHEDULE_CONTROLLER_COMPONENT,
  SCHEDULE_RESULT_COMPONENT,
  type ScheduleController,
  type Schedule,
} from "../../src/protocol/schedules/schedule.ts";
import { openConversation, setClock, waitForDone } from "./support.ts";

const MINUTE = 60_000;

afterEach(() => vi.useRealTimers());

/** Creates a conversation with one schedule that runs every five minutes. */
async function createSchedule(what = "tell me what 6 * 7 is") {
  const { api, stub } = openConversation();
  const message = `Every 5 minutes ${what}. Yes, confirmed.`;
  unwrapResult(await api.send(createId("cmd"), { message, timezone: "Asia/Shanghai" }, { create: true }));
  const frames = await waitForDone(api, 1);
  const [task] = unwrapResult(await api.tasks({}));
  if (task === undefined) throw new Error(`No task: ${JSON.stringify(frames.slice(-3))}`);
  return { api, stub, id: task.task_id, task, frames };
}

function listComponents(frames: readonly Frame[], type: string): Record<string, unknown>[] {
  return frames.flatMap((frame) =>
    frame.event === "component_generator" && frame.data.payload.component_type === type
      ? [JSON.parse(frame.data.payload.content) as Record<string, unknown>]
      : [],
  );
}

const readSchedule = async (api: ConversationApi, id: string): Promise<Schedule> =>
  unwrapResult(await api.schedule(id));

describe("schedule", () => {
  test("[F49] [F51] [F59] is created with a controller, due in five minutes, with a query without its time phrase", async () => {
    const { api, id, task, frames } = await createSchedule();
    expect(task).toMatchObject({ pattern: "recurring", status: "scheduled" });
    expect(task.query).not.toMatch(/every|minutes/i);
    const schedule = await readSchedule(api, id);
    expect(schedule).toMatchObject({ status: "active", schedule_config: { interval_minutes: 5 }, failures: 0 });
    expect(schedule.next_run_at).toBe(schedule.created_at + 5 * MINUTE);
    const [controller] = listComponents(frames, SCHEDULE_CONTROLLER_COMPONENT) as unknown as ScheduleController[];
    expect(controller).toMatchObject({ task_id: id, task_status: "scheduled", next_run_at: schedule.next_run_at });
  });

  test("[S1] [F53] [F55] runs once per tick, however often it is delivered; the result is live and listed but not in the history", async () => {
    const { api, id, stub } = await createSchedule();
    const { next_run_at: due = 0 } = await readSchedule(api, id);
    setClock(due + 1_000);
    const answers = await Promise.all([api.tick(id, due), api.tick(id, due), api.tick(id, due)]);
    expect(answers.map((answer) => unwrapResult(answer).next_run_at)).toEqual(Array(3).fill(due + 5 * MINUTE));
    const frames = await waitForDone(api, 2);
    await evictDurableObject(stub);
    expect(unwrapResult(await api.tick(id, due)).next_run_at).toBe(due + 5 * MINUTE);
    expect(listComponents(await waitForDone(api, 2), SCHEDULE_RESULT_COMPONENT)).toHaveLength(1);
    const { results } = unwrapResult(await api.runResults(id, 10));
    expect(results).toMatchObject([{ due_at: due, status: "completed", schedule_id: id }]);
    expect(results[0]?.result).toContain("42");
    expect(results[0]?.usage?.model_calls).toBeGreaterThan(0);
    const ofRun = frames.filter((frame) => "thread_id" in frame.data && frame.data.thread_id === results[0]?.run_id);
    expect(ofRun.map(({ event }) => event)).toEqual([
      "thread_started",
      "task_started",
      "component_generator",
      "component_generator",
      "done",
    ]);
    const items = unwrapResult(await api.items());
    expect(items.filter(({ payload }) => payload["component_type"] === SCHEDULE_RESULT_COMPONENT)).toEqual([]);
    expect(items.filter(({ event }) => event === "thread_started")).toHaveLength(1);
    expect(unwrapResult(await api.tasks({}))[0]?.status).toBe("scheduled");
    expect(unwrapResult(await api.read()).status).toBe("completed");
  });

  test("[S2] runs once late for missed ticks, or not at all, according to catch_up", async () => {
    const { api, id } = await createSchedule();
    const { next_run_at: due = 0 } = await readSchedule(api, id);
    setClock(due + 24 * 60 * MINUTE);
    expect(unwrapResult(await api.tick(id, due)).next_run_at).toBe(due + (24 * 60 + 5) * MINUTE);
    await waitForDone(api, 2);
    expect(unwrapResult(await api.runResults(id, 10)).results).toHaveLength(1);
    unwrapResult(await api.updateSchedule(id, { catch_up: "skip" }));
    const { next_run_at: nextDue = 0 } = await readSchedule(api, id);
    setClock(nextDue + 63 * MINUTE);
    await api.tick(id, nextDue);
    const { results } = unwrapResult(await api.runResults(id, 10));
    expect(results.map(({ status }) => status)).toEqual(["skipped", "completed"]);
    expect((await readSchedule(api, id)).next_run_at).toBeGreaterThan(nextDue + 63 * MINUTE);
  });

  test("[S2] skips missed runs but not the one that is on time", async () => {
    const { api, id } = await createSchedule();
    unwrapResult(await api.updateSchedule(id, { catch_up: "skip" }));
    const { next_run_at: due = 0 } = await readSchedule(api, id);
    setClock(due + 30 * MINUTE + 60_000);
    expect(unwrapResult(await api.tick(id, due)).next_run_at).toBe(due + 35 * MINUTE);
    await waitForDone(api, 4);
    const { results } = unwrapResult(await api.runResults(id, 10));
    expect(results.map(({ status, due_at }) => [status, due_at])).toEqual([
      ["completed", due + 30 * MINUTE],
      ["skipped", due],
    ]);
  });

  test("[S1] does not repeat a run when the clock is set back, and continues", async () => {
    const { api, id } = await createSchedule();
    const daily = { schedule_config: "daily at 09:00" };
    const { next_run_at: due = 0 } = unwrapResult(await api.updateSchedule(id, daily));
    setClock(due + 1_000);
    unwrapResult(await api.tick(id, due));
    await waitForDone(api, 3);
    setClock(due - MINUTE);
    const next = due + 24 * 60 * MINUTE;
    expect(unwrapResult(await api.updateSchedule(id, daily)).next_run_at).toBe(next);
    setClock(next + 1_000);
    unwrapResult(await api.tick(id, next));
    await waitForDone(api, 5);
    const { results } = unwrapResult(await api.runResults(id, 10));
    expect(results.map(({ due_at }) => due_at)).toEqual([next, due]);
  });

  test("[F15] does not change the conversation status with its runs", async () => {
    const { api } = await createSchedule("tell me what 6 * 7 is, and every 10 minutes tell me what 2 * 3 is");
    unwrapResult(await api.update({ status: "inactive" }));
    const both = unwrapResult(await api.tasks({})).map((task) => api.runSchedule(createId("cmd"), task.task_id));
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    await waitForDone(api, 3);
    expect(unwrapResult(await api.read()).status).toBe("inactive");
  });

  test("[S3] runs nothing for an early tick, a paused schedule or a deleted one", async () => {
    const { api, id } = await createSchedule();
    const { next_run_at: due = 0 } = await readSchedule(api, id);
    expect(unwrapResult(await api.tick(id, due)).next_run_at).toBe(due);
    expect(unwrapResult(await api.updateSchedule(id, { status: "paused" }))).toMatchObject({ status: "paused" });
    expect(unwrapResult(await api.tick(id, due)).next_run_at).toBeNull();
    expect(unwrapResult(await api.updateSchedule(id, { status: "active" })).next_run_at).toBeGreaterThan(Date.now());
    unwrapResult(await api.removeSchedule(id));
    expect(await api.tick(id, due)).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(await api.schedule(id)).toMatchObject({ ok: false, failure: { code: "not_found" } });
    expect(unwrapResult(await api.tasks({}))[0]?.status).toBe("cancelled");
  });

  test("[T2] [S3] answers the cancel command that ended it again with the same result", async () => {
    const { api, id } = await createSchedule();
    const cancelled = { ok: true, value: { cancelled: [id] } };
    expect(await api.cancel("c-1", { task_id: id })).toEqual(cancelled);
    const readEvents = async () => unwrapResult(await api.events(0, 10_000)).events;
    const eventCount = (await readEvents()).length;
    expect(await api.cancel("c-1", { task_id: id })).toEqual(cancelled);
    expect(await api.cancel("c-2", { task_id: id })).toMatchObject({ ok: false, failure: { code: "conflict" } });
    expect(await readEvents()).toHaveLength(eventCount);
    const { threads } = unwrapResult(await api.threads({ sought: { since: 0 }, before: Infinity, limit: 10 }));
    expect(threads).toHaveLength(1);
  });

  test("can be run now and changed in words, and rejects invalid changes with the field", async () => {
    const { api, id } = await createSchedule();
    unwrapResult(await api.runSchedule("now-1", id));
    unwrapResult(await api.runSchedule("now-1", id));
    await waitForDone(api, 2);
    expect(unwrapResult(await api.runResults(id, 10)).results).toHaveLength(1);
    const changed = unwrapResult(await api.updateSchedule(id, { schedule_config: "daily at 09:00" }));
    expect(changed.schedule_config).toEqual({ daily_time: "09:00", timezone: "Asia/Shanghai" });
    // An interval in between does not lose the time zone.
    unwrapResult(await api.updateSchedule(id, { schedule_config: { interval_minutes: 30 } }));
    expect(unwrapResult(await api.updateSchedule(id, { schedule_config: "daily at 09:00" }))).toMatchObject({
      schedule_config: changed.schedule_config,
    });
    for (const wrong of ["25:00", "* * *", "every 10 seconds"]) {
      const refused = await api.updateSchedule(id, { schedule_config: wrong });
      expect(refused).toMatchObject({ ok: false, failure: { code: "unprocessable", field: "schedule_config" } });
    }
    expect((await readSchedule(api, id)).schedule_config).toMatchObject({ daily_time: "09:00" });
  });

  test.each([
    ["remind me in 10 minutes to call Ann", "Reminder: call Ann"],
    ["10分钟后提醒我给安打电话", "提醒：给安打电话"],
  ])(
    "[S1] [S2] [F86] %s: the message arrives once, even late, and the schedule is completed",
    async (message, text) => {
      const { api } = openConversation();
      unwrapResult(await api.send(createId("cmd"), { message, timezone: "Asia/Shanghai" }, { create: true }));
      await waitForDone(api, 1);
      const id = unwrapResult(await api.tasks({}))[0]?.task_id ?? "";
      const { next_run_at: due = 0, created_at, schedule_config: config } = await readSchedule(api, id);
      expect(Math.abs(due - created_at - 10 * MINUTE)).toBeLessThan(MINUTE);
      expect(config).toMatchObject({ run_at: new Date(due).toISOString(), timezone: "Asia/Shanghai" });
      setClock(due + 300 * MINUTE);
      for (let n = 0; n < 2; n += 1) expect(unwrapResult(await api.tick(id, due)).next_run_at).toBeNull();
      const frames = await waitForDone(api, 2);
      const messages = frames.flatMap((frame) => (frame.event === "message" ? [frame.data.payload.content] : []));
      expect(messages.filter((content) => content === text)).toHaveLength(1);
      expect(listComponents(frames, SCHEDULE_RESULT_COMPONENT)).toEqual([]);
      expect(listComponents(frames, SCHEDULE_CONTROLLER_COMPONENT).at(-1)).toMatchObject({
        task_status: "completed",
        schedule_status: "completed",
      });
      const ended = await readSchedule(api, id);
      expect(ended).toMatchObject({ status: "completed", last_run: { status: "completed", due_at: due } });
      expect(ended).not.toHaveProperty("next_run_at");
      expect(unwrapResult(await api.tasks({}))[0]?.status).toBe("completed");
      const past = await api.updateSchedule(id, { schedule_config: { run_at: new Date(due).toISOString() } });
      expect(past).toMatchObject({ ok: false, failure: { code: "unprocessable", field: "schedule_config" } });
      const again = unwrapResult(await api.updateSchedule(id, { schedule_config: "tomorrow at 9" }));
      expect(again).toMatchObject({ status: "active" });
      expect(again.next_run_at).toBeGreaterThan(due);
    },
  );

  test("an agent works at a single time, without a question before", async () => {
    const { api } = openConversation();
    const message = "tomorrow at 9 tell me what 6 * 7 is";
    unwrapResult(await api.send(createId("cmd"), { message, timezone: "Asia/Shanghai" }, { create: true }));
    const frames = await waitForDone(api, 1);
    expect(frames.map(({ event }) => event)).not.toContain("plan_require_user_input");
    const id = unwrapResult(await api.tasks({}))[0]?.task_id ?? "";
    const { next_run_at: due = 0 } = await readSchedule(api, id);
    setClock(due + 1_000);
    unwrapResult(await api.tick(id, due));
    await waitForDone(api, 2);
    expect(unwrapResult(await api.runResults(id, 10)).results).toMatchObject([{ status: "completed", due_at: due }]);
    expect((await readSchedule(api, id)).status).toBe("completed");
  });
});
