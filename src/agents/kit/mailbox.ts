// A queue from one writer to one reader. It owns the events that wait.
//
// M1. Order is kept; only neighbours of the same kind (text, reasoning) are joined.
// M2. After `close` the reader still gets the events that were pushed before, then the end.
//
// The writer pushes an event, then awaits `waitForSpace` if that returns a promise. Events pushed after `close` are
// dropped. Only one reader may wait at a time.

import type { AgentRunEvent } from "./agent.ts";

/** UTF-16 units that may wait before the writer has to wait. */
const MAX_WAITING_CHARS = 64 * 1024;

/**
 * Passes events from a writer to one reader. Text that arrives while the reader is busy is joined, so a fast stream
 * costs the reader one event per read instead of one per token.
 */
export class Mailbox implements AsyncIterable<AgentRunEvent> {
  #queue: AgentRunEvent[] = [];
  #queuedChars = 0;
  #closed = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** Adds an event, or drops it after `close`. Never blocks. */
  push(event: AgentRunEvent): void {
    if (this.#closed) return;
    this.#queuedChars += "text" in event ? event.text.length : 256;
    const last = this.#queue.at(-1);
    if (last !== undefined && (event.type === "text" || event.type === "reasoning") && last.type === event.type) {
      this.#queue[this.#queue.length - 1] = { type: event.type, text: last.text + event.text };
    } else {
      this.#queue.push(event);
    }
    this.#wakeReader?.();
  }

  /**
   * Returns a promise that resolves once `takeBatch` has emptied the queue or the queue is closed; undefined if there
   * is space now or the queue is closed already. Only one caller may wait at a time.
   */
  waitForSpace(): Promise<void> | undefined {
    if (this.#queuedChars < MAX_WAITING_CHARS || this.#closed) return undefined;
    return new Promise((resolve) => (this.#wakeWriter = resolve));
  }

  /** Ends the queue and wakes both sides. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Waits until there are events, then removes and returns all; undefined once the queue is closed and empty. */
  async takeBatch(): Promise<readonly AgentRunEvent[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    const events = this.takeAvailable();
    this.#wakeWriter?.();
    return events;
  }

  /** Removes and returns all events that are queued now, possibly none. Does not wait and does not wake the writer. */
  takeAvailable(): readonly AgentRunEvent[] {
    const events = this.#queue;
    this.#queue = [];
    this.#queuedChars = 0;
    return events;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentRunEvent> {
    for (let events = await this.takeBatch(); events !== undefined; events = await this.takeBatch())
      for (const event of events) yield event;
  }
}
