// Many schedules of one conversation that are due at once, in the Conversation object. All ticks arrive before the
// first run starts.

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { formatObjectName, unwrapResult, type RpcResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import { MAX_WAITING_RUNS } from "../../src/durable/conversation/threads/thread-queue.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { createSql } from "../../src/durable/sql.ts";
import type { Env } from "../../src/env.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { ScheduleRunResult, Schedule } from "../../src/protocol/schedules/schedule.ts";
import { createSchedule } from "../directory/schedule-rows.ts";

const { CONVERSATION } = env as unknown as Env;
const MINUTE = 60_000;
/** The default limit of queued messages. */
const MAX_QUEUED_MESSAGES = 100;

type DueSchedules = {
  readonly api: ConversationApi;
  readonly ids: readonly string[];
  /** Calls the object from inside, so that all calls start before any of them continues. */
  readonly callInside: <T>(call: (conversation: ConversationApi) => Promise<T>[]) => Promise<T[]>;
  readonly run: (id: string) => Promise<ScheduleRunResult | undefined>;
};

/** Creates a conversation with `count` schedules that were due a minute ago; the last one has `changes`. */
async function createDueSchedules(count: number, changes: Partial<Schedule> = {}): Promise<DueSchedules> {
  const conversation = createId("conv");
  const stub = CONVERSATION.getByName(formatObjectName("ada", conversation));
  const api = stub as unknown as ConversationApi;
  unwrapResult(await api.create());
  const ids = Array.from({ length: count }, () => createId("task"));
  await runInDurableObject(stub, (_, { storage }) => {
    const store = new ScheduleStore(createSql(storage));
    const due = { query: "compute 6 * 7", conversation_id: conversation, next_run_at: Date.now() - MINUTE };
    for (const id of ids) store.put(createSchedule("ada", id, id === ids.at(-1) ? { ...due, ...changes } : due));
  });
  return {
    api,
    ids,
    callInside: (call) => runInDurableObject(stub, (object) => Promise.all(call(object as unknown as ConversationApi))),
    run: async (id) => unwrapResult(await api.runResults(id, 1)).results[0],
  };
}

async function waitForDone(api: ConversationApi, count: number): Promise<string[]> {
  const read = async () => {
    const { events } = unwrapResult(await api.events(0, 10_000));
    const done = events.filter((frame): frame is Frame & { event: "done" } => frame.event === "done");
    expect(done).toHaveLength(count);
    return done.map(({ data }) => data.thread_id);
  };
  return vi.waitFor(read, { timeout: 20_000, interval: 200 });
}

test("[S1] [S2] queues a limited number of runs and keeps the others due", async () => {
  const missed = { catch_up: "skip", next_run_at: Date.now() - 31 * MINUTE } as const;
  const { api, ids, callInside, run } = await createDueSchedules(MAX_WAITING_RUNS + 2, missed);
  const answers = await callInside((object) => ids.map((id) => object.tick(id, 0)));
  expect(answers.map(({ ok }) => ok)).toEqual(ids.map((_, i) => i < MAX_WAITING_RUNS));
  const full = { ok: false, failure: { code: "too_many_requests" } };
  expect(answers.slice(-2)).toMatchObject([full, full]);
  await waitForDone(api, MAX_WAITING_RUNS);
  const [other = "", last = ""] = ids.slice(-2);
  expect([await run(other), await run(last)]).toEqual([undefined, undefined]);
  for (const id of ids) unwrapResult(await api.tick(id, 0));
  // One more reports that a run was skipped.
  await waitForDone(api, ids.length + 1);
  const runs = await Promise.all(ids.map((id) => api.runResults(id, 10)));
  const expected = ids.map((id) => (id === last ? ["completed", "skipped"] : ["completed"]));
  expect(runs.map((each) => unwrapResult(each).results.map(({ status }) => status))).toEqual(expected);
});

test("[T1] accepts a user's message despite queued runs and runs it after the current run", async () => {
  const { api, ids, callInside } = await createDueSchedules(MAX_QUEUED_MESSAGES);
  const answers = await callInside<RpcResult<unknown>>((object) => [
    ...ids.map((id) => object.tick(id, 0)),
    object.send(createId("cmd"), { message: "hello" }, { create: false }),
  ]);
  expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  const order = await waitForDone(api, ids.length + 1);
  const { events } = unwrapResult(await api.events(0, 10_000));
  const userThread = events.find(({ event, data }) => event === "thread_started" && data.role === "user");
  expect(order.slice(0, 2)).toContain(
    userThread !== undefined && "thread_id" in userThread.data ? userThread.data.thread_id : null,
  );
});

test("lists a run that is cancelled in the queue as cancelled", async () => {
  const { api, ids, callInside, run } = await createDueSchedules(3);
  const [, , last = ""] = ids;
  const answers = await callInside<RpcResult<unknown>>((object) => [
    ...ids.map((id) => object.tick(id, 0)),
    object.runResults(last, 1).then((answer) => {
      const [waiting] = unwrapResult(answer).results;
      return object.cancel(createId("cmd"), { thread_id: waiting?.run_id ?? "" });
    }),
  ]);
  expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  await waitForDone(api, 3);
  const runs = await Promise.all(ids.map(run));
  expect(runs.map((each) => each?.status)).toEqual(["completed", "completed", "cancelled"]);
});
