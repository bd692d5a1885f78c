// A conversation as a client holds it: one view that stays true while lines come and go.
//
// 1. What was folded in is never folded in again: every socket asks for what came after it.
// 2. A command is sent with the same id on every new socket until the server has answered it.
// 3. A line that cannot come back (no such conversation, no right to it) ends the connection with the reason.
// 4. What was heard of a conversation that is no more (deleted and begun anew under its id) is dropped, and the client
//    starts over from the first event: never a mixture, never a silent gap.

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
  /** Offline for now; `retryAt` is in milliseconds since the epoch. */
  | { readonly status: "waiting"; readonly retryAt: number }
  | { readonly status: "closed" }
  /** Given up: trying again would not help. */
  | { readonly status: "failed"; readonly fault: Fault };

export type Timing = LineTiming & {
  readonly backoff: Backoff;
  /** How long an acknowledgement may take before the command is sent again on a new socket. */
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
  /** Asks for what came after this `seq` only. The view then lacks what was before it. */
  readonly after?: number;
  /** Needed where there is no global `WebSocket`: Node before 22. */
  readonly WebSocket?: SocketConstructor;
  /** Every frame once, in order. */
  readonly onFrame?: (frame: ServerFrame) => void;
  /** What was heard so far does not belong to the conversation that is there now: it is told from its first event. */
  readonly onReset?: () => void;
  readonly onView?: (view: View) => void;
  /**
   * Puts off folding in what happens live: calls `fold` once, soon. Frames heard until then cost one copy of the view
   * together, which counts where it is long. Without it every frame is folded in at once.
   */
  readonly batch?: (fold: () => void) => void;
  readonly onState?: (state: ConnectionState) => void;
  readonly timing?: Partial<Timing>;
};

/** Commands wait while offline; their promises reject with `CommandRefused`, or a `Fault` when the connection ends. */
export type Connection = {
  readonly view: View;
  readonly state: ConnectionState;
  send(message: string, options?: Omit<Send, "message">): Promise<Ack>;
  /** Answers a question; `request_id` may be left out while just one is open. */
  resume(message: string, options?: Omit<Resume, "message">): Promise<Ack>;
  /** Without a target, the thread that runs; the answer names the thread that was meant. */
  cancel(target?: Cancel): Promise<Ack>;
  /** Calls `listener` after every change of the view, until the returned function is called. */
  subscribe(listener: (view: View) => void): () => void;
  /**
   * For who learns that the network is back: tries at once instead of waiting, and asks a line that seems open whether
   * it still is.
   */
  retry(): void;
  close(): void;
};

const HISTORY_BATCH = 500;
/** Who sends more is cut off without a word, and would be again on the next socket. */
const MOST_CHARS = mostOfCommand(MOST_MESSAGE_BYTES);
const HOPELESS: ReadonlySet<Fault["code"]> = new Set(["unauthorized", "forbidden", "not_found"]);

export function connect(options: ConnectOptions): Connection {
  const { conversationId, onFrame, onReset, onState, batch = (fold) => fold() } = options;
  const timing: Timing = { ...DEFAULT_TIMING, ...options.timing };
  const { fetch = globalThis.fetch } = options;
  // A network that swallows questions does so over HTTP too.
  const api = createConversationsApi({
    ...options,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(timing.silenceMs) }),
  });
  const outbox = createOutbox();
  const Socket = options.WebSocket ?? globalSocket();
  const listeners = new Set<(view: View) => void>(options.onView === undefined ? [] : [options.onView]);
  let view: View = { ...EMPTY_VIEW, seq: options.after ?? 0 };
  /** Heard and not folded in yet. */
  const backlog: ServerFrame[] = [];
  let state: ConnectionState = { status: "connecting" };
  let line: Line | undefined;
  let attempt = 0;
  /** How long was waited before the line that there is, and since when that is open. */
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

  /** A ticket opens one socket once, so every try needs its own. */
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
    // A long history is folded in bulk: frame by frame it would copy all items for each of them.
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
    // Who heard of the new view may have closed.
    if (frame.type !== "ready" || hasFinished()) return;
    openedAt = Date.now();
    enter({ status: "open" });
    for (const command of outbox.pending()) transmit(command);
  }

  async function lose(): Promise<void> {
    const wasReady = state.status === "open";
    // A server that lets everybody in and drops them at once, without any news, must not be asked at once again.
    if (wasReady && Date.now() - openedAt >= waitedMs) attempt = 0;
    line = undefined;
    clearTimeout(overdue);
    if (hasFinished()) return;
    // A refused upgrade does not say why: the same question over HTTP does.
    const reason = wasReady ? undefined : await api.conversation(conversationId).catch((thrown: unknown) => thrown);
    later(reason);
  }

  function later(reason: unknown): void {
    if (hasFinished()) return;
    const fault = reason instanceof Error ? toFault(reason) : undefined;
    if (fault !== undefined && HOPELESS.has(fault.code)) return finish({ status: "failed", fault }, fault);
    waitedMs = delayBefore(attempt++, timing.backoff);
    // Before anybody hears of it: who then closes takes it back.
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

  /** As long as commands are unanswered, the server has to answer one of them in time. */
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

/** Null for what this version does not understand: a newer server may say more. */
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
