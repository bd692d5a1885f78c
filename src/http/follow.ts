// Follows a thread until it ends or waits for an answer, across failures of the conversation's host.
//
// State of one call: `after`, the `seq` of the last frame that was yielded. A broken stream is opened again after it,
// so every frame is yielded exactly once and in order. The number of attempts is limited only while there is no
// progress.

import { Fault } from "../protocol/fault.ts";
import type { Frame } from "../protocol/events.ts";
import type { Pending } from "../protocol/question.ts";
import { portionsOf } from "./frames.ts";
import type { Verbs } from "./verbs.ts";

/** Maximum attempts without a new frame, and the pause before each further attempt. */
const MOST_TRIES = 40;
const PAUSE_MS = 250;

/** A batch of frames, or the open questions of a thread that waits for them. */
export type Followed =
  | { readonly kind: "frames"; readonly frames: readonly Frame[] }
  | { readonly kind: "resting"; readonly questions: readonly Pending[] };

/**
 * Yields the frames of a thread with a `seq` greater than `after`, up to its `done`, or up to the questions that it
 * waits for. `first` is the stream of the first attempt if it is already open. An abort of the signal, or leaving the
 * loop, ends the generator but not the work of the thread. Throws a `Fault` if the thread cannot be read.
 */
export async function* follow(
  verbs: Verbs,
  { id, thread, after: from }: { readonly id: string; readonly thread: string; readonly after: number },
  left: AbortSignal,
  first?: ReadableStream<Uint8Array>,
): AsyncGenerator<Followed, void> {
  let after = from;
  let lines = first;
  for (let tries = 0; tries < MOST_TRIES && !left.aborted; tries++) {
    const before = after;
    try {
      lines ??= await verbs.follow(id, after, thread);
      for await (const portion of portionsOf(lines, left)) {
        const frames = portion.filter(({ seq }) => seq > after);
        after = frames.at(-1)?.seq ?? after;
        yield { kind: "frames", frames };
        if (frames.at(-1)?.event === "done") return;
      }
      if (left.aborted) return;
      const { pending } = await verbs.context(id);
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
    if (after > before) tries = 0;
    await pause();
  }
  if (left.aborted) return;
  throw lost();
}

/**
 * Repeats a read while the host of the conversation fails. Throws a `Fault` at once if the read throws one, and
 * `unavailable` after the last attempt or an abort.
 */
export async function patiently<T>(read: () => Promise<T>, left: AbortSignal, tries = 1): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    if (left.aborted || tries >= MOST_TRIES) throw lost();
  }
  await pause();
  return patiently(read, left, tries + 1);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

function lost(): Fault {
  return new Fault("unavailable", "The conversation cannot be read right now. Its work goes on; please look again.");
}
