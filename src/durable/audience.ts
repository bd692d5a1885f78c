// Who listens: hibernating sockets, and streams that other Workers read. All of them get every frame
// of the conversation, or of one thread, in order; nobody's slowness holds up the others.

import type { Frame } from "../protocol/events.ts";
import type { ControlFrame } from "../protocol/frames.ts";

/** Bytes that a stream's reader may lag behind before it is let go; it can come back with its last `seq`. */
const MAX_LAG_BYTES = 8 * 1024 * 1024;

type Follower = {
  readonly controller: ReadableByteStreamController;
  /** Only this thread's frames, and the end of the stream after its `done`. */
  readonly threadId: string | null;
};

const utf8 = new TextEncoder();

export class Audience {
  readonly #sockets: Set<WebSocket>;
  readonly #followers = new Set<Follower>();

  /** `sockets` are those that were open before the object slept. */
  constructor(sockets: Iterable<WebSocket>) {
    this.#sockets = new Set(sockets);
  }

  join(socket: WebSocket): void {
    this.#sockets.add(socket);
  }

  leave(socket: WebSocket): void {
    this.#sockets.delete(socket);
  }

  tell(frames: readonly Frame[]): void {
    if (this.#sockets.size === 0 && this.#followers.size === 0) return;
    for (const frame of frames) {
      const text = JSON.stringify(frame);
      for (const socket of this.#sockets) this.#send(socket, text);
      for (const follower of this.#followers) this.#pass(follower, frame, text);
    }
  }

  /** Says something to one socket; a socket that is gone is forgotten. */
  say(socket: WebSocket, frame: ControlFrame | Frame): void {
    this.#send(socket, JSON.stringify(frame));
  }

  /** A stream of JSON lines: `backlog` first, then live frames. Ends after `done` when it follows a thread. */
  follow(backlog: Iterable<Frame>, threadId: string | null): ReadableStream<Uint8Array> {
    let follower: Follower | null = null;
    return new ReadableStream({
      type: "bytes",
      start: (controller) => {
        follower = { controller, threadId };
        this.#followers.add(follower);
        for (const frame of backlog) this.#pass(follower, frame, JSON.stringify(frame));
      },
      cancel: () => {
        if (follower !== null) this.#followers.delete(follower);
      },
    });
  }

  /** Ends everybody's connection: the conversation is gone. */
  dismiss(code: number, reason: string): void {
    for (const socket of this.#sockets) socket.close(code, reason);
    for (const { controller } of this.#followers) controller.close();
    this.#sockets.clear();
    this.#followers.clear();
  }

  #send(socket: WebSocket, text: string): void {
    try {
      socket.send(text);
    } catch {
      // Closed meanwhile: its close event may still be on the way.
      this.#sockets.delete(socket);
    }
  }

  #pass(follower: Follower, frame: Frame, text: string): void {
    const { controller, threadId } = follower;
    const frameThread = "thread_id" in frame.data ? frame.data.thread_id : undefined;
    if (!this.#followers.has(follower)) return;
    if (threadId !== null && frameThread !== threadId && frame.event !== "conversation_started") return;
    try {
      controller.enqueue(utf8.encode(`${text}\n`));
      if ((controller.desiredSize ?? 0) < -MAX_LAG_BYTES) throw new Error("The reader is too slow");
      if (threadId === null || frame.event !== "done") return;
      controller.close();
    } catch (thrown) {
      controller.error(thrown);
    }
    this.#followers.delete(follower);
  }
}
