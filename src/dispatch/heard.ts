import type { AgentEvent } from "../protocol/agent.ts";

/**
 * How far an agent has told the events that its task lists, so that a look at the task tells none again. The list has
 * neither checkpoints nor what was taken back; what was used stays in it.
 */
export class Heard {
  #firm = 0;
  #usage = 0;
  #others = 0;

  note({ type }: AgentEvent): void {
    switch (type) {
      case "checkpoint":
        this.#firm += this.#usage + this.#others;
        this.#usage = 0;
        this.#others = 0;
        break;
      case "retracted":
        this.#others = 0;
        break;
      case "usage":
        this.#usage += 1;
        break;
      default:
        this.#others += 1;
    }
  }

  newIn(list: readonly AgentEvent[]): readonly AgentEvent[] {
    return list.slice(this.#firm + this.#usage + this.#others);
  }
}
