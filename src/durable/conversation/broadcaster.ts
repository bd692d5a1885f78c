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

import type { Frame } from "../../protocol/wire/events.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { ControlFrame } from "../../protocol/wire/server-frames.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import { SOCKET_CLOSES, SocketSession, type SocketClose } from "./socket-session.ts";
import { belongsToTask, withConversationId } from "./sub-conversation.ts";

/**
 * Bytes that a stream's reader may lag behind before the stream ends with an error. The reader can resume from its last
 * `seq`.
 */
const MAX_LAG_BYTES = 8 * 1024 * 1024;
/** Bytes of the backlog that are queued for a reader at once. */
const BACKLOG_CHUNK_BYTES = 1024 * 1024;

type StreamSubscriber = {
  readonly controller: ReadableByteStreamController;
  /** Only frames of this thread; the stream ends after its `done`. Null: all frames. */
  readonly threadId: string | null;
  /** True until the reader has received the backlog. Live frames are skipped: they are part of the backlog by then. */
  isCatchingUp: boolean;
  /** True if the stream ends as soon as the backlog is complete. */
  endsAfterBacklog: boolean;
};

/**
 * Stored with a socket across hibernation. `expires_at` is in ms since the epoch; null if the token does not expire.
 */
type SocketAttachment = { readonly expires_at: number | null; readonly task?: string };

/** A socket that receives all frames, or those of one task. */
type SocketSubscriber = { readonly session: SocketSession; readonly task: string | undefined };

/** The limits for the subscribers of one conversation. */
export type SubscriberLimits = {
  /** The maximum number of sockets and streams together. */
  readonly maxSubscribers: number;
  /**
   * Returns the time (ms since the epoch) at which the platform last answered a `ping` of the socket; null if never.
   */
  readonly lastPing: (socket: WebSocket) => number | null;
};

const utf8 = new TextEncoder();

/** One instance per object. All methods are synchronous; `broadcast` never throws. */
export class Broadcaster {
  readonly #sockets = new Map<WebSocket, SocketSubscriber>();
  readonly #streams = new Set<StreamSubscriber>();
  #limits: SubscriberLimits = { maxSubscribers: Infinity, lastPing: () => null };

  /** `sockets` are the sockets that survived hibernation. */
  constructor(sockets: Iterable<WebSocket>) {
    for (const socket of sockets) this.#sockets.set(socket, this.#createSubscriber(socket, readAttachment(socket)));
  }

  /** Sets the limits for subscribers and capacity checks from now on; there are none before. */
  setLimits(limits: SubscriberLimits): void {
    this.#limits = limits;
  }

  /**
   * Adds an accepted socket until `expiresAt` (ms since the epoch; null: no expiry). With `task`, it receives only
   * frames of that task. Send the backlog before, in the same synchronous block, so that no frame is lost or repeated.
   */
  addSocket(socket: WebSocket, expiresAt: number | null, task?: string): void {
    const attachment: SocketAttachment = { expires_at: expiresAt, ...(task === undefined ? {} : { task }) };
    socket.serializeAttachment(attachment);
    this.#sockets.set(socket, this.#createSubscriber(socket, attachment));
  }

  /** Removes a socket without closing it. */
  removeSocket(socket: WebSocket): void {
    this.#sockets.delete(socket);
  }

  /** Returns the session of a socket; undefined if it was closed or removed. */
  getSession(socket: WebSocket): SocketSession | undefined {
    return this.#sockets.get(socket)?.session;
  }

  /** Returns the task to which a socket is restricted; undefined if it receives everything. */
  getTask(socket: WebSocket): string | undefined {
    return this.#sockets.get(socket)?.task;
  }

