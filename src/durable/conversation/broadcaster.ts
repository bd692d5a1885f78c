// Sends the frames of a conversation to its subscribers: hibernating WebSockets and byte streams that other Workers
// read.
//
// Owns the streams of one object; the sockets are shared with the `SocketHandler`. Sockets survive hibernation; streams
// do not, because an open stream keeps the object in memory.
//
// Invariants:
//   - A subscriber receives all frames of its conversation, thread or task, in `seq` order and without gaps, or is
//     closed.
//   - No subscriber delays another: nothing here waits. A stream that lags by `MAX_LAG_BYTES` ends with an error, an
//     unresponsive socket is closed by its `SocketSession`.
//   - A subscriber first receives the backlog in pieces, a stream as fast as it is read. Other work runs between two
//     pieces. Live frames are not queued meanwhile; the next piece reads them from the log.

import type { Frame } from "../../protocol/wire/events.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { ControlFrame } from "../../protocol/wire/server-frames.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import { waitForOtherWork } from "../../lib/other-work.ts";
import { SOCKET_CLOSES, type SocketClose, type SocketSession, type SocketSessions } from "./socket-session.ts";
import { belongsToTask, withConversationId } from "./sub-conversation.ts";

/**
 * Bytes that a stream's reader may lag behind before the stream ends with an error. The reader can resume from its last
 * `seq`.
 */
const MAX_LAG_BYTES = 8 * 1024 * 1024;
/** Bytes of the backlog, or UTF-16 units, that are read and sent at once. A larger frame is a piece of its own. */
const BACKLOG_PIECE_SIZE = 512 * 1024;

/** The log as a new subscriber reads it: `readFrames` returns the frames with a `seq` greater than `after`. */
export type Backlog = { readonly lastSeq: number; readonly readFrames: (after: number) => Iterable<Frame> };

type StreamSubscriber = {
  readonly controller: ReadableByteStreamController;
  /** Only frames of this thread; the stream ends after its `done`. Null: all frames. */
  readonly threadId: string | null;
  /** True until the reader has received the backlog. Live frames are skipped: they are part of the backlog by then. */
  isCatchingUp: boolean;
  endsAfterBacklog: boolean;
};

const utf8 = new TextEncoder();

/** One instance per object. All methods except `sendBacklog` are synchronous; `broadcast` never throws. */
export class Broadcaster {
  readonly #sockets: SocketSessions;
  readonly #streams = new Set<StreamSubscriber>();
  readonly #maxSubscribers: number;

  /**
   * `sockets` are the open sockets; the caller adds new ones and calls `sendBacklog` in the same synchronous block, so
   * that no frame is lost or repeated. `maxSubscribers` limits sockets and streams together.
   */
  constructor(sockets: SocketSessions, maxSubscribers: number) {
    this.#sockets = sockets;
    this.#maxSubscribers = maxSubscribers;
  }

  /** Throws `too_many_requests` if the limit of subscribers is reached, after closing unresponsive sockets. */
  ensureCapacity(): void {
    const maxSubscribers = this.#maxSubscribers;
    const isFull = () => this.#sockets.size + this.#streams.size >= maxSubscribers;
    if (!isFull()) return;
    const now = Date.now();
    for (const [socket, session] of this.#sockets)
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
      for (const [socket, session] of this.#sockets) {
        if (session.isCatchingUp) continue;
        const ownText = session.task === undefined ? text : formatTaskFrame(frame, session.task);
        if (ownText === null) continue;
        const closeReason = session.checkSend(ownText.length, now);
        if (closeReason === null) this.#sendText(socket, ownText);
        else this.closeSocket(socket, closeReason);
      }
      for (const follower of this.#streams) if (!follower.isCatchingUp) this.#forwardFrame(follower, frame, text);
    }
  }

  /** Closes the sockets whose token has expired. Returns when the next one expires (ms since the epoch), or null. */
  closeExpired(now: number): number | null {
    let next = Infinity;
    for (const [socket, { expiresAt }] of this.#sockets) {
      if (expiresAt <= now) this.closeSocket(socket, SOCKET_CLOSES.expired);
      else next = Math.min(next, expiresAt);
    }
    return next === Infinity ? null : next;
  }

  /** Sends a frame to one socket, without counting it against the reader. Removes the socket if it is closed. */
  send(socket: WebSocket, frame: ControlFrame | Frame): void {
    this.#sendText(socket, JSON.stringify(frame));
  }

  /**
   * Sends a new socket the backlog after `after` and then `caught_up`. Live frames follow. The first piece is sent before
   * this method returns. Resolves once the socket has caught up or is closed; never rejects. Nothing is counted against
   * the reader.
   */
  async sendBacklog(socket: WebSocket, session: SocketSession, log: Backlog, after: number): Promise<void> {
    session.isCatchingUp = true;
    try {
      for (let last: number | null = after; ;) {
        last = this.#sendPiece(socket, session, log.readFrames(last));
        if (last === null) break;
        // The timer keeps the object from hibernating.
        await waitForOtherWork();
        if (!this.#sockets.has(socket)) return;
      }
      session.isCatchingUp = false;
      this.send(socket, { type: "caught_up", seq: log.lastSeq });
    } catch (thrown) {
      console.error("The log could not be read for a socket", thrown);
      this.closeSocket(socket, SOCKET_CLOSES.failed);
    }
  }

  /** Sends frames up to the size of a piece. Returns the `seq` of the last one; null if all frames were sent. */
  #sendPiece(socket: WebSocket, { task }: SocketSession, frames: Iterable<Frame>): number | null {
    let size = 0;
    for (const frame of frames) {
      const text = task === undefined ? JSON.stringify(frame) : formatTaskFrame(frame, task);
      if (text !== null) this.#sendText(socket, text);
      size += text?.length ?? 0;
      if (size >= BACKLOG_PIECE_SIZE) return frame.seq;
    }
    return null;
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
      // Read again for each piece: paragraphs that were open during the previous piece may be stored by now.
      const piece = first ?? readBacklog(last);
      first = null;
      for (const frame of piece) {
        this.#forwardFrame(subscriber, frame, JSON.stringify(frame));
        last = frame.seq;
        const isFull = (subscriber.controller.desiredSize ?? 0) <= -BACKLOG_PIECE_SIZE;
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

  closeAll(code: number, reason: string): void {
    for (const socket of this.#sockets.keys()) this.closeSocket(socket, { code, reason });
    for (const follower of this.#streams) this.#closeStream(follower);
  }

  #closeStream(follower: StreamSubscriber): void {
    this.#streams.delete(follower);
    follower.controller.close();
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

/** Returns the frame as the conversation of a task shows it; null if it does not belong to the task. */
function formatTaskFrame(frame: Frame, task: string): string | null {
  return belongsToTask(frame, task) ? JSON.stringify(withConversationId(deriveId(task, "conv"), frame)) : null;
}
