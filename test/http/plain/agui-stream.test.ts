// The stream of a run when what is behind it breaks off, rests, or is not what it seemed.

import { describe, expect, test } from "vitest";
import type { StartedRun } from "../../../src/http/agui/start-run.ts";
import type { RunEvent } from "../../../src/http/agui/agui-events.ts";
import { parseRunInput } from "../../../src/http/agui/run-input.ts";
import { streamRun } from "../../../src/http/agui/run-stream.ts";
import type { Operations } from "../../../src/http/operations/operations.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import type { PendingQuestion } from "../../../src/protocol/wire/question.ts";

const THREAD = "th-1";
const inThread = { conversation_id: "c", thread_id: THREAD, task_id: "task-1" };
const said = (seq: number): Frame =>
  ({
    seq,
    event: "thread_started",
    data: { ...inThread, item_id: "said", role: "user", payload: { content: "Hi" } },
  }) as Frame;
const word = (seq: number, content: string): Frame =>
  ({
    seq,
    event: "message_chunk",
    data: { ...inThread, item_id: "item-1", role: "agent", payload: { content } },
  }) as Frame;
const done = (seq: number): Frame =>
  ({ seq, event: "done", data: { ...inThread, item_id: "done", role: "system" } }) as Frame;
const answered = (seq: number): Frame =>
  ({
    seq,
    event: "message",
    data: { ...inThread, item_id: "answer", role: "user", payload: { content: "Oslo" } },
  }) as Frame;

/** Frames, and then how it goes on: to its end, with an error, or not at all. */
type Leg = { readonly frames: readonly Frame[]; readonly ending: "end" | "break" | "wait" };

/** Follows as many legs as are asked for, the last one again and again. */
function verbsOf(legs: readonly (Leg | Fault)[], pending: readonly PendingQuestion[] = []) {
  const asked: number[] = [];
  let left = 0;
  const follow = (_id: string, after: number): Promise<ReadableStream<Uint8Array>> => {
    const leg = legs[Math.min(asked.length, legs.length - 1)];
    asked.push(after);
    if (leg === undefined || leg instanceof Fault) return Promise.reject(leg ?? new Error("There is no leg"));
    const lines = leg.frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(lines)),
      pull(controller) {
        if (leg.ending === "end") controller.close();
        if (leg.ending === "break") controller.error(new Error("The host is gone"));
      },
      cancel: () => void (left += 1),
    });
    return Promise.resolve(stream);
  };
  const verbs = { follow, context: () => Promise.resolve({ pending }), items: () => Promise.resolve([]) };
  return { verbs: verbs as unknown as Operations, asked, left: () => left };
}

const input = parseRunInput({ threadId: "c", runId: "r", messages: [{ id: "m", role: "user", content: "Hi" }] });
const sent: StartedRun = { thread: THREAD, since: 5, isMessage: true, isFirst: false, rejectedAnswers: [] };

async function heard(lines: ReadableStream<Uint8Array>): Promise<RunEvent[]> {
  const text = await new Response(lines).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RunEvent);
}

const textIn = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? event.delta : "")).join("");

describe("a run", () => {
  test("[T4] goes on where it broke off, whatever is told again", async () => {
    const { verbs, asked } = verbsOf([
      { frames: [said(5), word(6, "a")], ending: "break" },
      { frames: [word(6, "a"), word(7, "b")], ending: "break" },
      { frames: [word(9, "c"), done(10)], ending: "end" },
    ]);
    const events = await heard(streamRun(verbs, input, sent));
    expect(asked).toEqual([4, 6, 7]);
    expect(textIn(events)).toBe("abc");
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  });

  test("goes on when it rests no more by the time that somebody looks", async () => {
    const { verbs, asked } = verbsOf([
      { frames: [said(5)], ending: "end" },
      { frames: [word(6, "a"), done(7)], ending: "end" },
    ]);
    expect(textIn(await heard(streamRun(verbs, input, sent)))).toBe("a");
    expect(asked).toEqual([4, 5]);
  });

  test("ends with the questions that it rests on, and no others", async () => {
    const mine = { request_id: "req-1", thread_id: THREAD, prompt: "Which?", expires_at: 0 };
    const pending = [{ ...mine, request_id: "req-0", thread_id: "th-0" }, mine];
    const { verbs } = verbsOf([{ frames: [said(5), word(6, "a")], ending: "end" }], pending);
    const last = (await heard(streamRun(verbs, input, sent))).at(-1);
    expect(last).toMatchObject({ outcome: { interrupts: [{ id: "req-1", expiresAt: "1970-01-01T00:00:00.000Z" }] } });
    expect((last as unknown as { outcome: { interrupts: object[] } }).outcome.interrupts).toHaveLength(1);
  });

  test("that was taken as an answer knows what was before it, and does not tell it again", async () => {
    const { verbs, asked } = verbsOf([
      { frames: [answered(5), word(6, "new")], ending: "wait" },
      { frames: [said(2), word(3, "old"), answered(5), word(6, "new"), done(7)], ending: "end" },
    ]);
    const events = await heard(streamRun(verbs, input, sent));
    expect(asked).toEqual([4, 0]);
    expect(textIn(events)).toBe("new");
  });

  test("says in words that it cannot be read any more", async () => {
    const gone = new Fault("not_found", "There is no such conversation.");
    const { verbs } = verbsOf([{ frames: [said(5), word(6, "a")], ending: "break" }, gone]);
    const events = await heard(streamRun(verbs, input, sent));
    expect(events.slice(-3)).toEqual([
      { type: "TEXT_MESSAGE_END", messageId: "item-1" },
      { type: "STEP_FINISHED", stepName: "triage" },
      { type: "RUN_ERROR", code: "not_found", message: "There is no such conversation." },
    ]);
  });

  test("lets go of the thread when its reader leaves while nothing comes", async () => {
    const { verbs, left } = verbsOf([{ frames: [said(5)], ending: "wait" }]);
    const reader = streamRun(verbs, input, sent).getReader();
    await reader.read();
    await reader.read();
    void reader.read();
    // By now it waits for the thread.
    await new Promise((resolve) => setTimeout(resolve, 10));
    await reader.cancel();
    expect(left()).toBe(1);
  });

  test("with nothing to follow is over at once", async () => {
    expect((await heard(streamRun(verbsOf([]).verbs, input, null))).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED",
    ]);
  });
});