  /** Throws `too_many_requests` if the limit of subscribers is reached, after closing unresponsive sockets. */
  ensureCapacity(): void {
    const { maxSubscribers } = this.#limits;
    const isFull = () => this.#sockets.size + this.#streams.size >= maxSubscribers;
    if (!isFull()) return;
    const now = Date.now();
    for (const [socket, { session }] of this.#sockets)
      if (session.isUnresponsive(now)) this.closeSocket(socket, SOCKET_CLOSES.gone);
    if (!isFull()) return;
    throw createFault("too_many_requests", createMessage("conversation.tooManySubscribers", { max: maxSubscribers }));
  }

  /**
   * Sends frames to all subscribers that they concern. Closes sockets whose token expired or whose reader is
   * unresponsive.
   */
  broadcast(frames: readonly Frame[]): void {
    if (this.#sockets.size === 0 && this.#streams.size === 0) return;
    const now = Date.now();
    for (const frame of frames) {
      const text = JSON.stringify(frame);
      for (const [socket, { session, task }] of this.#sockets) {
        if (task !== undefined && !belongsToTask(frame, task)) continue;
        const ownText = task === undefined ? text : JSON.stringify(withConversationId(deriveId(task, "conv"), frame));
        const closeReason = session.checkSend(ownText.length, now);
        if (closeReason === null) this.#sendText(socket, ownText);
        else this.closeSocket(socket, closeReason);
      }
      for (const follower of this.#streams) if (!follower.isCatchingUp) this.#forwardFrame(follower, frame, text);
    }
  }

  /** Sends a frame to one socket, without counting it against the reader. Removes the socket if it is closed. */
  send(socket: WebSocket, frame: ControlFrame | Frame): void {
    this.#sendText(socket, JSON.stringify(frame));
  }

  /**
   * Opens a stream of JSON lines: first the frames of `readBacklog(after)`, at the pace of the reader, then live
   * frames. With `threadId`, it has only that thread's frames (and `conversation_started`) and ends after its `done`.
   * Throws `too_many_requests` at the limit of subscribers, or the error of `readBacklog`.
   */
  openStream(
    readBacklog: (after: number) => Iterable<Frame>,
    after: number,
    threadId: string | null,
  ): ReadableStream<Uint8Array> {
    let first: Iterable<Frame> | null = readBacklog(after);
    this.ensureCapacity();
    let last = after;
    let subscriber: StreamSubscriber | null = null;
    const catchUp = (): void => {
      if (subscriber?.isCatchingUp !== true) return;
      // Read again for each chunk: paragraphs that were open during the previous chunk may be stored by now.
      const chunk = first ?? readBacklog(last);
      first = null;
      for (const frame of chunk) {
        this.#forwardFrame(subscriber, frame, JSON.stringify(frame));
        last = frame.seq;
        const isFull = (subscriber.controller.desiredSize ?? 0) <= -BACKLOG_CHUNK_BYTES;
        if (isFull || !this.#streams.has(subscriber)) return;
      }
      subscriber.isCatchingUp = false;
      if (subscriber.endsAfterBacklog) this.#closeStream(subscriber);
    };
    return new ReadableStream({
      type: "bytes",
      start: (controller) => {
        subscriber = { controller, threadId, isCatchingUp: true, endsAfterBacklog: false };
        this.#streams.add(subscriber);
        catchUp();
      },
      pull: catchUp,
      cancel: () => {
        if (subscriber !== null) this.#streams.delete(subscriber);
      },
    });
  }

  /** Closes one socket and removes it. */
  closeSocket(socket: WebSocket, { code, reason }: SocketClose): void {
    this.#sockets.delete(socket);
    try {
      socket.close(code, reason);
    } catch {
      // The socket is already closed.
    }
  }

  /** Ends the streams that follow one thread, after their backlog: the thread is paused until the person answers. */
  endThreadStreams(threadId: string): void {
    for (const follower of this.#streams) {
      if (follower.threadId !== threadId) continue;
      if (follower.isCatchingUp) follower.endsAfterBacklog = true;
      else this.#closeStream(follower);
    }
  }

  /** Closes all subscribers, because the conversation was deleted. */
  closeAll(code: number, reason: string): void {
    for (const socket of this.#sockets.keys()) this.closeSocket(socket, { code, reason });
    for (const follower of this.#streams) this.#closeStream(follower);
  }

  #closeStream(follower: StreamSubscriber): void {
    this.#streams.delete(follower);
    follower.controller.close();
  }

  #createSubscriber(socket: WebSocket, { expires_at: expiresAt, task }: SocketAttachment): SocketSubscriber {
    return { session: new SocketSession(expiresAt ?? Infinity, () => this.#limits.lastPing(socket), Date.now()), task };
  }

  #sendText(socket: WebSocket, text: string): void {
    try {
      socket.send(text);
    } catch {
      // The socket is closed, but its close event has not arrived yet.
      this.#sockets.delete(socket);
    }
  }

  #forwardFrame(follower: StreamSubscriber, frame: Frame, text: string): void {
    const { controller, threadId } = follower;
    const frameThread = "thread_id" in frame.data ? frame.data.thread_id : undefined;
    if (!this.#streams.has(follower)) return;
    if (threadId !== null && frameThread !== threadId && frame.event !== "conversation_started") return;
    try {
      controller.enqueue(utf8.encode(`${text}\n`));
      if ((controller.desiredSize ?? 0) < -MAX_LAG_BYTES) throw new Error("The reader is too slow");
      if (threadId === null || frame.event !== "done") return;
      controller.close();
    } catch (thrown) {
      controller.error(thrown);
    }
    this.#streams.delete(follower);
  }
}

function readAttachment(socket: WebSocket): SocketAttachment {
  return (socket.deserializeAttachment() as SocketAttachment | null) ?? { expires_at: null };
}
