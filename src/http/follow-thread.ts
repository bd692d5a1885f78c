// Follows a thread until it ends or waits for an answer, across failures of the conversation's host.
//
// State of one call: `after`, the `seq` of the last frame that was yielded. A broken stream is opened again after it,
// so every frame is yielded exactly once and in order. The number of attempts is limited only while there is no
// progress.

import { sleep, withRetry } from "../lib/retry.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { Fault } from "../protocol/wire/fault.ts";
import type { Frame } from "../protocol/wire/events.ts";
import type { PendingQuestion, QuestionContext } from "../protocol/wire/question.ts";
import { readFrameBatches } from "./read-frames.ts";

/** Maximum attempts without a new frame, and the pause before each further attempt. */
const MAX_FOLLOW_ATTEMPTS = 40;
const FOLLOW_RETRY_DELAY_MS = 250;

/** The operations with which a thread is followed. */
export type ThreadReader = {
  follow(input: {
    readonly id: string;
    readonly query: { readonly after: number; readonly thread?: string | undefined };
  }): Promise<ReadableStream<Uint8Array>>;
  context(input: { readonly id: string }): Promise<QuestionContext>;
};

/** A batch of frames, possibly empty, or the open questions of a thread that waits for them. */
export type ThreadUpdate =
  | { readonly kind: "frames"; readonly frames: readonly Frame[] }
  | { readonly kind: "resting"; readonly questions: readonly PendingQuestion[] };

/** The thread `thread` of the conversation `id`, after the event with the number `after`. */
export type FollowedThread = {
  readonly id: string;
  readonly thread: string;
  readonly after: number;
  /**
   * True for a thread that waits for an answer, whose continuation is awaited. The log of such a thread ends, so it is
   * read from the log of its conversation.
   */
  readonly isPaused?: boolean;
};

/**
 * Yields the frames of a thread with a `seq` greater than `after`, up to its `done`, or up to the questions that it
 * waits for. `first` is the stream of the first attempt if it is already open. An abort of the signal ends the
 * generator without an error, and does not stop the work of the thread. Throws faults at once, and `unavailable` after
 * 40 attempts without a new frame.
 */
export async function* followWithRetry(
  operations: ThreadReader,
  { id, thread, after: start, isPaused = false }: FollowedThread,
  signal: AbortSignal,
  first?: ReadableStream<Uint8Array>,
): AsyncGenerator<ThreadUpdate, void> {
  let after = start;
  let lines = first;
  for (let attempts = 0; attempts < MAX_FOLLOW_ATTEMPTS && !signal.aborted; attempts++) {
    const attemptStart = after;
    try {
      lines ??= await operations.follow({ id, query: { after, ...(isPaused ? {} : { thread }) } });
      for await (const batch of readFrameBatches(lines, signal)) {
        const known = after;
        const frames = batch.filter(({ seq, data }) => seq > known && isOfThread(data, thread));
        after = Math.max(after, batch.at(-1)?.seq ?? 0);
        yield { kind: "frames", frames };
        if (frames.at(-1)?.event === "done") return;
      }
      if (signal.aborted) return;
      const { pending } = isPaused ? { pending: [] } : await operations.context({ id });
      const questions = pending.filter(({ thread_id }) => thread_id === thread);
      if (questions.length > 0) {
        yield { kind: "resting", questions };
        return;
      }
    } catch (thrown) {
      // Other errors mean that the host of the conversation failed. It restarts with everything that it had stored.
      if (thrown instanceof Fault) throw thrown;
    }
    lines = undefined;
    if (after > attemptStart) attempts = 0;
    await sleep(FOLLOW_RETRY_DELAY_MS);
  }
  if (signal.aborted) return;
  throw createUnreadableFault();
}

function isOfThread(data: Frame["data"], thread: string): boolean {
  return !("thread_id" in data) || data.thread_id === thread;
}

/**
 * Repeats a read every 250 ms while the host of the conversation fails. Throws a `Fault` at once if the read throws
 * one, and `unavailable` after the 40th attempt or an abort.
 */
export async function readWithRetry<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return withRetry(read, (thrown, attempt) => {
    if (thrown instanceof Fault) return null;
    if (signal.aborted || attempt >= MAX_FOLLOW_ATTEMPTS) throw createUnreadableFault();
    return FOLLOW_RETRY_DELAY_MS;
  });
}

function createUnreadableFault(): Fault {
  return createFault("unavailable", "conversation.unreadable");
}
