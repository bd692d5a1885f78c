// Recognizes repeated events of an agent with our extension: its stream sends each event, and its task object lists the
// same events again.
//
// Owns the events that were received in one exchange. After `retracted`, the agent sends its output since the last
// `checkpoint` again, so these events are forgotten and count as new. Usage stays, as it does in the agent's
// own list.

import type { AgentEvent } from "../protocol/agents/agent.ts";

/** The events that were received in one exchange. */
export class EventDedup {
  #events: AgentEvent[] = [];
  /** The number of events at the last checkpoint. */
  #committedCount = 0;

  /** Records a received event. Call it for every event, in order, also for `checkpoint` and `retracted`. */
  record(event: AgentEvent): void {
    if (event.type === "checkpoint") this.#committedCount = this.#events.length;
    else if (event.type === "retracted")
      this.#events = this.#events.filter(({ type }, i) => i < this.#committedCount || type === "usage");
    else this.#events.push(event);
  }

  /**
   * Returns the events of a list without those that were recorded; records nothing. If an event was recorded n times,
   * its first n occurrences in the list are left out. `checkpoint` and `retracted` are never left out.
   */
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
