// One message and all that it causes, from the client's side.

import { createApi } from "../../src/client/api.ts";
import { connect, type Connection, type ConnectOptions } from "../../src/client/connect.ts";
import { CommandRefused } from "../../src/client/command-outbox.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { AskOptions } from "./options.ts";

export type Question = { readonly prompt: string; readonly request_id: string };

export type Exchange = {
  /** Called for each event of the thread, in order. */
  readonly hear: (frame: Frame, connection: Connection) => void;
  readonly tell: (notice: string) => void;
  /** The person's answer, or null when nobody is there to give one. */
  readonly answer: (question: Question) => Promise<string | null>;
  readonly socket?: Pick<ConnectOptions, "WebSocket" | "timing">;
  /** How long a server may stay away before the exchange is given up. */
  readonly patienceMs?: number;
};

/** `asked` means that the thread waits for an answer that nobody here can give. */
export type Outcome = { readonly kind: "well" | "failed" | "asked"; readonly conversationId: string };

export type Running = {
  readonly outcome: Promise<Outcome>;
  /** Asks the server to stop the thread; the outcome still comes. */
  cancel(): void;
};

const FAILURES: ReadonlySet<string> = new Set(["system_failed", "plan_failed", "task_failed", "task_cancelled"]);

const PATIENCE_MS = 30_000;

/** The outcome rejects with a `Fault` or `CommandRefused` when the message could not be delivered. */
export function ask(options: AskOptions, exchange: Exchange): Running {
  const abort = new AbortController();
  return { outcome: run(options, exchange, abort.signal), cancel: () => abort.abort() };
}

async function run(options: AskOptions, exchange: Exchange, cancelled: AbortSignal): Promise<Outcome> {
  const { url, token } = options;
  const api = createApi({ url, token });
  const known = options.conversation;
  const { conversation_id: conversationId } = await (known === undefined
    ? api.createConversation()
    : api.conversation(known));
  const follower = followThread(options, conversationId, exchange);
  try {
    const kind = await follower.play(cancelled);
    return { kind, conversationId };
  } finally {
    follower.connection.close();
  }
}

function followThread(options: AskOptions, conversationId: string, exchange: Exchange) {
  const { patienceMs = PATIENCE_MS } = exchange;
  /** Events that came before it was known which thread is ours. */
  let early: Frame[] = [];
  let threadId: string | undefined;
  let startsAfter: number | undefined;
  let hasFailed = false;
  let lost: ReturnType<typeof setTimeout> | undefined;
  const ready = defer<Extract<ServerFrame, { type: "ready" }>>();
  const end = defer<Outcome["kind"]>();
  const failure = defer<never>();

  const connection = connect({
    url: options.url,
    token: options.token,
    conversationId,
    ...exchange.socket,
    onFrame: (frame) => {
      if ("event" in frame) return threadId === undefined ? void early.push(frame) : take(frame);
      if (frame.type !== "ready") return;
      startsAfter ??= frame.seq;
      ready.resolve(frame);
    },
    onState: (state) => {
      if (state.status === "open") clearTimeout(lost);
      if (state.status === "open") lost = undefined;
      if (state.status === "failed") fail(state.fault);
      if (state.status !== "waiting" || lost !== undefined) return;
      exchange.tell("The connection is lost; trying again …");
      lost = setTimeout(() => fail(new Fault("unavailable", `${options.url} does not come back.`)), patienceMs);
    },
  });

  function fail(reason: unknown): void {
    ready.reject(reason);
    failure.reject(reason);
    end.reject(reason);
  }

  function take(frame: Frame): void {
    const isOurs = "thread_id" in frame.data && frame.data.thread_id === threadId;
    if (!isOurs || frame.seq <= (startsAfter ?? 0)) return;
    exchange.hear(frame, connection);
    if (FAILURES.has(frame.event) || wasCancelled(frame)) hasFailed = true;
    if (frame.event === "plan_require_user_input" || frame.event === "task_waiting") {
      void settle({ prompt: frame.data.payload.content, request_id: frame.data.payload.request_id });
    }
    if (frame.event === "done") end.resolve(hasFailed ? "failed" : "well");
  }

  async function settle(question: Question): Promise<void> {
    try {
      const words = await exchange.answer(question);
      if (words === null) end.resolve("asked");
      else await connection.resume(words, { request_id: question.request_id });
    } catch (thrown) {
      if (!(thrown instanceof CommandRefused) || thrown.code !== "unprocessable") return fail(thrown);
      // Another answer may do.
      exchange.tell(thrown.message);
      return settle(question);
    }
  }

  async function play(cancelled: AbortSignal): Promise<Outcome["kind"]> {
    const { pending } = await ready.promise;
    const { message, agent, language, timezone, verify } = options;
    const [asked] = pending;
    const answer =
      asked !== undefined
        ? connection.resume(message, { request_id: asked.request_id })
        : connection.send(message, { agent, language, timezone, ...(verify ? { verify } : {}) });
    // The connection never gives up on a message by itself; nothing but a failure ends the exchange before its answer.
    const ack = await Promise.race([answer, failure.promise]);
    threadId = ack.thread_id;
    for (const frame of early) take(frame);
    early = [];
    const cancel = () => void connection.cancel(threadId === undefined ? {} : { thread_id: threadId }).catch(fail);
    if (cancelled.aborted) cancel();
    else cancelled.addEventListener("abort", cancel, { once: true });
    return end.promise.catch(leave).finally(() => clearTimeout(lost));
  }

  /** A message that was taken is answered once the server is back. */
  function leave(reason: unknown): never {
    const isGone = reason instanceof Fault && reason.code === "unavailable";
    if (isGone) exchange.tell(`What comes of it will stand in conversation ${conversationId}.`);
    throw reason;
  }

  return { connection, play };
}

/** An answer without a task, when it is stopped, tells so in its `done` alone. */
export function wasCancelled({ event, data }: Frame): boolean {
  return event === "done" && data.metadata?.["cancelled"] === true;
}

/** A promise that is settled from outside. One that nobody awaits may reject without harm. */
function defer<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
