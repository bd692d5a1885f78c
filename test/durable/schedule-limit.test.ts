// How many schedules a person may have: real objects, the embedded model, room for one schedule.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listSchedules } from "../../src/directory/schedule-directory.ts";
import { formatObjectName, unwrapResult, type ConversationApi } from "../../src/durable/conversation-api.ts";
import { createBasePorts } from "../../src/durable/create-ports.ts";
import type { Env } from "../../src/env.ts";
import { ensurePresent } from "../../src/protocol/assert.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { getSettings } from "../../src/settings.ts";

const { CONVERSATION, DB } = env as unknown as Env;
const ONE = "Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.";
const TWO = "Every 5 minutes tell me what 6 * 7 is, and every 10 minutes tell me what 2 * 3 is. Yes, confirmed.";

/** All conversations have the settings of the first one. */
const settings = () =>
  runInDurableObject(CONVERSATION.getByName(formatObjectName("nobody", createId("conv"))), (host) =>
    getSettings((host as unknown as { env: Env }).env),
  );

let most = 0;
beforeAll(async () => {
  const shared = await settings();
  most = shared.MAX_SCHEDULES;
  Object.assign(shared, { MAX_SCHEDULES: 1 });
});
afterAll(async () => {
  Object.assign(await settings(), { MAX_SCHEDULES: most });
});

function conversationOf(userId: string): ConversationApi {
  return CONVERSATION.getByName(formatObjectName(userId, createId("conv"))) as unknown as ConversationApi;
}

/** The tasks that come of a message, once they are all done or set up. */
async function said(api: ConversationApi, message: string): Promise<Task[]> {
  const { thread_id } = unwrapResult(await api.send(createId("cmd"), { message }, { create: true }));
  await vi.waitFor(async () => expect(unwrapResult(await api.read()).status).toMatch(/^(completed|failed)$/), 5_000);
  return unwrapResult(await api.tasks({})).filter((task) => task.thread_id === thread_id);
}

/** Waits until the directory has heard of all that a person has. */
async function heardOf(userId: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await listSchedules(DB, userId, 10, null)).toHaveLength(count), 5_000);
}

test("of two that are set up at once there is one", async () => {
  const tasks = await said(conversationOf("ada"), TWO);
  expect(tasks.map(({ status }) => status)).toEqual(["scheduled", "failed"]);
  expect(tasks[1]?.error).toContain("no more than 1");
});

test("in one conversation what was set up or deleted counts at once, whatever the directory has heard", async () => {
  const api = conversationOf("ben");
  const [first] = await said(api, ONE);
  expect(await said(api, ONE)).toMatchObject([{ status: "failed" }]);
  await heardOf("ben", 1);
  unwrapResult(await api.removeSchedule(first?.task_id ?? ""));
  expect(await said(api, ONE)).toMatchObject([{ status: "scheduled" }]);
});

test("those of other conversations count once the directory has heard of them, and no more once they are gone", async () => {
  const [api, other] = [conversationOf("cleo"), conversationOf("cleo")];
  const [first] = await said(api, ONE);
  await heardOf("cleo", 1);
  expect(await said(other, ONE)).toMatchObject([{ status: "failed" }]);
  expect(await said(conversationOf("dora"), ONE)).toMatchObject([{ status: "scheduled" }]);
  unwrapResult(await api.removeSchedule(first?.task_id ?? ""));
  await heardOf("cleo", 0);
  expect(await said(other, ONE)).toMatchObject([{ status: "scheduled" }]);
});

test("a directory that is down keeps nobody from a schedule", async () => {
  const down = { prepare: () => ensurePresent(undefined, "The directory") } as unknown as D1Database;
  const name = { userId: "eve", conversationId: createId("conv") };
  const world = createBasePorts({ ...(env as unknown as Env), DB: down }, getSettings(env), name, () => 3);
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await world.schedules()).toMatchObject({ used: 3 });
});
