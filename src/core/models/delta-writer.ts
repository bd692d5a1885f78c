// Writes the deltas of a model or an agent as events of one scope.
//
// Owns the open stretch of reasoning and the leading blank text of one step or task segment. One step creates it and
// calls it; nothing is shared between steps.
// - `reasoning` events stand between `reasoning_started` and `reasoning_completed`; text closes an open stretch first.
// - Blank text before the first word is buffered: a model may send whitespace before a tool call. It is dropped if no
//   word follows.
// - The owner must publish the events of `close()` at the end, and call `reset()` after it has retracted the output.

import type { EventDraft, Emit, ModelDelta } from "../ports.ts";

/** The fields that all events of one task or stage have in common: thread, task and agent. */
export type EventScope = { readonly thread_id: string; readonly task_id: string; readonly agent_name: string };

/** Converts deltas to events and emits them at once. */
export class DeltaWriter {
  readonly #eventScope: EventScope;
  readonly #emit: Emit;
  #isReasoning = false;
  #blank = "";
  #hasWritten = false;

  constructor(eventScope: EventScope, emit: Emit) {
    this.#eventScope = eventScope;
    this.#emit = emit;
  }

  /** True if anything was emitted since the start or the last `reset()`. */
  get hasOutput(): boolean {
    return this.#hasWritten || this.#isReasoning;
  }

  /** Emits `reasoning_started` before the first delta, so that readers see activity. Idempotent while it is open. */
  startReasoning(): void {
    if (this.#isReasoning) return;
    this.#isReasoning = true;
    this.#emit({ event: "reasoning_started", data: this.#data() });
  }

  /**
   * Emits one delta as a `reasoning` or `message_chunk` event; blank text before the first word is held back. A bound
   * function: it may be passed as `onDelta`.
   */
  readonly write = (delta: ModelDelta): void => {
    if (delta.type === "reasoning") {
      this.startReasoning();
      this.#emit({ event: "reasoning", data: { ...this.#data(), payload: { content: delta.text } } });
      return;
    }
    const text = this.#blank + delta.text;
    if (!this.#hasWritten && text.trim() === "") {
      this.#blank = text;
      return;
    }
    this.#blank = "";
    this.#hasWritten = true;
    this.#emit(...this.close(), { event: "message_chunk", data: { ...this.#data(), payload: { content: text } } });
  };

  /** Returns the event that closes the open stretch of reasoning; empty if none is open. The caller publishes it. */
  close(): EventDraft[] {
    if (!this.#isReasoning) return [];
    this.#isReasoning = false;
    return [{ event: "reasoning_completed", data: this.#data() }];
  }

  /** Resets the state after the output was retracted. Emits nothing. */
  reset(): void {
    this.#isReasoning = false;
    this.#blank = "";
    this.#hasWritten = false;
  }

  /** Returns the common data of an event of the agent. */
  #data(): EventScope & { role: "agent" } {
    return { ...this.#eventScope, role: "agent" };
  }
}
