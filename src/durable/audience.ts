// Sends the frames of a conversation to its subscribers: hibernating WebSockets and byte streams that other Workers
// read.
//
// Owns the set of subscribers of one object. Sockets survive hibernation and are restored from their attachment;
// streams do not, because an open stream keeps the object in memory.
//
// Invariants:
//   - A subscriber receives all frames of its conversation, thread or task, in `seq` order and without gaps, or is
//     closed.
//   - No subscriber delays another: nothing here waits. A stream that lags by `MAX_LAG_BYTES` ends with an error, an
//     unresponsive socket is closed by its `SocketSession`.
//   - A stream first receives the backlog, in chunks as fast as it is read. Live frames are not queued meanwhile; the
//     next chunk reads them from the log.

import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import { companion } from "../protocol/ids.ts";
import { CLOSED, Seat, type Closing } from "./seat.ts";
import { isOfTask, toldIn } from "./sub-conversation.ts";

/**
 * Bytes that a stream's reader may lag behind before the stream ends with an error. The reader can resume from its last
 * `seq`.
 */
const MAX_LAG_BYTES = 8 * 1024 * 1024;
/** Bytes of the backlog that are queued for a reader at once. */
const PORTION_BYTES = 1024 * 1024;

type Follower = {
  readonly controller: ReadableByteStreamController;
  /** Only frames of this thread; the stream ends after its `done`. Null: all frames. */
  readonly threadId: string | null;
  /** True until the reader has received the backlog. Live frames are skipped: they are part of the backlog by then. */
  isBehind: boolean;
  /** True if the stream ends as soon as the backlog is complete. */
  isResting: boolean;
};

/**
 * Stored with a socket across hibernation. `expires_at` is in ms since the epoch; null if the token does not expire.
 */
type Attachment = { readonly expires_at: number | null; readonly task?: string };

/** A socket that receives all frames, or those of one task. */
type Listening = { readonly seat: Seat; readonly task: string | undefined };

export type Limits = {
  /** The maximum number of sockets and streams together. */
  readonly maxListeners: number;
  /**
   * Returns the time (ms since the epoch) at which the platform last answered a `ping` of the socket; null if never.
   */
  readonly lastPing: (socket: WebSocket) => number | null;
};

const utf8 = new TextEncoder();

/** One instance per object. All methods are synchronous; `broadcast` never throws. */
export class Audience {
  readonly #sockets = new Map<WebSocket, Listening>();
  readonly #followers = new Set<Follower>();
  #limits: Limits = { maxListeners: Infinity, lastPing: () => null };

  /** `sockets` are the sockets that survived hibernation. */
  constructor(sockets: Iterable<WebSocket>) {
    for (const socket of sockets) this.#sockets.set(socket, this.#listening(socket, attachmentOf(socket)));
  }

  /** Sets the limits for subscribers that are added from now on. */
  limit(limits: Limits): void {
    this.#limits = limits;
  }

  /**
   * Adds an accepted socket until `expiresAt` (ms since the epoch; null: no expiry). With `task`, it receives only
   * frames of that task. Send the backlog before, in the same synchronous block, so that no frame is lost or repeated.
   */
  join(socket: WebSocket, expiresAt: number | null, task?: string): void {
    const attachment: Attachment = { expires_at: expiresAt, ...(task === undefined ? {} : { task }) };
    socket.serializeAttachment(attachment);
    this.#sockets.set(socket, this.#listening(socket, attachment));
  }

  /** Forgets a socket without closing it. */
  leave(socket: WebSocket): void {
    this.#sockets.delete(socket);
  }

  /** Returns the session of a socket; undefined if it was closed or removed. */
  seatOf(socket: WebSocket): Seat | undefined {
    return this.#sockets.get(socket)?.seat;
  }

  /** Returns the task to which a socket is restricted; undefined if it receives everything. */
  taskOf(socket: WebSocket): string | undefined {
    return this.#sockets.get(socket)?.task;
  }

