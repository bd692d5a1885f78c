// The stream of a run when its source breaks off, waits, or differs from the expectation.

import { describe, expect, test } from "vitest";
import type { StartedRun } from "../../../src/http/agui/start-run.ts";
import type { RunEvent } from "../../../src/http/agui/agui-events.ts";
import { parseRunInput } from "../../../src/http/agui/run-input.ts";
import { streamRun } from "../../../src/http/agui/run-stream.ts";
import type { Operations } from "../../../src/http/api/operations.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import type { PendingQuestion } from "../../../src/protocol/wire/question.ts";

const THREAD = "th-1";
const scope = { conversation_id: "c", thread_id: THREAD, task_id: "task-1" };
const createUserFrame = (seq: number): Frame =>
  ({
    seq,
    event: "thread_started",
    data: { ...scope, item_id: "said", role: "user", payload: { content: "Hi" } },
  }) as Frame;
const createTextFrame = (seq: number, content: string): Frame =>
  ({
    seq,
    event: "message_chunk",
    data: { ...scope, item_id: "item-1", role: "agent", payload: { content } },
  }) as Frame;
const createDoneFrame = (seq: number): Frame =>
  ({ seq, event: "done", data: { ...scope, item_id: "done", role: "system" } }) as Frame;
const createAnswerFrame = (seq: number): Frame =>
  ({
    seq,
    event: "message",
    data: { ...scope, item_id: "answer", role: "user", payload: { content: "Oslo" } },
  }) as Frame;

/** Frames, and how the stream continues after them: it ends, fails, or stays open. */
type StreamPart = { readonly frames: readonly Frame[]; readonly ending: "end" | "break" | "wait" };

/** Creates operations that return one stream part per call; the last one is repeated. */
function createOperations(parts: readonly (StreamPart | Fault)[], pending: readonly PendingQuestion[] = []) {
  const requestedAfter: number[] = [];
  let cancelCount = 0;
  const follow = ({ query: { after } }: { query: { after: number } }): Promise<ReadableStream<Uint8Array>> => {
    const part = parts[Math.min(requestedAfter.length, parts.length - 1)];
    requestedAfter.push(after);
    if (part === undefined || part instanceof Fault) return Promise.reject(part ?? new Error("There is no leg"));
    const lines = part.frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(lines)),
      pull(controller) {
        if (part.ending === "end") controller.close();
        if (part.ending === "break") controller.error(new Error("The host is gone"));
      },
      cancel: () => void (cancelCount += 1),
    });
    return Promise.resolve(stream);
  };
  const operations = { follow, context: () => Promise.resolve({ pending }), items: () => Promise.resolve([]) };
  return { operations: operations as unknown as Operations, requestedAfter, getCancelCount: () => cancelCount };
}

const RUN_INPUT = parseRunInput({ threadId: "c", runId: "r", messages: [{ id: "m", role: "user", content: "Hi" }] });
const STARTED_RUN: StartedRun = { thread: THREAD, since: 5, isMessage: true, isFirst: false, rejectedAnswers: [] };

async function collectEvents(operations: Operations, started: StartedRun | null = STARTED_RUN): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  const batches = streamRun(operations, RUN_INPUT, started, new AbortController().signal);
  for await (const batch of batches) events.push(...batch);
  return events;
}

const joinText = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : "")).join("");

describe("the stream of a run", () => {
  test("[T4] continues where it broke off and skips repeated frames", async () => {
    const { operations, requestedAfter } = createOperations([
      { frames: [createUserFrame(5), createTextFrame(6, "a")], ending: "break" },
      { frames: [createTextFrame(6, "a"), createTextFrame(7, "b")], ending: "break" },
      { frames: [createTextFrame(9, "c"), createDoneFrame(10)], ending: "end" },
    ]);
    const events = await collectEvents(operations);
    expect(requestedAfter).toEqual([4, 6, 7]);
    expect(joinText(events)).toBe("abc");
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  });

  test("continues when the thread no longer waits at the time of the check", async () => {
    const { operations, requestedAfter } = createOperations([
      { frames: [createUserFrame(5)], ending: "end" },
      { frames: [createTextFrame(6, "a"), createDoneFrame(7)], ending: "end" },
    ]);
    expect(joinText(await collectEvents(operations))).toBe("a");
    expect(requestedAfter).toEqual([4, 5]);
  });

  test("ends with the open questions of its own thread", async () => {
    const ownQuestion = { request_id: "req-1", thread_id: THREAD, prompt: "Which?", expires_at: 0 };
    const pending = [{ ...ownQuestion, request_id: "req-0", thread_id: "th-0" }, ownQuestion];
    const { operations } = createOperations(
      [{ frames: [createUserFrame(5), createTextFrame(6, "a")], ending: "end" }],
      pending,
    );
    const last = (await collectEvents(operations)).at(-1);
    expect(last).toMatchObject({ outcome: { interrupts: [{ id: "req-1", expiresAt: "1970-01-01T00:00:00.000Z" }] } });
    expect((last as unknown as { outcome: { interrupts: object[] } }).outcome.interrupts).toHaveLength(1);
  });

  test("of an answer reads earlier frames without repeating them", async () => {
    const { operations, requestedAfter } = createOperations([
      { frames: [createAnswerFrame(5), createTextFrame(6, "new")], ending: "wait" },
      {
        frames: [
          createUserFrame(2),
          createTextFrame(3, "old"),
          createAnswerFrame(5),
          createTextFrame(6, "new"),
          createDoneFrame(7),
        ],
        ending: "end",
      },
    ]);
    const events = await collectEvents(operations);
    expect(requestedAfter).toEqual([4, 0]);
    expect(joinText(events)).toBe("new");
  });

  test("ends with an error event when the thread can no longer be read", async () => {
    const notFound = new Fault("not_found", "Conversation not found.");
    const { operations } = createOperations([
      { frames: [createUserFrame(5), createTextFrame(6, "a")], ending: "break" },
      notFound,
    ]);
    const events = await collectEvents(operations);
    expect(events.slice(-3)).toEqual([
      { type: "TEXT_MESSAGE_END", messageId: "item-1" },
      { type: "STEP_FINISHED", stepName: "triage" },
      { type: "RUN_ERROR", code: "not_found", message: "Conversation not found." },
    ]);
  });

  test("releases the thread when its reader leaves while it waits", async () => {
    const { operations, getCancelCount } = createOperations([{ frames: [createUserFrame(5)], ending: "wait" }]);
    const disconnect = new AbortController();
    const events = streamRun(operations, RUN_INPUT, STARTED_RUN, disconnect.signal);
    await events.next();
    await events.next();
    const end = events.next();
    // By now it waits for the thread.
    await new Promise((resolve) => setTimeout(resolve, 10));
    disconnect.abort();
    expect((await end).done).toBe(true);
    expect(getCancelCount()).toBe(1);
  });

  test("without a thread ends at once", async () => {
    expect((await collectEvents(createOperations([]).operations, null)).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED",
    ]);
  });
});
