// Many schedules of one conversation that are due at once, in the Conversation object. All ticks arrive before the
// first run starts.

import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { unwrapResult, type RpcResult } from "../../src/durable/conversation-api.ts";
import type { ConversationApi } from "../../src/durable/conversation/operations.ts";
import { MAX_WAITING_RUNS } from "../../src/durable/conversation/threads/thread-queue.ts";
import { ScheduleStore } from "../../src/durable/conversation/storage/schedule-store.ts";
import { createSql } from "../../src/durable/sql.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import type { Schedule } from "../../src/protocol/schedules/schedule.ts";
import { createSchedule } from "../directory/schedule-rows.ts";
import { openConversation, runInside, waitForDone } from "./support.ts";

const MINUTE = 60_000;
/** The default limit of queued messages. */
const MAX_QUEUED_MESSAGES = 100;

/** Creates a conversation with `count` schedules that were due a minute ago; the last one has `changes`. */
async function createDueSchedules(count: number, changes: Partial<Schedule> = {}) {
  const { api, stub, id: conversation } = openConversation();
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
    /** All calls start before any of them continues. */
    callInside: <T>(call: (conversation: ConversationApi) => Promise<T>[]) =>
      runInside(stub, (object) => Promise.all(call(object))),
    run: async (id: string) => unwrapResult(await api.runResults(id, 1)).results[0],
  };
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
  const events = await waitForDone(api, ids.length + 1);
  const order = events.flatMap(({ event, data }) => (event === "done" ? [data.thread_id] : []));
  const ofUser = events.flatMap(({ event, data }) =>
    event === "thread_started" && data.role === "user" ? [data.thread_id] : [],
  );
  expect(order.slice(0, 2)).toContain(ofUser[0]);
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
