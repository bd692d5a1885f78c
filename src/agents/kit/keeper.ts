import type { Said } from "./agent.ts";
import { checkpoint } from "./ask.ts";

/** UTF-16 units of all checkpoints of a run: they count towards what an agent may send. */
const MAX_CHARS = 1024 * 1024;

/** Gives a checkpoint where something has come since the last one. */
export class Keeper {
  #last: string | undefined;
  #chars = 0;

  constructor(last: string | undefined) {
    this.#last = last;
  }

  *keep(state: unknown): Generator<Said> {
    const said = checkpoint(state);
    if (said.type !== "checkpoint" || said.state === this.#last) return;
    this.#last = said.state;
    this.#chars += said.state.length;
    if (this.#chars <= MAX_CHARS) yield said;
  }
}
