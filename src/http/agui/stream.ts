// A run as the lines of an event stream.

import { toFault } from "../../protocol/fault.ts";
import type { Verbs } from "../verbs.ts";
import type { Begun } from "./begin.ts";
import type { Message, RunEvent } from "./events.ts";
import { follow } from "../follow.ts";
import { historyOf } from "./history.ts";
import { finishedOf, Run, startedOf } from "./run.ts";
import { lastWords, type RunInput } from "./input.ts";

const utf8 = new TextEncoder();

/** One event per line. Leaving it stops none of the work. */
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

async function* nothing(input: RunInput): AsyncGenerator<readonly RunEvent[], void> {
  yield [startedOf(input), finishedOf(input, { type: "success" })];
}

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
  // What was said may have been taken as an answer: then the thread has a beginning before it.
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

/** A client that has nothing but what it says now. */
function isEmptyHanded(input: RunInput): boolean {
  const { at } = lastWords(input);
  return (
    !input.messages.some(({ role }, i) => i < at && /^(user|assistant)$/.test(role)) && at === input.messages.length - 1
  );
}

/** Clients leave what they have where it is: only under another id does the message come to stand after the history. */
function withHistory({ messages }: RunInput, history: readonly Message[], thread: string): Message[] {
  const last = messages.at(-1);
  return [...messages.slice(0, -1), ...history, ...(last === undefined ? [] : [{ ...last, id: `${thread}.message` }])];
}

/** Without the history it goes on as well. */
async function earlier(verbs: Verbs, { threadId }: RunInput, thread: string): Promise<Message[]> {
  return historyOf(verbs, threadId, thread).catch(() => []);
}
