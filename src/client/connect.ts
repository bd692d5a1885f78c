// The connection of a client to one conversation. It owns the view, the current socket, the outbox and all timers.
//
// Invariants:
// 1. Each event is folded once: a new socket requests the events after `view.seq`, and older ones are ignored (L2).
// 2. A command keeps its id and is sent on every new socket until the server has answered it (T2).
// 3. A fault in FATAL_CODES ends the connection with status `failed`. All other losses are retried with backoff.
// 4. If the conversation was deleted and created again under the same id, the view is reset and loaded from the first
//    event. Events of two logs are never mixed.
// Order: a frame is folded, or queued for `batch`, before it is handled and passed to `onFrame`; state is set before
// `onState` is called, and callbacks may call `close`.
// Failure: pending commands reject when the connection ends. An error thrown by a callback is not caught.

import {
  largestIn,
  MOST_MESSAGE_BYTES,
  mostOfCommand,
  type Cancel,
  type ClientCommand,
  type Resume,
  type Send,
} from "../protocol/commands.ts";
import { toFault, type Fault } from "../protocol/fault.ts";
import { parseServerFrame, type ControlFrame, type ServerFrame } from "../protocol/frames.ts";
import { mint } from "../protocol/ids.ts";
import { EMPTY_VIEW, foldAll, type View } from "../protocol/view.ts";
import { delayBefore, type Backoff } from "./backoff.ts";
import { createConversationsApi } from "./conversations.ts";
import type { ApiOptions } from "./door.ts";
import { openLine, type Line, type LineTiming, type SocketConstructor } from "./line.ts";
import { CommandRefused, createOutbox, type Ack } from "./outbox.ts";

export type ConnectionState =
  | { readonly status: "connecting" }
  | { readonly status: "open" }
  /** Offline until the next attempt; `retryAt` is in ms since the epoch. */
  | { readonly status: "waiting"; readonly retryAt: number }
  | { readonly status: "closed" }
  /** Ended by a fault that another attempt cannot fix. */
  | { readonly status: "failed"; readonly fault: Fault };

export type Timing = LineTiming & {
  readonly backoff: Backoff;
  /** Timeout in ms of an acknowledgement. After it the socket is replaced and the command sent again. */
  readonly ackMs: number;
};

const DEFAULT_TIMING: Timing = {
  pingEveryMs: 20_000,
  silenceMs: 10_000,
  backoff: { minMs: 250, maxMs: 10_000 },
  ackMs: 15_000,
};

export type ConnectOptions = ApiOptions & {
  readonly conversationId: string;
  /** Requests only events after this `seq`. The view then lacks the earlier ones. */
  readonly after?: number;
  /** Required where no global `WebSocket` exists, as in Node before 22. */
  readonly WebSocket?: SocketConstructor;
  /** Receives every frame once, in order. */
  readonly onFrame?: (frame: ServerFrame) => void;
  /** Called when the view was reset because the server now has another conversation under this id. */
  readonly onReset?: () => void;
  readonly onView?: (view: View) => void;
  /**
   * Defers the folding of live frames: must call `fold` once, soon. Frames that arrive until then share one copy of the
   * view, which matters if the view is long. Without it every frame is folded immediately.
   */
  readonly batch?: (fold: () => void) => void;
  readonly onState?: (state: ConnectionState) => void;
  readonly timing?: Partial<Timing>;
};

/**
 * Commands are queued while offline. Their promises resolve with the acknowledgement. They reject with `CommandRefused`
 * if the server refuses, with a `Fault` if the connection fails, and with an `AbortError` if it is closed.
 */
export type Connection = {
  readonly view: View;
  readonly state: ConnectionState;
  send(message: string, options?: Omit<Send, "message">): Promise<Ack>;
  /** Answers a question. `request_id` may be omitted if exactly one is open. */
  resume(message: string, options?: Omit<Resume, "message">): Promise<Ack>;
  /** Cancels the target, or the running thread without one. The acknowledgement contains the id of the thread. */
  cancel(target?: Cancel): Promise<Ack>;
  /** Calls `listener` after every change of the view, until the returned function is called. */
  subscribe(listener: (view: View) => void): () => void;
  /**
   * Reconnects immediately instead of waiting, and pings an open socket to check that it still works. Call it when the
   * network comes back.
   */
  retry(): void;
  /** Ends the connection; pending commands reject with an `AbortError`. Later calls have no effect. */
  close(): void;
};

