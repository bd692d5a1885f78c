// The limit of schedules per user: real objects, the embedded model, and a limit of one schedule.

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listSchedules } from "../../src/directory/schedule-directory.ts";
import { unwrapResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import type { Env } from "../../src/env.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { getSettings } from "../../src/settings.ts";
import { DB, openConversation, runInside, send } from "./support.ts";

const ONE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
const TWO = "Every 5 minutes tell me what 6 * 7 is, and every 10 minutes tell me what 2 * 3 is. Yes, confirmed.";

/** Returns the settings object that all conversations share. */
const settings = () =>
  runInside(openConversation("nobody").stub, async (host) => getSettings((host as unknown as { env: Env }).env));

let originalLimit = 0;
beforeAll(async () => {
  const shared = await settings();
  originalLimit = shared.MAX_SCHEDULES;
  Object.assign(shared, { MAX_SCHEDULES: 1 });
});
afterAll(async () => {
  Object.assign(await settings(), { MAX_SCHEDULES: originalLimit });
});

/** Sends a message and returns its tasks once they are all done or scheduled. */
async function sendAndListTasks(api: ConversationApi, message: string): Promise<Task[]> {
  const { thread_id } = await send(api, message);
  await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toMatch(/^(completed|failed)$/), 5_000);
  return unwrapResult(await api.tasks({})).filter((task) => task.thread_id === thread_id);
}

/** Waits until the directory lists `count` schedules of a user. */
async function waitForDirectory(userId: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await listSchedules(DB, userId, 10, null)).toHaveLength(count), 5_000);
}

test("creates one of two schedules of the same message", async () => {
  const tasks = await sendAndListTasks(openConversation().api, TWO);
  expect(tasks.map(({ status }) => status)).toEqual(["scheduled", "failed"]);
  expect(tasks[1]?.error).toContain("the limit is 1");
});

test("counts created and deleted schedules of the same conversation at once, before the directory is updated", async () => {
  const { api } = openConversation("ben");
  const [first] = await sendAndListTasks(api, ONE);
  expect(await sendAndListTasks(api, ONE)).toMatchObject([{ status: "failed" }]);
  await waitForDirectory("ben", 1);
  unwrapResult(await api.removeSchedule(first?.task_id ?? ""));
  expect(await sendAndListTasks(api, ONE)).toMatchObject([{ status: "scheduled" }]);
});

test("counts schedules of other conversations while the directory lists them", async () => {
  const [{ api }, { api: other }] = [openConversation("cleo"), openConversation("cleo")];
  const [first] = await sendAndListTasks(api, ONE);
  await waitForDirectory("cleo", 1);
  expect(await sendAndListTasks(other, ONE)).toMatchObject([{ status: "failed" }]);
  expect(await sendAndListTasks(openConversation("dora").api, ONE)).toMatchObject([{ status: "scheduled" }]);
  unwrapResult(await api.removeSchedule(first?.task_id ?? ""));
  await waitForDirectory("cleo", 0);
  expect(await sendAndListTasks(other, ONE)).toMatchObject([{ status: "scheduled" }]);
});
