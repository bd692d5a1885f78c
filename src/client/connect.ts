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
  findOversizedField,
  MAX_CONFIGURABLE_MESSAGE_BYTES,
  computeMaxCommandSize,
  type CancelCommand,
  type ClientCommand,
  type ResumeCommand,
  type SendCommand,
} from "../protocol/wire/commands.ts";
import { toFault, type Fault } from "../protocol/wire/fault.ts";
import { parseServerFrame, type ControlFrame, type ServerFrame } from "../protocol/wire/server-frames.ts";
import { createId } from "../protocol/wire/ids.ts";
import { EMPTY_VIEW, foldFrames, type ConversationView } from "../protocol/wire/view.ts";
import { computeBackoffMs, type BackoffBounds } from "../lib/retry.ts";
import { createConversationsApi } from "./conversations.ts";
import type { ApiOptions } from "./http-client.ts";
import { openLiveSocket, type LiveSocket, type SocketTiming, type SocketConstructor } from "./live-socket.ts";
import { CommandRefused, createCommandOutbox, type Ack } from "./command-outbox.ts";

export type ConnectionState =
  | { readonly status: "connecting" }
  | { readonly status: "open" }
  /** Offline until the next attempt; `retryAt` is in ms since the epoch. */
  | { readonly status: "waiting"; readonly retryAt: number }
  | { readonly status: "closed" }
  /** Ended by a fault that another attempt cannot fix. */
  | { readonly status: "failed"; readonly fault: Fault };

export type ConnectionTiming = SocketTiming & {
  readonly backoff: BackoffBounds;
  /** Timeout in ms of an acknowledgement. After it the socket is replaced and the command sent again. */
  readonly ackMs: number;
};

const DEFAULT_TIMING: ConnectionTiming = {
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
  /** Called after every change of the view. */
  readonly onView?: (view: ConversationView) => void;
  /**
   * Defers the folding of live frames: must call `fold` once, soon. Frames that arrive until then share one copy of the
   * view, which matters if the view is long. Without it every frame is folded immediately.
   */
  readonly batch?: (fold: () => void) => void;
  readonly onState?: (state: ConnectionState) => void;
  readonly timing?: Partial<ConnectionTiming>;
};

/**
 * Commands are queued while offline. Their promises resolve with the acknowledgement. They reject with `CommandRefused`
 * if the server refuses, with a `Fault` if the connection fails, and with an `AbortError` if it is closed.
 */
export type Connection = {
  readonly view: ConversationView;
  readonly state: ConnectionState;
  send(message: string, options?: Omit<SendCommand, "message">): Promise<Ack>;
  /** Answers a question. `request_id` may be omitted if exactly one is open. */
  resume(message: string, options?: Omit<ResumeCommand, "message">): Promise<Ack>;
  /**
   * Cancels a thread or a task; without a target, the oldest open thread that a message started. The acknowledgement
   * contains the id of the thread.
   */
  cancel(target?: CancelCommand): Promise<Ack>;
  /** Calls `listener` after every change of the view, until the returned function is called. */
  subscribe(listener: (view: ConversationView) => void): () => void;
  /**
   * Reconnects immediately instead of waiting, and pings an open socket to check that it still works. Call it when the
   * network comes back.
   */
  retry(): void;
  /** Ends the connection; pending and later commands reject with an `AbortError`. Idempotent. */
  close(): void;
};

const HISTORY_BATCH_SIZE = 500;
/** The server closes the socket without a reply to a longer command, so such a command is rejected here. */
const MAX_COMMAND_CHARS = computeMaxCommandSize(MAX_CONFIGURABLE_MESSAGE_BYTES);
const FATAL_CODES: ReadonlySet<Fault["code"]> = new Set(["unauthorized", "forbidden", "not_found"]);

/**
 * Opens a connection to a conversation and keeps it open until `close` or a fatal fault. Returns immediately with an
 * empty view, after the first call of `onState`. Throws an Error if no WebSocket implementation is available.
 */
