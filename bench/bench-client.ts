// A client of one conversation: sends a message, reads all frames and measures the times.

import type { Buffer } from "node:buffer";
import { WebSocket } from "ws";
import { countExpectedChars, formatWorkload, type Workload } from "./workload.ts";

/** Measurements of one turn, in milliseconds since the message was sent. */
export type TurnTiming = {
  readonly ackMs: number;
  /** Until the first text of any answer. */
  readonly firstMs: number;
  readonly totalMs: number;
  /** The longest time between two updates of one answer. */
  readonly longestWaitMs: number;
  readonly frames: number;
};

export type ReplayTiming = { readonly ms: number; readonly events: number; readonly frames: number };

type ReceivedFrame = {
  readonly type?: string;
  readonly message?: string;
  readonly event?: string;
  readonly seq?: number;
  readonly data?: { readonly task_id?: string; readonly payload?: { readonly content?: string } };
};

/** Longer than any turn takes. */
const FRAME_TIMEOUT_MS = 120_000;

/** Creates a conversation. Resolves with the URL of its socket. */
export async function createConversation(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/conversations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  if (!response.ok) throw new Error(`The conversation was not created: ${response.status} ${await response.text()}`);
  const { conversation_id: id } = (await response.json()) as { conversation_id: string };
  return `${url.replace("http", "ws")}/api/v1/conversations/${id}/ws`;
}

/** Connects and reads the whole log. */
export async function timeReplay(address: string): Promise<ReplayTiming> {
  const { client, timing } = await connect(address);
  client.close();
  return timing;
}

export class BenchClient {
  readonly #socket: WebSocket;
  #onText: (text: string) => void = () => undefined;
  #onFailure: (reason: Error) => void = () => undefined;
  #seq = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#onText((data as Buffer).toString()));
    socket.on("close", (code) => this.#onFailure(new Error(`The socket was closed: ${code}`)));
    socket.on("error", (error) => this.#onFailure(error));
  }

  /** Connects to a new conversation. */
  static async openConversation(url: string): Promise<BenchClient> {
    return BenchClient.connect(await createConversation(url));
  }

  /** Connects to an existing conversation. */
  static async connect(address: string): Promise<BenchClient> {
    return (await connect(address)).client;
  }

  /** The `seq` of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** Sends a message and waits for its `done`. Rejects if text is missing or the turn fails. */
  runTurn(workload: Workload): Promise<TurnTiming> {
    const recorder = new TurnRecorder(workload);
    const text = JSON.stringify({ type: "send", id: crypto.randomUUID(), message: formatWorkload(workload) });
    const timing = this.waitForFrame((frame) => recorder.handleFrame(frame), `the end of the turn ${text}`);
    recorder.start();
    this.#socket.send(text);
    return timing;
  }

  /** Passes frames to `handle` until it returns a value. The error of a timeout contains `description`. */
  waitForFrame<T>(handle: (frame: ReceivedFrame) => T | undefined, description: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const onTimeout = () =>
        this.#onFailure(
          new Error(
            `${this.#socket.url}: waited ${FRAME_TIMEOUT_MS / 1000} s for ${description}; the last event was ${this.#seq}`,
          ),
        );
      const timer = setTimeout(onTimeout, FRAME_TIMEOUT_MS);
      const finish = (action: () => void) => {
        clearTimeout(timer);
        this.#onText = () => undefined;
        this.#onFailure = () => undefined;
        action();
      };
      this.#onFailure = (reason) => finish(() => reject(reason));
      this.#onText = (text) => {
        try {
          const frame = JSON.parse(text) as ReceivedFrame;
          this.#seq = frame.seq ?? this.#seq;
          const result = handle(frame);
          if (result !== undefined) finish(() => resolve(result));
        } catch (thrown) {
          finish(() => reject(thrown as Error));
        }
      };
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}

async function connect(address: string): Promise<{ client: BenchClient; timing: ReplayTiming }> {
  const startedAt = performance.now();
  const client = new BenchClient(new WebSocket(address, { perMessageDeflate: false, skipUTF8Validation: true }));
  let frames = 0;
  const timing = await client.waitForFrame(({ type, seq = 0 }) => {
    if (type === undefined) frames += 1;
    return type === "caught_up" ? { ms: performance.now() - startedAt, events: seq, frames } : undefined;
  }, "caught_up");
  return { client, timing };
}

/** Measures one turn. */
class TurnRecorder {
  readonly #workload: Workload;
  readonly #updatedAt = new Map<string, number>();
  #startedAt = 0;
  #ackMs = 0;
  #firstMs = 0;
  #longestWaitMs = 0;
  #frames = 0;
  #chars = 0;

  constructor(workload: Workload) {
    this.#workload = workload;
  }

  start(): void {
    this.#startedAt = performance.now();
  }

  handleFrame({ type, event, data, message }: ReceivedFrame): TurnTiming | undefined {
    const now = performance.now();
    if (type === "error") throw new Error(`The server rejected the message: ${message ?? ""}`);
    if (type === "ack") this.#ackMs = now - this.#startedAt;
    if (event === undefined) return undefined;
    this.#frames += 1;
    if (event.endsWith("_failed")) throw new Error(`${event}: ${data?.payload?.content ?? ""}`);
    if (event === "message_chunk") this.#recordText(data?.task_id ?? "", data?.payload?.content ?? "", now);
    return event === "done" ? this.#finish(now) : undefined;
  }

  #recordText(task: string, content: string, now: number): void {
    if (this.#chars === 0) this.#firstMs = now - this.#startedAt;
    this.#chars += content.length;
    this.#longestWaitMs = Math.max(this.#longestWaitMs, now - (this.#updatedAt.get(task) ?? now));
    this.#updatedAt.set(task, now);
  }

  #finish(now: number): TurnTiming {
    const expected = countExpectedChars(this.#workload);
    if (this.#chars !== expected)
      throw new Error(`The client received ${this.#chars} characters instead of ${expected}`);
    return {
      ackMs: this.#ackMs,
      firstMs: this.#firstMs,
      totalMs: now - this.#startedAt,
      longestWaitMs: this.#longestWaitMs,
      frames: this.#frames,
    };
  }
}
