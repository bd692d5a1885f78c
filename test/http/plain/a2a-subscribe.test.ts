// A task that is followed across restarts of its host, on streams that the test breaks.

import type { StreamResponse } from "@a2a-js/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ThreadRecord } from "../../../src/durable/conversation-api.ts";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { subscribeToTask } from "../../../src/http/a2a/send-message.ts";
import type { Operations } from "../../../src/http/api/operations.ts";
import type { ConversationEvent, Frame } from "../../../src/protocol/wire/events.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";

const THREAD = `th-${"0".repeat(32)}`;

type PartialEvent = { readonly event: ConversationEvent["event"]; readonly data?: object };

const numberEvents = (events: readonly PartialEvent[]): Frame[] =>
  events.map(({ event, data }, i) => {
    const scope = { conversation_id: "conv-1", thread_id: THREAD, task_id: "task-1", item_id: `item-${i}` };
    return { seq: i + 1, event, data: { ...scope, role: "system", payload: { content: "" }, ...data } };
  }) as unknown as Frame[];

const FRAMES = numberEvents([
  { event: "thread_started", data: { role: "user", payload: { content: "Pay" } } },
  { event: "plan_require_user_input", data: { payload: { content: "How much?", request_id: "req-1" } } },
  { event: "message", data: { role: "user", payload: { content: "20" }, metadata: { request_id: "req-1" } } },
  { event: "message_chunk", data: { role: "agent", payload: { content: "Paid." } } },
  { event: "done" },
]);
/** Number of frames known at the subscription; the last one is the question. */
const QUESTION_SEQ = 2;

type StreamOutcome = "gone" | Fault | number;

/** Another task of the thread works while this one asks. */
const BUSY_FRAMES = numberEvents([
  { event: "thread_started", data: { role: "user", payload: { content: "Pay, and look" } } },
  { event: "plan_require_user_input", data: { payload: { content: "How much?", request_id: "req-1" } } },
  { event: "message_chunk", data: { task_id: "task-2", role: "agent", payload: { content: "Looked." } } },
  { event: "message", data: { role: "user", payload: { content: "20" }, metadata: { request_id: "req-1" } } },
  { event: "message_chunk", data: { role: "agent", payload: { content: "Paid." } } },
  { event: "done" },
]);

/**
 * Creates a request context. Each opened stream throws, or sends frames up to a seq and then breaks; `Infinity` ends
 * properly.
 */
function createContext(...outcomes: readonly StreamOutcome[]) {
  return createContextAfter(QUESTION_SEQ, outcomes);
}

function createContextAfter(last: number, outcomes: readonly StreamOutcome[], all: readonly Frame[] = FRAMES) {
  const follows: number[] = [];
  const threads: (string | undefined)[] = [];
  const disconnect = new AbortController();
  const frames = all.slice(0, last);
  const record: ThreadRecord = { thread_id: THREAD, seq: 1, last_seq: last, updated_at: 1, frames, commands: [] };
  const follow = async ({ query: { after, thread } }: { query: { after: number; thread?: string } }) => {
    threads.push(thread);
    const outcome = outcomes[follows.push(after) - 1] ?? "gone";
    if (outcome instanceof Fault) throw outcome;
    if (outcome === "gone") throw new Error("The Durable Object was reset");
    return createStream(
      all.filter(({ seq }) => seq > after && seq <= outcome),
      outcome === Infinity,
    );
  };
  const context = async () => ({ pending: [{ thread_id: THREAD, request_id: "req-1", prompt: "How much?" }] });
  const operations = { getThread: async () => record, follow, context } as unknown as Operations;
  const request = {
    operations,
    agent: null,
    dialect: "1.0",
    usesExtension: false,
    expiresAt: null,
    disconnectSignal: disconnect.signal,
  } as unknown as A2ARequestContext;
  return { context: request, follows, threads, disconnectReader: () => disconnect.abort() };
}

function createStream(frames: readonly Frame[], endsWell: boolean): ReadableStream<Uint8Array> {
  const text = frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
  let hasSent = text === "";
  return new ReadableStream({
    pull(controller) {
      if (!hasSent) controller.enqueue(new TextEncoder().encode(text));
      else if (endsWell) controller.close();
      else controller.error(new Error("The host is gone"));
      hasSent = true;
    },
  });
}

async function collectResponses(context: A2ARequestContext): Promise<StreamResponse[]> {
  const batches = subscribeToTask(context, { tenant: "", id: `conv-1.${THREAD}` });
  const all: StreamResponse[] = [];
  for (;;) {
    const { done, value } = await batches.next();
    all.push(...value);
    if (done === true) return all;
  }
}

const toJson = (responses: readonly StreamResponse[]) => JSON.stringify(responses);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("[F13] a waiting task is followed again as often as its host is unreachable", async () => {
  const { context, follows } = createContext(QUESTION_SEQ, "gone", "gone", 3, "gone", 4, "gone", Infinity);
  const responsesPromise = collectResponses(context);
  await vi.advanceTimersByTimeAsync(10_000);
  const responses = await responsesPromise;
  expect(toJson(responses)).toContain("Paid.");
  expect(toJson(responses.slice(-1))).toContain('"statusUpdate"');
  expect(follows).toEqual([2, 2, 2, 2, 3, 3, 4, 4]);
});

test("[F13] a question ends the stream only while the task waits, not after a crash of its host", async () => {
  const { context, follows } = createContextAfter(1, [QUESTION_SEQ, "gone", Infinity]);
  const responsesPromise = collectResponses(context);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(toJson(await responsesPromise)).toContain("Paid.");
  expect(follows).toEqual([1, 2, 2]);
});

test("[F13] events of other tasks reach a subscriber while one task asks", async () => {
  const { context } = createContextAfter(QUESTION_SEQ, [3, 4, Infinity], BUSY_FRAMES);
  const responsesPromise = collectResponses(context);
  await vi.advanceTimersByTimeAsync(10_000);
  const json = toJson(await responsesPromise);
  expect(json).toContain("Looked.");
  expect(json).toContain("Paid.");
});

test("[F13] a waiting task sends its state once and is then followed", async () => {
  const { context, threads, disconnectReader } = createContextAfter(
    QUESTION_SEQ,
    [Infinity, 3, Infinity],
    FRAMES.slice(0, QUESTION_SEQ),
  );
  const responsesPromise = collectResponses(context);
  await vi.advanceTimersByTimeAsync(1_000);
  disconnectReader();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await responsesPromise).toHaveLength(1);
  // The log of its thread has ended, so the answer is awaited in the log of the conversation.
  expect(threads.slice(0, 2)).toEqual([THREAD, undefined]);
});

test("[F13] a task whose host stays unreachable fails after 40 attempts", async () => {
  const { context, follows } = createContext();
  const responsesPromise = collectResponses(context).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await responsesPromise).toMatchObject({ name: "Fault", code: "unavailable" });
  expect(follows).toHaveLength(40);
});

test("a permanent error ends the stream at once", async () => {
  const { context, follows } = createContext("gone", new Fault("not_found", "Conversation not found."));
  const responsesPromise = collectResponses(context).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await responsesPromise).toMatchObject({ code: "not_found" });
  expect(follows).toHaveLength(2);
});

test("a reader who leaves while the host is unreachable is released", async () => {
  const { context, follows, disconnectReader } = createContext();
  const responsesPromise = collectResponses(context);
  await vi.advanceTimersByTimeAsync(1_000);
  disconnectReader();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await responsesPromise).toHaveLength(1);
  expect(follows.length).toBeLessThan(6);
});
