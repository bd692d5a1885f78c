// Streams the events of a run: follows its thread, also across failures of the host.

import { toFault } from "../../protocol/wire/fault.ts";
import type { Operations } from "../api/operations.ts";
import type { StartedRun } from "./start-run.ts";
import type { AgUiMessage, RunEvent } from "./agui-events.ts";
import { followWithRetry } from "../follow-thread.ts";
import { toMessages } from "./agui-messages.ts";
import { toRunFinished, RunEncoder, toRunStarted } from "./run-encoder.ts";
import { findUserMessage, type RunInput } from "./run-input.ts";

/**
 * Yields the events of a run in batches. Never throws: a failure becomes a `RUN_ERROR` event. `started` is null for a
 * run without a thread, which starts and finishes at once. An abort of the signal ends the reading only; the thread
 * continues.
 */
export async function* streamRun(
  operations: Operations,
  input: RunInput,
  started: StartedRun | null,
  signal: AbortSignal,
): AsyncGenerator<readonly RunEvent[], void> {
  if (started !== null) return yield* streamEvents(operations, input, started, signal);
  yield [toRunStarted(input), toRunFinished(input, { type: "success" })];
}

async function* streamEvents(
  operations: Operations,
  input: RunInput,
  started: StartedRun,
  disconnectSignal: AbortSignal,
): AsyncGenerator<readonly RunEvent[], void> {
  const { thread, since, isMessage, isFirst, rejectedAnswers } = started;
  const position = { thread, since: isFirst ? 0 : since, isOwnAnswer: isMessage };
  const history = isMessage && !isFirst && hasOnlyNewMessage(input) ? await loadHistory(operations, input, thread) : [];
  const messages = history.length === 0 ? input.messages : withHistory(input, history, thread);
  let run = new RunEncoder(input, position, messages);
  yield [
    ...run.encodeOpening(),
    ...rejectedAnswers.map((value): RunEvent => ({ type: "CUSTOM", name: "answer_not_taken", value })),
  ];
  if (history.length > 0) yield [{ type: "MESSAGES_SNAPSHOT", messages }];
  // Start at the message. If it was accepted as an answer, the thread has earlier events, and reading starts again from
  // 0 with a new encoder.
  let after = isMessage && !isFirst ? since - 1 : 0;
  try {
    for (;;) {
      let isAnswer = false;
      for await (const update of followWithRetry(operations, { id: input.threadId, thread, after }, disconnectSignal)) {
        if (update.kind === "resting") {
          yield run.encodeInterrupts(update.questions);
          return;
        }
        const [first] = update.frames;
        isAnswer = after > 0 && first?.seq === since && first.event === "message";
        if (isAnswer) break;
        const encoded = update.frames.flatMap((frame) => run.encode(frame));
        if (encoded.length > 0) yield encoded;
        if (run.isOver) return;
      }
      if (!isAnswer) return;
      after = 0;
      run = new RunEncoder(input, position, messages);
    }
  } catch (thrown) {
    const { code, message } = toFault(thrown);
    if (code === "internal") console.error("A run broke off", thrown);
    yield run.encodeError(code, message);
  }
}

/** True if the client has sent nothing but its new message. */
function hasOnlyNewMessage(input: RunInput): boolean {
  const { at } = findUserMessage(input);
  return (
    !input.messages.some(({ role }, i) => i < at && /^(user|assistant)$/.test(role)) && at === input.messages.length - 1
  );
}

/**
 * Inserts the history before the last message. The message gets another id: clients keep known ids where they are, and
 * would show it before the history.
 */
function withHistory({ messages }: RunInput, history: readonly AgUiMessage[], thread: string): AgUiMessage[] {
  const last = messages.at(-1);
  return [...messages.slice(0, -1), ...history, ...(last === undefined ? [] : [{ ...last, id: `${thread}.message` }])];
}

/** The maximum size of the history as JSON in UTF-16 units. The oldest messages are left out first. */
const MAX_HISTORY_CHARS = 256 * 1024;

/**
 * Returns the messages of all threads of the conversation except `thread`, oldest first: the newest ones that fit
 * `MAX_HISTORY_CHARS`. After a failure it returns none, because the run does not depend on them.
 */
async function loadHistory(operations: Operations, { threadId }: RunInput, thread: string): Promise<AgUiMessage[]> {
  const newest: AgUiMessage[][] = [];
  let left = MAX_HISTORY_CHARS;
  for (const item of (await operations.items({ id: threadId }).catch(() => [])).toReversed()) {
    if (item.thread_id === thread) continue;
    const messages = toMessages(item);
    left -= JSON.stringify(messages).length;
    if (left < 0) break;
    newest.push(messages);
  }
  return newest.toReversed().flat();
}
