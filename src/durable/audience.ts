// Who listens: hibernating sockets, and streams that other Workers read. All of them get every frame
// of the conversation, or of one thread, in order; nobody's slowness holds up the others.

import type { Frame } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import type { ControlFrame } from "../protocol/frames.ts";
import { companion } from "../protocol/ids.ts";
import { CLOSED, Seat, type Closing } from "./seat.ts";
import { isOfTask, toldIn } from "./sub-conversation.ts";

/** Bytes that a stream's reader may lag behind before it is let go; it can come back with its last `seq`. */
const MAX_LAG_BYTES = 8 * 1024 * 1024;
/** Bytes of the past that wait for a reader at once. */
const PORTION_BYTES = 1024 * 1024;

type Follower = {
  readonly controller: ReadableByteStreamController;
  /** Only this thread's frames, and the end of the stream after its `done`. */
  readonly threadId: string | null;
  /** Still gets the past, of which what happens meanwhile is part by then. */
  isBehind: boolean;
  /** Its stream ends once it has all of that. */
  isResting: boolean;
};

/** What a socket keeps while the object sleeps; times in milliseconds since the epoch. */
type Attachment = { readonly expires_at: number | null; readonly task?: string };

/** A socket hears everything, or only what is of one task. */
type Listening = { readonly seat: Seat; readonly task: string | undefined };

export type Limits = {
  /** How many may listen at once. */
  readonly maxListeners: number;
  /** When the platform last answered a `ping` of a socket. */
  readonly lastPing: (socket: WebSocket) => number | null;
};

const utf8 = new TextEncoder();

export class Audience {
  readonly #sockets = new Map<WebSocket, Listening>();
  readonly #followers = new Set<Follower>();
  #limits: Limits = { maxListeners: Infinity, lastPing: () => null };

  /** `sockets` are those that were open before the object slept. */
  constructor(sockets: Iterable<WebSocket>) {
    for (const socket of sockets) this.#sockets.set(socket, this.#listening(socket, attachmentOf(socket)));
  }

  /** Sets how many may join from now on, and how to tell who is alive. */
  limit(limits: Limits): void {
    this.#limits = limits;
  }

  /** A socket, until its token expires at `expiresAt`; null when it never does. With `task`, it hears of that alone. */
  join(socket: WebSocket, expiresAt: number | null, task?: string): void {
    const attachment: Attachment = { expires_at: expiresAt, ...(task === undefined ? {} : { task }) };
    socket.serializeAttachment(attachment);
    this.#sockets.set(socket, this.#listening(socket, attachment));
  }

  leave(socket: WebSocket): void {
    this.#sockets.delete(socket);
  }

  /** What is known of a socket; undefined for one that has left. */
  seatOf(socket: WebSocket): Seat | undefined {
    return this.#sockets.get(socket)?.seat;
  }

  /** The one task that a socket hears of; undefined for one that hears everything. */
  taskOf(socket: WebSocket): string | undefined {
    return this.#sockets.get(socket)?.task;
  }

  /** Throws `too_many_requests` when everything is taken, by sockets that are alive or by streams. */
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

  /** Says something to one socket; a socket that is gone is forgotten. */
  say(socket: WebSocket, frame: ControlFrame | Frame): void {
    this.#send(socket, JSON.stringify(frame));
  }

  /**
   * A stream of JSON lines: first what `past` has after `after`, as fast as it is read, then live frames. Ends after
   * `done` when it follows a thread.
   */
  follow(past: (after: number) => Iterable<Frame>, after: number, threadId: string | null): ReadableStream<Uint8Array> {
    let first: Iterable<Frame> | null = past(after);
    this.makeRoom();
    let last = after;
    let follower: Follower | null = null;
    const catchUp = (): void => {
      if (follower?.isBehind !== true) return;
      // Asked for anew by each portion: what was open by the one before may be stored by now.
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

  /** Ends one socket's connection. */
  end(socket: WebSocket, { code, reason }: Closing): void {
    this.#sockets.delete(socket);
    try {
      socket.close(code, reason);
    } catch {
      // Closed meanwhile: so it has what it was to get.
    }
  }

  /** Ends the streams of those who follow one thread: it rests until the person answers. */
  rest(threadId: string): void {
    for (const follower of this.#followers) {
      if (follower.threadId !== threadId) continue;
      if (follower.isBehind) follower.isResting = true;
      else this.#close(follower);
    }
  }

  /** Ends everybody's connection: the conversation is gone. */
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

function attachmentOf(socket: WebSocket): Attachment {
  return (socket.deserializeAttachment() as Attachment | null) ?? { expires_at: null };
}
