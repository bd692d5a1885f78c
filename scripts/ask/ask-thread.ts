// Sends one message and follows its thread to the end, with the typed client.

import { createApi } from "../../src/client/api.ts";
import { connect, type Connection, type ConnectOptions } from "../../src/client/connect.ts";
import { CommandRefused } from "../../src/client/command-outbox.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import type { ServerFrame } from "../../src/protocol/wire/server-frames.ts";
import type { AskOptions } from "./options.ts";

export type AskQuestion = { readonly prompt: string; readonly request_id: string };

export type AskHandlers = {
  /** Called for each event of the thread, in order. */
  readonly onFrame: (frame: Frame, connection: Connection) => void;
  readonly onNotice: (notice: string) => void;
  /** Resolves with the user's answer, or with null if no user can answer. */
  readonly answerQuestion: (question: AskQuestion) => Promise<string | null>;
  readonly connectOptions?: Pick<ConnectOptions, "WebSocket" | "timing">;
  /** The time without a connection after which the thread is no longer followed. */
  readonly reconnectTimeoutMs?: number;
};

/** `waiting` means that the thread waits for an answer and no user can give it here. */
export type AskOutcome = { readonly kind: "completed" | "failed" | "waiting"; readonly conversationId: string };

export type AskRequest = {
  readonly outcome: Promise<AskOutcome>;
  /** Asks the server to cancel the thread. The outcome still follows. */
  cancel(): void;
};

const FAILURES: ReadonlySet<string> = new Set(["system_failed", "plan_failed", "task_failed", "task_cancelled"]);

const RECONNECT_TIMEOUT_MS = 30_000;

/** Sends the message. The outcome rejects with a `Fault` or `CommandRefused` if the message was not delivered. */
export function ask(options: AskOptions, handlers: AskHandlers): AskRequest {
  const abort = new AbortController();
  return { outcome: runThread(options, handlers, abort.signal), cancel: () => abort.abort() };
}

async function runThread(options: AskOptions, handlers: AskHandlers, cancelled: AbortSignal): Promise<AskOutcome> {
  const { url, token } = options;
  const api = createApi({ url, token });
  const requestedId = options.conversation;
  const { conversation_id: conversationId } = await (requestedId === undefined
    ? api.createConversation()
    : api.readConversation(requestedId));
  const thread = followThread(options, conversationId, handlers);
  try {
    const kind = await thread.runToEnd(cancelled);
    return { kind, conversationId };
  } finally {
    thread.connection.close();
  }
}

function followThread(options: AskOptions, conversationId: string, handlers: AskHandlers) {
  const { reconnectTimeoutMs = RECONNECT_TIMEOUT_MS } = handlers;
  /** Events that arrived before the id of the thread was known. */
  let earlyFrames: Frame[] = [];
  let threadId: string | undefined;
  let startsAfter: number | undefined;
  let hasFailed = false;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
  const ready = defer<Extract<ServerFrame, { type: "ready" }>>();
  const ended = defer<AskOutcome["kind"]>();
  const failed = defer<never>();

  const connection = connect({
    url: options.url,
    token: options.token,
    conversationId,
    ...handlers.connectOptions,
    onFrame: (frame) => {
      if ("event" in frame) return threadId === undefined ? void earlyFrames.push(frame) : handleFrame(frame);
      if (frame.type !== "ready") return;
      startsAfter ??= frame.seq;
      ready.resolve(frame);
    },
    onState: (state) => {
      if (state.status === "open") clearTimeout(reconnectTimer);
      if (state.status === "open") reconnectTimer = undefined;
      if (state.status === "failed") fail(state.fault);
      if (state.status !== "waiting" || reconnectTimer !== undefined) return;
      handlers.onNotice("Connection lost. Reconnecting …");
      reconnectTimer = setTimeout(
        () => fail(new Fault("unavailable", `The connection to ${options.url} could not be restored.`)),
        reconnectTimeoutMs,
      );
    },
  });

  function fail(reason: unknown): void {
    ready.reject(reason);
    failed.reject(reason);
    ended.reject(reason);
  }

  function handleFrame(frame: Frame): void {
    const isOurs = "thread_id" in frame.data && frame.data.thread_id === threadId;
    if (!isOurs || frame.seq <= (startsAfter ?? 0)) return;
    handlers.onFrame(frame, connection);
    if (FAILURES.has(frame.event) || wasCancelled(frame)) hasFailed = true;
    if (frame.event === "plan_require_user_input" || frame.event === "task_waiting") {
      void askUser({ prompt: frame.data.payload.content, request_id: frame.data.payload.request_id });
    }
    if (frame.event === "done") ended.resolve(hasFailed ? "failed" : "completed");
  }

  async function askUser(question: AskQuestion): Promise<void> {
    try {
      const answer = await handlers.answerQuestion(question);
      if (answer === null) ended.resolve("waiting");
      else await connection.resume(answer, { request_id: question.request_id });
    } catch (thrown) {
      if (!(thrown instanceof CommandRefused) || thrown.code !== "unprocessable") return fail(thrown);
      // The server rejected this answer. Ask for another one.
      handlers.onNotice(thrown.message);
      return askUser(question);
    }
  }

  async function runToEnd(cancelled: AbortSignal): Promise<AskOutcome["kind"]> {
    const { pending } = await ready.promise;
    const { message, agent, language, timezone, verify } = options;
    const [pendingQuestion] = pending;
    const answer =
      pendingQuestion !== undefined
        ? connection.resume(message, { request_id: pendingQuestion.request_id })
        : connection.send(message, { agent, language, timezone, ...(verify ? { verify } : {}) });
    // The connection resends a message until it is acknowledged. Only a failure ends the wait earlier.
    const ack = await Promise.race([answer, failed.promise]);
    threadId = ack.thread_id;
    for (const frame of earlyFrames) handleFrame(frame);
    earlyFrames = [];
    const cancel = () => void connection.cancel(threadId === undefined ? {} : { thread_id: threadId }).catch(fail);
    if (cancelled.aborted) cancel();
    else cancelled.addEventListener("abort", cancel, { once: true });
    return ended.promise.catch(reportUnfinished).finally(() => clearTimeout(reconnectTimer));
  }

  /** An acknowledged message is answered after the server has restarted. */
  function reportUnfinished(reason: unknown): never {
    const isUnreachable = reason instanceof Fault && reason.code === "unavailable";
    if (isUnreachable)
      handlers.onNotice(`When the server is back, you will find the answer in conversation ${conversationId}.`);
    throw reason;
  }

  return { connection, runToEnd };
}

/** A cancelled direct answer has no task. Only its `done` says that it was cancelled. */
export function wasCancelled({ event, data }: Frame): boolean {
  return event === "done" && data.metadata?.["cancelled"] === true;
}

/** Creates a promise that is settled from outside. Its rejection is never reported as unhandled. */
function defer<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
