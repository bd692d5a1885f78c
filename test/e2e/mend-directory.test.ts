// What the person does to a schedule reaches the directory, even if the host dies before it could tell: no thread
// comes with it that would be taken up again.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createApi, type ApiClient } from "../../src/client/api.ts";
import { LEASE_MS } from "../../src/durable/lease.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let api: ApiClient;

beforeAll(async () => {
  runtime = await startRuntime();
  api = createApi({ url: runtime.url });
});
afterAll(() => runtime.stop());

const SOON = { timeout: 20_000, interval: 200 };

const listed = async (id: string) =>
  (await api.listSchedules({ limit: 50 })).schedules.find(({ schedule_id }) => schedule_id === id);

async function scheduled(): Promise<string> {
  const { conversation_id: id } = await api.createConversation({ message: "每天早上9点告诉我时间，确认" });
  const task = await vi.waitFor(async () => {
    const [first] = await api.tasks(id, "scheduled");
    expect(await listed(first?.task_id ?? "")).toBeDefined();
    return first;
  }, SOON);
  return task?.task_id ?? "";
}

async function die(): Promise<void> {
  await runtime.kill();
  await runtime.restart();
}

test("[I38] a schedule that was paused when the host died is listed as paused", async () => {
  const id = await scheduled();
  // The message has left an alarm behind, by which the directory would hear of everything.
  await sleep(LEASE_MS + 2_000);
  await api.updateSchedule(id, { status: "paused" });
  await die();
  await vi.waitFor(async () => expect(await listed(id)).toMatchObject({ status: "paused" }), SOON);
});

test.each(["deleteSchedule", "cancelTask"] as const)(
  "[I38] [S3] a schedule that was ended by %s when the host died does not stay listed",
  async (end) => {
    const id = await scheduled();
    // Paused it is never due, and so nobody would ever come and find it gone.
    await api.updateSchedule(id, { status: "paused" });
    await vi.waitFor(async () => expect(await listed(id)).toMatchObject({ status: "paused" }), SOON);
    await api[end](id);
    await die();
    await vi.waitFor(async () => expect(await listed(id)).toBeUndefined(), SOON);
  },
);
