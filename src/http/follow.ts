// A thread, followed to where it ends or rests, over the deaths of its host.

import { Fault } from "../protocol/fault.ts";
import type { Frame } from "../protocol/events.ts";
import type { Pending } from "../protocol/question.ts";
import { portionsOf } from "./frames.ts";
import type { Verbs } from "./verbs.ts";

/** How often, and after which pause, a thread is taken up again that has broken off without anything new. */
const MOST_TRIES = 40;
const PAUSE_MS = 250;

export type Followed =
  | { readonly kind: "frames"; readonly frames: readonly Frame[] }
  | { readonly kind: "resting"; readonly questions: readonly Pending[] };

/**
 * The frames of a thread after `after`, up to its `done` or to the questions that it rests on; `first` is where they are
 * read from at first, if that is open already. Aborting the signal ends it and stops none of the work. Throws a `Fault`
 * when the thread cannot be read.
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
      // The conversation's host is gone; it comes back with all that it had stored.
      if (thrown instanceof Fault) throw thrown;
    }
    lines = undefined;
    if (after > before) tries = 0;
    await pause();
  }
  if (left.aborted) return;
  throw lost();
}

/** What is read of a conversation, also where its host is gone for a moment. Throws a `Fault` when it cannot be read. */
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
