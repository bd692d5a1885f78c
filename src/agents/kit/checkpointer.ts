// Emits the checkpoints of one run. It owns the last state and the number of bytes emitted so far.
//
// A checkpoint is emitted only if the state has changed. Once the states of the run exceed `MAX_CHECKPOINT_BYTES`
// together, or if the state exceeds `MAX_AGENT_STATE_CHARS`, nothing is emitted and `isUpToDate` is false. Output must
// not be retracted while it is false, because a retraction returns to the last emitted checkpoint.

import { MAX_AGENT_STATE_CHARS } from "../../protocol/agents/agent.ts";
import type { AgentRunEvent } from "./agent.ts";
import { checkpoint } from "./ask.ts";

/**
 * Maximum bytes of all checkpoints of a run. They count towards `AGENT_MAX_BYTES`; the other half remains for output.
 */
const MAX_CHECKPOINT_BYTES = 512 * 1024;

/** Creates the checkpoint events of one run. `lastState` is the checkpoint with which the run started, if any. */
export class Checkpointer {
  #lastState: string | undefined;
  #bytes = 0;
  #isUpToDate = true;

  constructor(lastState: string | undefined) {
    this.#lastState = lastState;
  }

  /** False if the last state passed to `save` was too large to be emitted. */
  get isUpToDate(): boolean {
    return this.#isUpToDate;
  }

  /** Yields one checkpoint event, or nothing if the state is unchanged or too large. `state` is any JSON value. */
  *save(state: unknown): Generator<AgentRunEvent> {
    const event = checkpoint(state);
    if (event.type !== "checkpoint" || event.state === this.#lastState) return;
    this.#lastState = event.state;
    this.#bytes += new TextEncoder().encode(event.state).length;
    this.#isUpToDate = this.#bytes <= MAX_CHECKPOINT_BYTES && event.state.length <= MAX_AGENT_STATE_CHARS;
    if (this.#isUpToDate) yield event;
  }
}
