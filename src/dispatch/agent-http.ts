// HTTP requests to agents, bounded by a watch: no redirects, and no more bytes or time than it allows.

import { createMessage } from "../language/messages.ts";
import { raceAbort } from "../lib/with-timeout.ts";
import type { ExchangeWatch } from "./exchange-watch.ts";
import { createAgentFailure } from "./agent-failure.ts";

/** The part of `fetch` that a service binding and the global function share. */
export type HttpFetcher = { fetch(url: string, init?: RequestInit): Promise<Response> };

/** The global `fetch`. */
export const globalFetcher: HttpFetcher = { fetch: (url, init) => fetch(url, init) };

/**
 * Sends a request and returns the response, whatever its status, except a redirect. Throws a `Failure`:
 * `agent_protocol` for a redirect, `agent_unreachable` on a network error, or that of the watch.
 */
export async function sendRequest(
  caller: HttpFetcher,
  url: string,
  init: RequestInit,
  watch: ExchangeWatch,
): Promise<Response> {
  const response = await sendRequestKeepingRedirects(caller, url, init, watch);
  if (response.status < 300 || response.status >= 400) return response;
  discardBody(response);
  throw createAgentFailure("agent_protocol", createMessage("agent.redirect", { status: response.status }));
}

/**
 * Like `sendRequest`, but returns redirects as well, for the caller to handle. Counts silence until the response
 * begins.
 */
export async function sendRequestKeepingRedirects(
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
    throw watch.failure ?? createAgentFailure("agent_unreachable", "agent.unreachable", cause);
  } finally {
    watch.stopListening();
  }
}

/**
 * Yields the chunks of a body as they arrive; nothing without a body. Leaving the loop early cancels the body. Throws
 * a `Failure`: `agent_unreachable` if the connection breaks, or that of the watch if a limit is exceeded.
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
        throw watch.failure ?? createAgentFailure("agent_unreachable", "agent.connectionLost", cause);
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

/** Reads and parses the whole body. Throws a `SyntaxError` if it is not JSON, and the failures of `readBody`. */
export async function readJson(response: Response, watch: ExchangeWatch): Promise<unknown> {
  const utf8 = new TextDecoder();
  let text = "";
  for await (const piece of readBody(response, watch)) text += utf8.decode(piece, { stream: true });
  return JSON.parse(text + utf8.decode());
}

/** Returns a copy of the response whose body is read by `readBody`; the response itself without a body. */
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

/**
 * Throws a `Failure` unless the status is 2xx: `agent_unauthorized` for 401 and 403, `agent_unreachable` for 429
 * and 5xx, otherwise `agent_protocol`. The body is then discarded unread.
 */
export function assertOk(response: Response): void {
  const { status } = response;
  if (response.ok) return;
  assertAuthorized(response);
  discardBody(response);
  if (status === 429) throw createAgentFailure("agent_unreachable", "agent.rateLimited");
  if (status >= 500) throw createAgentFailure("agent_unreachable", createMessage("agent.unavailable", { status }));
  throw createAgentFailure("agent_protocol", createMessage("agent.requestRejected", { status }));
}

/** Throws a `Failure` (`agent_unauthorized`) for the statuses 401 and 403, and discards the body. */
export function assertAuthorized(response: Response): void {
  if (response.status !== 401 && response.status !== 403) return;
  discardBody(response);
  throw createAgentFailure("agent_unauthorized", "agent.credentialsRequired");
}

/** Cancels a body that is not needed, to release its connection. Does not wait; errors are ignored. */
export function discardBody(response: Response): void {
  if (response.body !== null) ignoreErrors(response.body.cancel());
}

/** Ignores the rejection of cleanup work. Does not wait for it. */
export function ignoreErrors(work: Promise<unknown>): void {
  work.catch(() => undefined);
}
