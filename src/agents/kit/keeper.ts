import { MAX_STATE_CHARS } from "../../protocol/agent.ts";
import type { Said } from "./agent.ts";
import { checkpoint } from "./ask.ts";

/** Bytes of all checkpoints of a run. They count towards what an agent may send (`AGENT_MAX_BYTES`): half is for what it says. */
const MAX_BYTES = 512 * 1024;

/** Gives a checkpoint where something has come since the last one. */
export class Keeper {
  #last: string | undefined;
  #bytes = 0;
  #isUpToDate = true;

  constructor(last: string | undefined) {
    this.#last = last;
  }

  /** Whether nothing that has come is missing from the last checkpoint. */
  get isUpToDate(): boolean {
    return this.#isUpToDate;
  }

  *keep(state: unknown): Generator<Said> {
    const said = checkpoint(state);
    if (said.type !== "checkpoint" || said.state === this.#last) return;
    this.#last = said.state;
    this.#bytes += new TextEncoder().encode(said.state).length;
    this.#isUpToDate = this.#bytes <= MAX_BYTES && said.state.length <= MAX_STATE_CHARS;
    if (this.#isUpToDate) yield said;
  }
}
