// Streams a run as lines of JSON.
//
// State of one stream: the generator of its events and the abort controller of its log stream. Events are produced on
// demand, one batch per pull. Cancelling the stream aborts reading only; the thread continues.

import { toFault } from "../../protocol/fault.ts";
import type { Verbs } from "../verbs.ts";
import type { Begun } from "./begin.ts";
import type { Message, RunEvent } from "./events.ts";
import { follow } from "../follow.ts";
import { historyOf } from "./history.ts";
import { finishedOf, Run, startedOf } from "./run.ts";
import { lastWords, type RunInput } from "./input.ts";

const utf8 = new TextEncoder();

/**
 * Returns the events of a run, one JSON object per line. Never errors: a failure becomes a `RUN_ERROR` event. `started`
 * is null for a run without a thread.
 */
export function linesOf(verbs: Verbs, input: RunInput, begun: Begun | null): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const events = begun === null ? nothing(input) : eventsOf(verbs, input, begun, left.signal);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) return controller.close();
      controller.enqueue(utf8.encode(value.map((event) => `${JSON.stringify(event)}\n`).join("")));
    },
    async cancel() {
      left.abort();
      await events.return();
    },
  });
}

/** Yields the events of a run that has nothing to do. */
async function* nothing(input: RunInput): AsyncGenerator<readonly RunEvent[], void> {
  yield [startedOf(input), finishedOf(input, { type: "success" })];
}

/** Yields the events of a run in batches. */
async function* eventsOf(
  verbs: Verbs,
  input: RunInput,
  begun: Begun,
  left: AbortSignal,
): AsyncGenerator<readonly RunEvent[], void> {
  const { thread, since, isMessage, isFirst, late } = begun;
  const place = { thread, since: isFirst ? 0 : since, isOwnAnswer: isMessage };
  const missing = isMessage && !isFirst && isEmptyHanded(input) ? await earlier(verbs, input, thread) : [];
  const messages = missing.length === 0 ? input.messages : withHistory(input, missing, thread);
  let run = new Run(input, place, messages);
  yield [...run.opening(), ...late.map((value): RunEvent => ({ type: "CUSTOM", name: "answer_not_taken", value }))];
  if (missing.length > 0) yield [{ type: "MESSAGES_SNAPSHOT", messages }];
  // Start at the message. If it was accepted as an answer, the thread has earlier events, and reading starts again from
  // 0 with a new encoder.
  let after = isMessage && !isFirst ? since - 1 : 0;
  try {
    for (;;) {
      let isAnswer = false;
      for await (const heard of follow(verbs, { id: input.threadId, thread, after }, left)) {
        if (heard.kind === "resting") {
          yield run.resting(heard.questions);
          return;
        }
        const [first] = heard.frames;
        isAnswer = after > 0 && first?.seq === since && first.event === "message";
        if (isAnswer) break;
        const told = heard.frames.flatMap((frame) => run.hear(frame));
        if (told.length > 0) yield told;
        if (run.isOver) return;
      }
      if (!isAnswer) return;
      after = 0;
      run = new Run(input, place, messages);
    }
  } catch (thrown) {
    const { code, message } = toFault(thrown);
    if (code === "internal") console.error("A run broke off", thrown);
    yield run.breaking(code, message);
  }
}

/** True if the client has sent nothing but its new message. */
function isEmptyHanded(input: RunInput): boolean {
  const { at } = lastWords(input);
  return (
    !input.messages.some(({ role }, i) => i < at && /^(user|assistant)$/.test(role)) && at === input.messages.length - 1
  );
}

/**
 * Inserts the history before the last message. The message gets another id: clients keep known ids where they are, and
 * would show it before the history.
 */
function withHistory({ messages }: RunInput, history: readonly Message[], thread: string): Message[] {
  const last = messages.at(-1);
  return [...messages.slice(0, -1), ...history, ...(last === undefined ? [] : [{ ...last, id: `${thread}.message` }])];
}

/** Loads the history. A failure is ignored, because the run does not depend on it. */
async function earlier(verbs: Verbs, { threadId }: RunInput, thread: string): Promise<Message[]> {
  return historyOf(verbs, threadId, thread).catch(() => []);
}