  /** Throws `too_many_requests` if the limit is reached. Closes unresponsive sockets first. */
  makeRoom(): void {
    const { maxListeners } = this.#limits;
    const isFull = () => this.#sockets.size + this.#followers.size >= maxListeners;
    if (!isFull()) return;
    const now = Date.now();
    for (const [socket, { seat }] of this.#sockets) if (seat.isGone(now)) this.end(socket, CLOSED.gone);
    if (!isFull()) return;
    const message = `Only ${maxListeners} sockets and streams may listen to a conversation at once. Close some of them.`;
    throw new Fault("too_many_requests", message);
  }

  /**
   * Sends frames to all subscribers that they concern. Closes sockets whose token expired or whose reader is
   * unresponsive.
   */
  tell(frames: readonly Frame[]): void {
    if (this.#sockets.size === 0 && this.#followers.size === 0) return;
    const now = Date.now();
    for (const frame of frames) {
      const text = JSON.stringify(frame);
      for (const [socket, { seat, task }] of this.#sockets) {
        if (task !== undefined && !isOfTask(frame, task)) continue;
        const own = task === undefined ? text : JSON.stringify(toldIn(companion(task, "conv"), frame));
        const objection = seat.objection(own.length, now);
        if (objection === null) this.#send(socket, own);
        else this.end(socket, objection);
      }
      for (const follower of this.#followers) if (!follower.isBehind) this.#pass(follower, frame, text);
    }
  }

  /** Sends a frame to one socket. If the socket is closed, it is removed. */
  say(socket: WebSocket, frame: ControlFrame | Frame): void {
    this.#send(socket, JSON.stringify(frame));
  }

  /**
   * Opens a stream of JSON lines: first the frames of `past(after)`, at the pace of the reader, then live frames. With
   * `threadId`, it ends after that thread's `done`. Throws if `past` rejects `after` or the limit is reached.
   */
  follow(past: (after: number) => Iterable<Frame>, after: number, threadId: string | null): ReadableStream<Uint8Array> {
    let first: Iterable<Frame> | null = past(after);
    this.makeRoom();
    let last = after;
    let follower: Follower | null = null;
    const catchUp = (): void => {
      if (follower?.isBehind !== true) return;
      // Read again for each chunk: paragraphs that were open during the previous chunk may be stored by now.
      const portion = first ?? past(last);
      first = null;
      for (const frame of portion) {
        this.#pass(follower, frame, JSON.stringify(frame));
        last = frame.seq;
        const isFull = (follower.controller.desiredSize ?? 0) <= -PORTION_BYTES;
        if (isFull || !this.#followers.has(follower)) return;
      }
      follower.isBehind = false;
      if (follower.isResting) this.#close(follower);
    };
    return new ReadableStream({
      type: "bytes",
      start: (controller) => {
        follower = { controller, threadId, isBehind: true, isResting: false };
        this.#followers.add(follower);
        catchUp();
      },
      pull: catchUp,
      cancel: () => {
        if (follower !== null) this.#followers.delete(follower);
      },
    });
  }

  /** Closes one socket and removes it. */
  end(socket: WebSocket, { code, reason }: Closing): void {
    this.#sockets.delete(socket);
    try {
      socket.close(code, reason);
    } catch {
      // The socket is already closed.
    }
  }

  /** Ends the streams that follow one thread, after their backlog: the thread is paused until the person answers. */
  rest(threadId: string): void {
    for (const follower of this.#followers) {
      if (follower.threadId !== threadId) continue;
      if (follower.isBehind) follower.isResting = true;
      else this.#close(follower);
    }
  }

  /** Closes all subscribers, because the conversation was deleted. */
  dismiss(code: number, reason: string): void {
    for (const socket of this.#sockets.keys()) this.end(socket, { code, reason });
    for (const follower of this.#followers) this.#close(follower);
  }

  #close(follower: Follower): void {
    this.#followers.delete(follower);
    follower.controller.close();
  }

  #listening(socket: WebSocket, { expires_at: expiresAt, task }: Attachment): Listening {
    return { seat: new Seat(expiresAt ?? Infinity, () => this.#limits.lastPing(socket), Date.now()), task };
  }

  #send(socket: WebSocket, text: string): void {
    try {
      socket.send(text);
    } catch {
      // The socket is closed, but its close event has not arrived yet.
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

function attachmentOf(socket: WebSocket): Attachment {
  return (socket.deserializeAttachment() as Attachment | null) ?? { expires_at: null };
}
