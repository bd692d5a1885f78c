// HTTP requests to agents, bounded by a watch: no redirects, and no more bytes or time than it allows.

import { AgentFailure, CREDENTIALS_REQUIRED } from "./agent-failure.ts";
import type { ExchangeWatch } from "./exchange-watch.ts";

/** The part of `fetch` that a service binding and the global function share. */
export type HttpFetcher = { fetch(url: string, init?: RequestInit): Promise<Response> };

/** The global `fetch`. */
export const globalFetcher: HttpFetcher = { fetch: (url, init) => fetch(url, init) };

/** Sends a request. Throws an `AgentFailure` if it fails or is answered with a redirect. */
export async function sendRequest(
  caller: HttpFetcher,
  url: string,
  init: RequestInit,
  watch: ExchangeWatch,
): Promise<Response> {
  const response = await sendRequestOnce(caller, url, init, watch);
  if (response.status < 300 || response.status >= 400) return response;
  discardBody(response);
  throw new AgentFailure(
    "agent_protocol",
    `The agent answered with a redirect (${response.status}), which is not followed.`,
  );
}

/**
 * Sends a request and returns the response, also a redirect, for the caller to handle. Throws an `AgentFailure`
 * (`agent_unreachable`) on a network error, and the failure of the watch.
 */
export async function sendRequestOnce(
  caller: HttpFetcher,
  url: string,
  init: RequestInit,
  watch: ExchangeWatch,
): Promise<Response> {
  const { signal } = watch;
  watch.startListening();
  try {
    return await raceAbort(signal, caller.fetch(url, { ...init, redirect: "manual", signal }), discardBody);
  } catch (cause) {
    throw watch.failure ?? new AgentFailure("agent_unreachable", "The agent could not be reached.", cause);
  } finally {
    watch.stopListening();
  }
}

/**
 * Yields the chunks of a body as they arrive. Leaving the loop early cancels the body. Throws an `AgentFailure` if
 * the connection breaks or a limit is exceeded.
 */
export async function* readBody(response: Response, watch: ExchangeWatch): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const stop = () => ignoreErrors(reader.cancel());
  watch.signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      if (watch.failure !== undefined) throw watch.failure;
      watch.startListening();
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw watch.failure ?? new AgentFailure("agent_unreachable", "The connection to the agent broke.", cause);
      });
      watch.stopListening();
      if (watch.failure !== undefined) throw watch.failure;
      if (done || value === undefined) return;
      watch.countBytes(value.byteLength);
      yield value;
    }
  } finally {
    watch.signal.removeEventListener("abort", stop);
    stop();
  }
}

/** Reads and parses the whole body. Throws a `SyntaxError` if it is not JSON. */
export async function readJson(response: Response, watch: ExchangeWatch): Promise<unknown> {
  const utf8 = new TextDecoder();
  let text = "";
  for await (const piece of readBody(response, watch)) text += utf8.decode(piece, { stream: true });
  return JSON.parse(text + utf8.decode());
}

/** Returns the same response with a body that is read under the watch. */
export function withWatchedBody(response: Response, watch: ExchangeWatch): Response {
  if (response.body === null) return response;
  const pieces = readBody(response, watch);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/** Throws an `AgentFailure` for an HTTP error status. The body is discarded unread. */
export function checkStatus(response: Response): void {
  const { status } = response;
  if (response.ok) return;
  checkAccess(response);
  discardBody(response);
  if (status === 429) throw new AgentFailure("agent_unreachable", "The agent is too busy (HTTP 429).");
  if (status >= 500) throw new AgentFailure("agent_unreachable", `The agent is out of order (HTTP ${status}).`);
  throw new AgentFailure("agent_protocol", `The agent refused the request (HTTP ${status}).`);
}

/** Throws an `AgentFailure` (`agent_unauthorized`) for the statuses 401 and 403. */
export function checkAccess(response: Response): void {
  if (response.status !== 401 && response.status !== 403) return;
  discardBody(response);
  throw new AgentFailure("agent_unauthorized", CREDENTIALS_REQUIRED);
}

/** Cancels a body that is not needed, to release its connection. */
export function discardBody(response: Response): void {
  if (response.body !== null) ignoreErrors(response.body.cancel());
}

/** Ignores the rejection of cleanup work. */
export function ignoreErrors(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

/**
 * Returns the result of `work`, or rejects with the abort reason as soon as the signal aborts. A result that arrives
 * later is passed to `onLate`.
 */
export function raceAbort<T>(signal: AbortSignal, work: Promise<T>, onLate: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason);
      ignoreErrors(work.then(onLate));
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
