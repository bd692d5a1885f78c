// The MCP transport over HTTP, to a service binding or a URL. It owns the session id, the protocol version and the
// requests of one connection.
//
// Unlike the SDK's own transport it is bounded: it keeps no stream open, resumes no stream, follows no redirect, and
// limits the bytes of an answer to `maxBytes`. `send` completes when the answer to its request has been passed to
// `onmessage`; other messages of the server are ignored. `close` aborts all requests and ends the session in the
// background. On failure `send` rejects with an error of the SDK, and `failureReason` holds a phrase for people.

import {
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type JSONRPCMessage,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { jsonIn } from "../../protocol/json-text.ts";
import { EventSplitter } from "../../protocol/server-events.ts";

/** The part of `fetch` that a service binding and the global function share. */
export type Caller = { fetch(url: string, init?: RequestInit): Promise<Response> };

/** The address of an MCP server, and how to reach it. */
export type Place = {
  readonly caller: Caller;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum bytes of one answer. */
  readonly maxBytes: number;
};

const FAREWELL_MS = 2_000;

/** One connection to an MCP server; an MCP client calls it. */
export class McpTransport implements Transport {
  /** Tells the client that it can cancel one request by aborting it. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #place: Place;
  readonly #end = new AbortController();
  #session: string | null = null;
  #version: string | undefined;
  #trouble: string | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Returns why the last request failed, as a phrase that follows a colon; undefined if it did not fail. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /**
   * Sends a message and receives the answer if it is a request. Rejects with `SdkError` or `SdkHttpError` if the
   * server cannot be reached or sends no valid answer.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#trouble = undefined;
    const { requestSignal } = options;
    const signal = requestSignal === undefined ? this.#end.signal : AbortSignal.any([this.#end.signal, requestSignal]);
    const response = await this.#post(message, options.headers ?? {}, signal);
    if (isHandshake(message) && response.ok) this.#session = response.headers.get("mcp-session-id");
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined) return discard(response);
    if (isEventStream(response)) return this.#hearStream(response, id, signal);
    const text = await this.#read(response, signal);
    if (!response.ok && !(jsonIn(text) !== undefined && this.#hear(text, id))) throw this.#refused(response, text);
    if (response.ok && !this.#hear(text, id)) throw this.#nonsense("its answer is not one of MCP");
  }

  /** Aborts all requests. Sends DELETE for an open session without waiting for the result. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#end.abort(new Error("The exchange is over."));
    this.onclose?.();
    if (session === null) return;
    const headers = { ...this.#place.headers, "mcp-session-id": session };
    const init = { method: "DELETE", headers, redirect: "manual", signal: AbortSignal.timeout(FAREWELL_MS) } as const;
    this.#place.caller.fetch(this.#place.url, init).then(discard, () => undefined);
  }

  async #post(message: JSONRPCMessage, more: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const { caller, url } = this.#place;
    const headers = this.#headersFor(message, more);
    const init = { method: "POST", headers, body: JSON.stringify(message), redirect: "manual", signal } as const;
    let response: Response;
    try {
      response = await caller.fetch(url, init);
    } catch (cause) {
      throw this.#failed("it cannot be reached", cause);
    }
    if (response.status < 300 || response.status >= 400) return response;
    discard(response);
    throw this.#failed(`it answered with a redirect (${response.status}), which is not followed`);
  }

  /**
   * Creates the headers. Since MCP 2026-07-28 they repeat the method, the name and the version of the request. They
   * override all configured headers.
   */
  #headersFor(message: JSONRPCMessage, more: Readonly<Record<string, string>>): Headers {
    const headers = new Headers(this.#place.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json, text/event-stream");
    if (this.#session !== null && !isHandshake(message)) headers.set("mcp-session-id", this.#session);
    const params = "method" in message ? message.params : undefined;
    const version = params?._meta?.[PROTOCOL_VERSION_META_KEY];
    if (typeof version === "string" && "method" in message) {
      headers.set("mcp-protocol-version", version);
      headers.set("mcp-method", message.method);
      if (typeof params?.["name"] === "string") headers.set("mcp-name", headerValue(params["name"]));
    } else if (this.#version !== undefined) {
      headers.set("mcp-protocol-version", this.#version);
    }
    return headers;
  }

  async #hearStream(response: Response, id: string | number, signal: AbortSignal): Promise<void> {
    const events = new EventSplitter();
    for await (const piece of this.#pieces(response, signal))
      for (const { data } of events.feed(piece)) if (this.#hear(data, id)) return;
    for (const { data } of events.end()) if (this.#hear(data, id)) return;
    throw this.#nonsense("it stopped before it had answered");
  }

  /**
   * Passes the answer with this id to the client and returns true. Returns false for any other message, which is
   * ignored.
   */
  #hear(text: string, id: string | number): boolean {
    if (text.trim() === "") return false;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (cause) {
      throw this.#nonsense("its answer is not JSON", cause);
    }
    if (typeof message !== "object" || message === null || "method" in message) return false;
    if (!("id" in message) || message.id !== id) return false;
    try {
      this.onmessage?.(parseJSONRPCMessage(message));
    } catch (cause) {
      throw this.#nonsense("its answer is not one of MCP", cause);
    }
    return true;
  }

  async #read(response: Response, signal: AbortSignal): Promise<string> {
    let text = "";
    for await (const piece of this.#pieces(response, signal)) text += piece;
    return text;
  }

  /** Yields the decoded text of the body. Leaving the loop early cancels the body. */
  async *#pieces(response: Response, signal: AbortSignal): AsyncGenerator<string> {
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
    if (reader === undefined) return;
    const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    const utf8 = new TextDecoder();
    let bytes = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) break;
        bytes += value.byteLength;
        if (bytes > this.#place.maxBytes) throw this.#failed(`it sent more than ${this.#place.maxBytes} bytes`);
        yield utf8.decode(value, { stream: true });
      }
      yield utf8.decode();
    } catch (cause) {
      throw cause instanceof SdkError || signal.aborted ? cause : this.#failed("the connection to it broke", cause);
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  }

  /**
   * Creates the error for an HTTP error status. It contains the body, from which the client detects the server's
   * protocol version.
   */
  #refused({ status, statusText }: Response, text: string): SdkHttpError {
    if (status === 401 || status === 403) this.#trouble = "it asks for credentials";
    else if (status === 429) this.#trouble = "it is too busy (HTTP 429)";
    else
      this.#trouble = status >= 500 ? `it is out of order (HTTP ${status})` : `it refused the request (HTTP ${status})`;
    return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, this.#trouble, { status, statusText, text });
  }

  #failed(trouble: string, cause?: unknown): SdkError {
    this.#trouble = trouble;
    return new SdkError(SdkErrorCode.SendFailed, trouble, undefined, { cause });
  }

  /** Creates the error for an answer that is not MCP. */
  #nonsense(trouble: string, cause?: unknown): SdkError {
    this.#trouble = trouble;
    return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, trouble, undefined, { cause });
  }
}

function isHandshake(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "initialize";
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

/** Encodes a value for a header: as it is if it is printable ASCII, else as `=?base64?…?=`. */
function headerValue(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?")) return value;
  const bytes = String.fromCharCode(...new TextEncoder().encode(value));
  return `=?base64?${btoa(bytes)}?=`;
}
