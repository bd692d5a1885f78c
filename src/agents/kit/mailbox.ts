import type { Said } from "./agent.ts";

/** Text that may wait for its reader before whoever writes has to wait, in UTF-16 units. */
const ROOM = 64 * 1024;

/**
 * Hands events from a writer to one reader. Text that arrives while the reader is busy is joined, so a
 * fast stream costs the reader one event per look and not one per token.
 *
 * M1. Order is kept; only neighbours of the same kind (text, reasoning) are joined.
 * M2. After `close` the reader still gets what was pushed before, then the end.
 */
export class Mailbox implements AsyncIterable<Said> {
  #waiting: Said[] = [];
  #size = 0;
  #closed = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  push(event: Said): void {
    if (this.#closed) return;
    this.#size += "text" in event ? event.text.length : 256;
    const last = this.#waiting.at(-1);
    if (last !== undefined && (event.type === "text" || event.type === "reasoning") && last.type === event.type) {
      this.#waiting[this.#waiting.length - 1] = { type: event.type, text: last.text + event.text };
    } else {
      this.#waiting.push(event);
    }
    this.#wakeReader?.();
  }

  /** Resolves once the reader has made room; undefined when there is room already. */
  room(): Promise<void> | undefined {
    if (this.#size < ROOM || this.#closed) return undefined;
    return new Promise((resolve) => (this.#wakeWriter = resolve));
  }

  close(): void {
    this.#closed = true;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Everything that lies there, once there is something; undefined at the end. */
  async portion(): Promise<readonly Said[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    const events = this.rest();
    this.#wakeWriter?.();
    return events;
  }

  /** Everything that lies there now. */
  rest(): readonly Said[] {
    const events = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    return events;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Said> {
    for (let events = await this.portion(); events !== undefined; events = await this.portion())
      for (const event of events) yield event;
  }
}
