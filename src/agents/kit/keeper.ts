import type { Said } from "./agent.ts";
import { checkpoint } from "./ask.ts";

/** Bytes of all checkpoints of a run. They count towards what an agent may send (`AGENT_MAX_BYTES`): half is for what it says. */
const MAX_BYTES = 512 * 1024;

/** Gives a checkpoint where something has come since the last one. */
export class Keeper {
  #last: string | undefined;
  #bytes = 0;

  constructor(last: string | undefined) {
    this.#last = last;
  }

  *keep(state: unknown): Generator<Said> {
    const said = checkpoint(state);
    if (said.type !== "checkpoint" || said.state === this.#last) return;
    this.#last = said.state;
    this.#bytes += new TextEncoder().encode(said.state).length;
    if (this.#bytes <= MAX_BYTES) yield said;
  }
}