const HISTORY_BATCH = 500;
/** The server closes the socket without a reply to a longer command, so such a command is rejected here. */
const MOST_CHARS = mostOfCommand(MOST_MESSAGE_BYTES);
const HOPELESS: ReadonlySet<Fault["code"]> = new Set(["unauthorized", "forbidden", "not_found"]);

/**
 * Opens a connection to a conversation and keeps it open until `close` or a fatal fault. Returns immediately with an
 * empty view. Throws an Error if no WebSocket implementation is available.
 */
export function connect(options: ConnectOptions): Connection {
  const { conversationId, onFrame, onReset, onState, batch = (fold) => fold() } = options;
  const timing: Timing = { ...DEFAULT_TIMING, ...options.timing };
  const { fetch = globalThis.fetch } = options;
  // A network that drops packets on sockets drops HTTP requests as well, so these get a timeout, too.
  const api = createConversationsApi({
    ...options,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timing.silenceMs) }),
  });
  const outbox = createOutbox();
  const Socket = options.WebSocket ?? globalSocket();
  const listeners = new Set<(view: View) => void>(options.onView === undefined ? [] : [options.onView]);
  let view: View = { ...EMPTY_VIEW, seq: options.after ?? 0 };
  /** Frames that are received and not folded yet. */
  const backlog: ServerFrame[] = [];
  let state: ConnectionState = { status: "connecting" };
  let line: Line | undefined;
  let attempt = 0;
  /** The delay before the current socket, and the time since which it is open. */
  let waitedMs = 0;
  let openedAt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let overdue: ReturnType<typeof setTimeout> | undefined;

  void open();
  return {
    get view() {
      return view;
    },
    get state() {
      return state;
    },
    send: (message, more = {}) => submit({ type: "send", id: mint("cmd"), message, ...more }),
    resume: (message, more = {}) => submit({ type: "resume", id: mint("cmd"), message, ...more }),
    cancel: (target = {}) => submit({ type: "cancel", id: mint("cmd"), ...target }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry() {
      if (state.status === "open") line?.ask();
      if (state.status !== "waiting") return;
      clearTimeout(retry);
      void open();
    },
    close: () => finish({ status: "closed" }, new DOMException("The connection was closed", "AbortError")),
  };

  function enter(next: ConnectionState): void {
    state = next;
    onState?.(next);
  }

  function hasFinished(): boolean {
    return state.status === "closed" || state.status === "failed";
  }

  function finish(last: ConnectionState, reason: unknown): void {
    if (hasFinished()) return;
    clearTimeout(retry);
    enter(last);
    outbox.rejectAll(reason);
    line?.end();
  }

  async function open(): Promise<void> {
    enter({ status: "connecting" });
    try {
      const url = await addressOf();
      if (hasFinished()) return;
      line = openLine(Socket, url, timing, { onText: hear, onEnd: () => void lose() });
    } catch (thrown) {
      later(thrown);
    }
  }

  /** A ticket opens one socket once, so every attempt requests its own. */
  async function addressOf(): Promise<string> {
    const address = new URL(
      `${options.url.replace(/\/+$/, "")}/api/v1/conversations/${encodeURIComponent(conversationId)}/ws`,
    );
    address.protocol = address.protocol.replace("http", "ws");
    foldBacklog();
    address.searchParams.set("after", String(view.seq));
    if (options.token !== undefined) address.searchParams.set("ticket", await api.ticket(conversationId));
    return address.href;
  }

  function hear(text: string): void {
    const frame = readFrame(text);
    if (frame === null) return;
    const isEvent = "event" in frame;
    if (isEvent && frame.seq <= lastSeq()) return;
    if (!isEvent && isOfAnotherLog(frame)) return startOver();
    if (isEvent) attempt = 0;
    backlog.push(frame);
    if (isEvent && view.isCaughtUp) batch(foldBacklog);
    // A long history is folded in bulk. Folding frame by frame would copy all items for each frame.
    else if (!isEvent || backlog.length >= HISTORY_BATCH) foldBacklog();
    if (!isEvent) control(frame);
    onFrame?.(frame);
  }

  function isOfAnotherLog(frame: ControlFrame): boolean {
    if (frame.type === "error") return frame.id === undefined && frame.code === "seq_unknown";
    const known = view.conversation;
    return frame.type === "ready" && known !== null && known.created_at !== frame.conversation.created_at;
  }

  function startOver(): void {
    backlog.length = 0;
    view = EMPTY_VIEW;
    onReset?.();
    for (const listener of listeners) listener(view);
    line?.end();
  }

  function lastSeq(): number {
    const last = backlog.at(-1);
    return last !== undefined && "event" in last ? last.seq : view.seq;
  }

  function foldBacklog(): void {
    const before = view;
    view = foldAll(view, backlog.splice(0));
    if (view !== before) for (const listener of listeners) listener(view);
  }

  function control(frame: ControlFrame): void {
    if (frame.type === "ack" || frame.type === "error") {
      outbox.settle(frame);
      expectAnswer();
    }
    // A listener of the view may have closed the connection.
    if (frame.type !== "ready" || hasFinished()) return;
    openedAt = Date.now();
    enter({ status: "open" });
    for (const command of outbox.pending()) transmit(command);
  }

  async function lose(): Promise<void> {
    const wasReady = state.status === "open";
    // A socket that closes right after `ready`, without new events, must not reset the backoff.
    if (wasReady && Date.now() - openedAt >= waitedMs) attempt = 0;
    line = undefined;
    clearTimeout(overdue);
    if (hasFinished()) return;
    // A rejected upgrade contains no reason. An HTTP request for the conversation returns it.
    const reason = wasReady ? undefined : await api.conversation(conversationId).catch((thrown: unknown) => thrown);
    later(reason);
  }

  function later(reason: unknown): void {
    if (hasFinished()) return;
    const fault = reason instanceof Error ? toFault(reason) : undefined;
    if (fault !== undefined && HOPELESS.has(fault.code)) return finish({ status: "failed", fault }, fault);
    waitedMs = delayBefore(attempt++, timing.backoff);
    // The timer is set before `onState` is called, because a `close` in the callback must clear it.
    retry = setTimeout(() => void open(), waitedMs);
    enter({ status: "waiting", retryAt: Date.now() + waitedMs });
  }

  function submit(command: ClientCommand): Promise<Ack> {
    const text = JSON.stringify(command);
    if (text.length > MOST_CHARS) return Promise.reject(tooLarge(largestIn(text)));
    if (state.status === "failed") return Promise.reject(state.fault);
    if (state.status === "closed") return Promise.reject(new DOMException("The connection is closed", "AbortError"));
    const answer = outbox.add(command);
    if (state.status === "open") transmit(command);
    return answer;
  }

  function transmit(command: ClientCommand): void {
    line?.send(JSON.stringify(command));
    expectAnswer();
  }

  /** Restarts the timeout while commands are pending. The server must answer at least one of them in time. */
  function expectAnswer(): void {
    clearTimeout(overdue);
    if (outbox.pending().length > 0) overdue = setTimeout(() => line?.end(), timing.ackMs);
  }
}

function tooLarge(field: string | undefined): CommandRefused {
  const refusal = { type: "error", code: "too_large" } as const;
  if (field === undefined)
    return new CommandRefused({ ...refusal, message: `The command must not exceed ${MOST_CHARS} characters.` });
  return new CommandRefused({ ...refusal, field, message: `${field}: must not exceed ${MOST_MESSAGE_BYTES} bytes` });
}

/** Parses a frame. Returns null for an unknown or invalid frame, because a newer server may send more kinds. */
function readFrame(text: string): ServerFrame | null {
  try {
    return parseServerFrame(JSON.parse(text));
  } catch {
    return null;
  }
}

function globalSocket(): SocketConstructor {
  if (typeof WebSocket === "undefined") {
    throw new Error("This platform has no WebSocket: pass one, for example from the package `ws`.");
  }
  return WebSocket as unknown as SocketConstructor;
}
