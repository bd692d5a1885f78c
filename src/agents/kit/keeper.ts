// Emits the checkpoints of one run. It owns the last state and the number of bytes emitted so far.
//
// A checkpoint is emitted only if the state has changed. If all checkpoints of the run exceed `MAX_CHECKPOINT_BYTES`,
// or the state exceeds `MAX_STATE_CHARS`, nothing is emitted and `isUpToDate` is false. Output must not be retracted
// while it is false, because a retraction returns to the last emitted checkpoint.

import { MAX_STATE_CHARS } from "../../protocol/agent.ts";
import type { Said } from "./agent.ts";
import { checkpoint } from "./ask.ts";

/**
 * Maximum bytes of all checkpoints of a run. They count towards `AGENT_MAX_BYTES`; the other half remains for output.
 */
const MAX_BYTES = 512 * 1024;

/** Yields a checkpoint event whenever the state has changed. */
export class Keeper {
  #last: string | undefined;
  #bytes = 0;
  #isUpToDate = true;

  constructor(last: string | undefined) {
    this.#last = last;
  }

  /** True if the last checkpoint contains everything so far. */
  get isUpToDate(): boolean {
    return this.#isUpToDate;
  }

  /** Yields one checkpoint event, or nothing if the state is unchanged or too large. */
  *keep(state: unknown): Generator<Said> {
    const said = checkpoint(state);
    if (said.type !== "checkpoint" || said.state === this.#last) return;
    this.#last = said.state;
    this.#bytes += new TextEncoder().encode(said.state).length;
    this.#isUpToDate = this.#bytes <= MAX_BYTES && said.state.length <= MAX_STATE_CHARS;
    if (this.#isUpToDate) yield said;
  }
}
