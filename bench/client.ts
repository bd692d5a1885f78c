// One person with one conversation: says something, reads everything that comes back, and takes the time.

import type { Buffer } from "node:buffer";
import { WebSocket } from "ws";
import { expectedChars, worded, type Wish } from "./wish.ts";

/** What a reader saw of one turn; times in milliseconds since the message was sent. */
export type Seen = {
  readonly ackMs: number;
  /** Until the first text of any answer. */
  readonly firstMs: number;
  readonly totalMs: number;
  /** The longest time between two updates of one answer. */
  readonly longestWaitMs: number;
  readonly frames: number;
};

export type Replay = { readonly ms: number; readonly events: number; readonly frames: number };

type Frame = {
  readonly type?: string;
  readonly message?: string;
  readonly event?: string;
  readonly seq?: number;
  readonly data?: { readonly task_id?: string; readonly payload?: { readonly content?: string } };
};

/** Longer than anything here may take. */
const PATIENCE_MS = 120_000;

/** Makes a conversation and says where its socket is. */
export async function begin(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/conversations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  if (!response.ok) throw new Error(`No conversation: ${response.status} ${await response.text()}`);
  const { conversation_id: id } = (await response.json()) as { conversation_id: string };
  return `${url.replace("http", "ws")}/api/v1/conversations/${id}/ws`;
}

/** Connects and reads everything that there is so far. */
export async function replay(address: string): Promise<Replay> {
  const { caller, opened } = await connect(address);
  caller.close();
  return opened;
}

export class Caller {
  readonly #socket: WebSocket;
  #hear: (text: string) => void = () => undefined;
  #fail: (reason: Error) => void = () => undefined;
  #seq = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#hear((data as Buffer).toString()));
    socket.on("close", (code) => this.#fail(new Error(`The socket was closed: ${code}`)));
    socket.on("error", (error) => this.#fail(error));
  }

  /** In a new conversation. */
  static async open(url: string): Promise<Caller> {
    return Caller.at(await begin(url));
  }

  /** In a conversation that there is. */
  static async at(address: string): Promise<Caller> {
    return (await connect(address)).caller;
  }

  /** The number of the last event heard. */
  get seq(): number {
    return this.#seq;
  }

  /** Says something and waits for its `done`. Rejects when text is missing or the turn failed. */
  turn(wish: Wish): Promise<Seen> {
    const account = new Account(wish);
    const text = JSON.stringify({ type: "send", id: crypto.randomUUID(), message: worded(wish) });
    const seen = this.listen((frame) => account.take(frame), `the end of the turn ${text}`);
    account.begin();
    this.#socket.send(text);
    return seen;
  }

  /** Hears frames until `take` returns something. `what` says what is waited for. */
  listen<T>(take: (frame: Frame) => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const missing = () =>
        this.#fail(
          new Error(`${this.#socket.url}: waited ${PATIENCE_MS / 1000} s for ${what}; the last event was ${this.#seq}`),
        );
      const timer = setTimeout(missing, PATIENCE_MS);
      const settle = (end: () => void) => {
        clearTimeout(timer);
        this.#hear = () => undefined;
        this.#fail = () => undefined;
        end();
      };
      this.#fail = (reason) => settle(() => reject(reason));
      this.#hear = (text) => {
        try {
          const frame = JSON.parse(text) as Frame;
          this.#seq = frame.seq ?? this.#seq;
          const result = take(frame);
          if (result !== undefined) settle(() => resolve(result));
        } catch (thrown) {
          settle(() => reject(thrown as Error));
        }
      };
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}

async function connect(address: string): Promise<{ caller: Caller; opened: Replay }> {
  const startedAt = performance.now();
  const caller = new Caller(new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true }));
  let frames = 0;
  const opened = await caller.listen(({ type, seq = 0 }) => {
    if (type === undefined) frames += 1;
    return type === "caught_up" ? { ms: performance.now() - startedAt, events: seq, frames } : undefined;
  }, "caught_up");
  return { caller, opened };
}

/** Follows one turn. */
class Account {
  readonly #wish: Wish;
  readonly #updatedAt = new Map<string, number>();
  #startedAt = 0;
  #ackMs = 0;
  #firstMs = 0;
  #longestWaitMs = 0;
  #frames = 0;
  #chars = 0;

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  begin(): void {
    this.#startedAt = performance.now();
  }

  take({ type, event, data, message }: Frame): Seen | undefined {
    const now = performance.now();
    if (type === "error") throw new Error(`Refused: ${message ?? ""}`);
    if (type === "ack") this.#ackMs = now - this.#startedAt;
    if (event === undefined) return undefined;
    this.#frames += 1;
    if (event.endsWith("_failed")) throw new Error(`${event}: ${data?.payload?.content ?? ""}`);
    if (event === "message_chunk") this.#text(data?.task_id ?? "", data?.payload?.content ?? "", now);
    return event === "done" ? this.#end(now) : undefined;
  }

  #text(task: string, content: string, now: number): void {
    if (this.#chars === 0) this.#firstMs = now - this.#startedAt;
    this.#chars += content.length;
    this.#longestWaitMs = Math.max(this.#longestWaitMs, now - (this.#updatedAt.get(task) ?? now));
    this.#updatedAt.set(task, now);
  }

  #end(now: number): Seen {
    const expected = expectedChars(this.#wish);
    if (this.#chars !== expected) throw new Error(`The reader got ${this.#chars} characters instead of ${expected}`);
    return {
      ackMs: this.#ackMs,
      firstMs: this.#firstMs,
      totalMs: now - this.#startedAt,
      longestWaitMs: this.#longestWaitMs,
      frames: this.#frames,
    };
  }
}
