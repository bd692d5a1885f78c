// Recognizes events that a task repeats. It owns the events that an agent with our extension has sent in this
// exchange. A `checkpoint` makes them permanent; `retracted` removes those since the last checkpoint, except usage.

import type { AgentEvent } from "../protocol/agents/agent.ts";

/** Counts the events of an exchange, so that the list in a task repeats none of them. */
export class EventDedup {
  #events: AgentEvent[] = [];
  /** The number of events at the last checkpoint. */
  #committedCount = 0;

  /** Records an event. Must be called for every event, in order. */
  record(event: AgentEvent): void {
    if (event.type === "checkpoint") this.#committedCount = this.#events.length;
    else if (event.type === "retracted")
      this.#events = this.#events.filter(({ type }, i) => i < this.#committedCount || type === "usage");
    else this.#events.push(event);
  }

  /** Returns the events of a list that have not been recorded. Equal events count as often as they occur. */
  filterNew(list: readonly AgentEvent[]): readonly AgentEvent[] {
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
