// Changes of schedules reach the directory even if the host crashes first. No thread resumes after such a crash, so the
// conversation must repeat the update by itself.

import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { LEASE_MS } from "../../src/durable/conversation/threads/lease.ts";
import { shareRuntime, type SharedRuntime } from "../support/shared-runtime.ts";

let runtime: SharedRuntime;
let api: ApiClient;

beforeAll(async () => {
  runtime = await shareRuntime();
  api = createApi({ url: runtime.url });
});

const WAIT_OPTIONS = { timeout: 20_000, interval: 200 };

const findListedSchedule = async (id: string) =>
  (await api.listSchedules({ limit: 50 })).schedules.find(({ schedule_id }) => schedule_id === id);

async function createSchedule(): Promise<string> {
  const { conversation_id: id } = await api.createConversation({ message: "每天早上9点告诉我时间，确认" });
  const task = await vi.waitFor(async () => {
    const [first] = (await api.tasks(id, { status: "scheduled" })).tasks;
    expect(await findListedSchedule(first?.task_id ?? "")).toBeDefined();
    return first;
  }, WAIT_OPTIONS);
  return task?.task_id ?? "";
}

async function killAndRestart(): Promise<void> {
  await runtime.kill();
  await runtime.restart();
}

test("[I38] a schedule that was paused just before a crash is listed as paused", async () => {
  const id = await createSchedule();
  // Wait for the alarm of the message, which would update the directory as well.
  await sleep(LEASE_MS + 2_000);
  await api.updateSchedule(id, { status: "paused" });
  await killAndRestart();
  await vi.waitFor(async () => expect(await findListedSchedule(id)).toMatchObject({ status: "paused" }), WAIT_OPTIONS);
});

test.each(["deleteSchedule", "cancelTask"] as const)(
  "[I38] [S3] a schedule that was removed with %s just before a crash is removed from the list",
  async (end) => {
    const id = await createSchedule();
    // A paused schedule is never due, so no sweep would detect its removal.
    await api.updateSchedule(id, { status: "paused" });
    await vi.waitFor(
      async () => expect(await findListedSchedule(id)).toMatchObject({ status: "paused" }),
      WAIT_OPTIONS,
    );
    await api[end](id);
    await killAndRestart();
    await vi.waitFor(async () => expect(await findListedSchedule(id)).toBeUndefined(), WAIT_OPTIONS);
  },
);
