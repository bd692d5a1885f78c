import type { AgentEvent } from "../protocol/agent.ts";

/** What an agent has told of the events that its task lists, all or some of them: a look at the task tells none again. */
export class Heard {
  #events: AgentEvent[] = [];
  /** So many stay when the agent takes back what it said since; what was used stays anyway. */
  #firm = 0;

  note(event: AgentEvent): void {
    if (event.type === "checkpoint") this.#firm = this.#events.length;
    else if (event.type === "retracted")
      this.#events = this.#events.filter(({ type }, i) => i < this.#firm || type === "usage");
    else this.#events.push(event);
  }

  newIn(list: readonly AgentEvent[]): readonly AgentEvent[] {
    const times = new Map<string, number>();
    for (const event of this.#events.map((one) => JSON.stringify(one))) times.set(event, (times.get(event) ?? 0) + 1);
    return list.filter((one) => {
      const event = JSON.stringify(one);
      const left = times.get(event) ?? 0;
      times.set(event, left - 1);
      return left <= 0;
    });
  }
}
