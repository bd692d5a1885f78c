import type { Draft, Emit, ModelDelta } from "./ports.ts";

/** Whose words they are: the place that everything said carries. */
export type Place = { readonly thread_id: string; readonly task_id: string; readonly agent_name: string };

/**
 * Turns deltas into events: reasoning between `reasoning_started` and `reasoning_completed`, text as
 * chunks. Blank text before the first word is held back: a model may clear its throat before a tool call.
 */
export class Voice {
  readonly #place: Place;
  readonly #emit: Emit;
  #isReasoning = false;
  #blank = "";
  #hasSpoken = false;

  constructor(place: Place, emit: Emit) {
    this.#place = place;
    this.#emit = emit;
  }

  /** Opens a stretch of reasoning before there is any: the reader sees that somebody thinks. */
  think(): void {
    if (this.#isReasoning) return;
    this.#isReasoning = true;
    this.#emit({ event: "reasoning_started", data: this.#data() });
  }

  readonly hear = (delta: ModelDelta): void => {
    if (delta.type === "reasoning") {
      this.think();
      this.#emit({ event: "reasoning", data: { ...this.#data(), payload: { content: delta.text } } });
      return;
    }
    const text = this.#blank + delta.text;
    if (!this.#hasSpoken && text.trim() === "") {
      this.#blank = text;
      return;
    }
    this.#blank = "";
    this.#hasSpoken = true;
    this.#emit(...this.end(), { event: "message_chunk", data: { ...this.#data(), payload: { content: text } } });
  };

  /** The events that close what is open. */
  end(): Draft[] {
    if (!this.#isReasoning) return [];
    this.#isReasoning = false;
    return [{ event: "reasoning_completed", data: this.#data() }];
  }

  /** Forgets what was said: it has been taken back. */
  restart(): void {
    this.#isReasoning = false;
    this.#blank = "";
    this.#hasSpoken = false;
  }

  #data(): Place & { role: "agent" } {
    return { ...this.#place, role: "agent" };
  }
}