export function connect(options: ConnectOptions): Connection {
  const { conversationId, onFrame, onReset, onState, batch = (fold) => fold() } = options;
  const timing: ConnectionTiming = { ...DEFAULT_TIMING, ...options.timing };
  const { fetch = globalThis.fetch } = options;
  // A network that drops packets on sockets drops HTTP requests as well, so these get a timeout, too.
  const api = createConversationsApi({
    ...options,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timing.silenceMs) }),
  });
  const outbox = createCommandOutbox();
  const Socket = options.WebSocket ?? getGlobalWebSocket();
  const listeners = new Set<(view: ConversationView) => void>(options.onView === undefined ? [] : [options.onView]);
  let view: ConversationView = { ...EMPTY_VIEW, seq: options.after ?? 0 };
  /** Frames that are received and not folded yet. */
  const backlog: ServerFrame[] = [];
  let state: ConnectionState = { status: "connecting" };
  let socket: LiveSocket | undefined;
  let attempt = 0;
  /** The delay before the current socket, and the time since which it is open. */
  let waitedMs = 0;
  let openedAt = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let ackTimer: ReturnType<typeof setTimeout> | undefined;

  void open();
  return {
    get view() {
      return view;
    },
    get state() {
      return state;
    },
    send: (message, more = {}) => submit({ type: "send", id: createId("cmd"), message, ...more }),
    resume: (message, more = {}) => submit({ type: "resume", id: createId("cmd"), message, ...more }),
    cancel: (target = {}) => submit({ type: "cancel", id: createId("cmd"), ...target }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    retry() {
      if (state.status === "open") socket?.ping();
      if (state.status !== "waiting") return;
      clearTimeout(retryTimer);
      void open();
    },
    close: () => finish({ status: "closed" }, new DOMException("The connection was closed", "AbortError")),
  };

  function setState(next: ConnectionState): void {
    state = next;
    onState?.(next);
  }

  function hasFinished(): boolean {
    return state.status === "closed" || state.status === "failed";
  }

  function finish(last: ConnectionState, reason: unknown): void {
    if (hasFinished()) return;
    clearTimeout(retryTimer);
    setState(last);
    outbox.rejectAll(reason);
    socket?.close();
  }

  async function open(): Promise<void> {
    setState({ status: "connecting" });
    try {
      const url = await buildSocketUrl();
      if (hasFinished()) return;
      socket = openLiveSocket(Socket, url, timing, { onText: handleText, onEnd: () => void handleDisconnect() });
    } catch (thrown) {
      scheduleRetry(thrown);
    }
  }

  /** A ticket opens one socket once, so every attempt requests its own. */
  async function buildSocketUrl(): Promise<string> {
    const address = new URL(
      `${options.url.replace(/\/+$/, "")}/api/v1/conversations/${encodeURIComponent(conversationId)}/ws`,
    );
    address.protocol = address.protocol.replace("http", "ws");
    foldBacklog();
    address.searchParams.set("after", String(view.seq));
    if (options.token !== undefined) {
      const { ticket } = await api.issueTicket({ conversation_id: conversationId });
      address.searchParams.set("ticket", ticket);
    }
    return address.href;
  }

  function handleText(text: string): void {
    const frame = tryParseFrame(text);
    if (frame === null) return;
    const isEvent = "event" in frame;
    if (isEvent && frame.seq <= getLastSeq()) return;
    if (!isEvent && isOtherLog(frame)) return resetView();
    if (isEvent) attempt = 0;
    backlog.push(frame);
    if (isEvent && view.isCaughtUp) batch(foldBacklog);
    // A long history is folded in bulk. Folding frame by frame would copy all items for each frame.
    else if (!isEvent || backlog.length >= HISTORY_BATCH_SIZE) foldBacklog();
    if (!isEvent) handleControlFrame(frame);
    onFrame?.(frame);
  }

  function isOtherLog(frame: ControlFrame): boolean {
    if (frame.type === "error") return frame.id === undefined && frame.code === "seq_unknown";
    const known = view.conversation;
    return frame.type === "ready" && known !== null && known.created_at !== frame.conversation.created_at;
  }

  function resetView(): void {
    backlog.length = 0;
    view = EMPTY_VIEW;
    onReset?.();
    for (const listener of listeners) listener(view);
    socket?.close();
  }

  function getLastSeq(): number {
    const last = backlog.at(-1);
    return last !== undefined && "event" in last ? last.seq : view.seq;
  }

  function foldBacklog(): void {
    const before = view;
    view = foldFrames(view, backlog.splice(0));
    if (view !== before) for (const listener of listeners) listener(view);
  }

  function handleControlFrame(frame: ControlFrame): void {
    if (frame.type === "ack" || frame.type === "error") {
      outbox.settle(frame);
      restartAckTimer();
    }
    // A listener of the view may have closed the connection.
    if (frame.type !== "ready" || hasFinished()) return;
    openedAt = Date.now();
    setState({ status: "open" });
    for (const command of outbox.listPending()) transmit(command);
  }

  async function handleDisconnect(): Promise<void> {
    const wasReady = state.status === "open";
    // A socket that closes right after `ready`, without new events, must not reset the backoff.
    if (wasReady && Date.now() - openedAt >= waitedMs) attempt = 0;
    socket = undefined;
    clearTimeout(ackTimer);
    if (hasFinished()) return;
    // A rejected upgrade contains no reason. An HTTP request for the conversation returns it.
    const reason = wasReady ? undefined : await api.readConversation(conversationId).catch((thrown: unknown) => thrown);
    scheduleRetry(reason);
  }

  function scheduleRetry(reason: unknown): void {
    if (hasFinished()) return;
    const fault = reason instanceof Error ? toFault(reason) : undefined;
    if (fault !== undefined && FATAL_CODES.has(fault.code)) return finish({ status: "failed", fault }, fault);
    waitedMs = computeBackoffMs(++attempt, timing.backoff);
    // The timer is set before `onState` is called, because a `close` in the callback must clear it.
    retryTimer = setTimeout(() => void open(), waitedMs);
    setState({ status: "waiting", retryAt: Date.now() + waitedMs });
  }

  function submit(command: ClientCommand): Promise<Ack> {
    const text = JSON.stringify(command);
    if (text.length > MAX_COMMAND_CHARS) return Promise.reject(createTooLargeError(findOversizedField(text)));
    if (state.status === "failed") return Promise.reject(state.fault);
    if (state.status === "closed") return Promise.reject(new DOMException("The connection is closed", "AbortError"));
    const answer = outbox.add(command);
    if (state.status === "open") transmit(command);
    return answer;
  }

  function transmit(command: ClientCommand): void {
    socket?.send(JSON.stringify(command));
    restartAckTimer();
  }

  /** Restarts the timeout while commands are pending. The server must answer at least one of them in time. */
  function restartAckTimer(): void {
    clearTimeout(ackTimer);
    if (outbox.listPending().length > 0) ackTimer = setTimeout(() => socket?.close(), timing.ackMs);
  }
}

function createTooLargeError(field: string | undefined): CommandRefused {
  const refusal = { type: "error", code: "too_large" } as const;
  if (field === undefined)
    return new CommandRefused({ ...refusal, message: `The command must not exceed ${MAX_COMMAND_CHARS} characters.` });
  return new CommandRefused({
    ...refusal,
    field,
    message: `${field}: must not exceed ${MAX_CONFIGURABLE_MESSAGE_BYTES} bytes`,
  });
}

/** Parses a frame. Returns null for an unknown or invalid frame, because a newer server may send more kinds. */
function tryParseFrame(text: string): ServerFrame | null {
  try {
    return parseServerFrame(JSON.parse(text));
  } catch {
    return null;
  }
}

function getGlobalWebSocket(): SocketConstructor {
  if (typeof WebSocket === "undefined") {
    throw new Error("This platform has no WebSocket: pass one, for example from the package `ws`.");
  }
  return WebSocket as unknown as SocketConstructor;
}
