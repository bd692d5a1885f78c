// The MCP transport over HTTP, to a service binding or a URL. It owns the session id, the protocol version and the
// requests of one connection.
//
// Unlike the SDK's own transport it is bounded: it keeps no stream open, resumes no stream, follows no redirect, and
// limits the bytes of an answer to `maxBytes`. `send` completes when the answer to its request has been passed to
// `onmessage`; other messages of the server are ignored. `close` aborts all requests and ends the session in the
// background. On failure `send` rejects with an error of the SDK, and `failureReason` holds a sentence for people.

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
import { createMessage, formatMessage, type Message } from "../../../language/messages.ts";
import { isBoundedJson } from "../../../lib/json-value.ts";
import { tryParseJson } from "../../../lib/parse-json.ts";
import { SseParser } from "../../../lib/sse-parser.ts";

/** The part of `fetch` that a service binding and the global function share. */
export type McpFetcher = { fetch(url: string, init?: RequestInit): Promise<Response> };

/** The address of an MCP server, and how to reach it. */
export type McpEndpoint = {
  readonly fetcher: McpFetcher;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum bytes of one answer. */
  readonly maxBytes: number;
};

const CLOSE_TIMEOUT_MS = 2_000;
/** The maximum depth of a message: the functions that read its values are recursive. */
const MAX_DEPTH = 100;

/** One connection to an MCP server, for one MCP client. */
export class McpTransport implements Transport {
  /** Tells the client that it can cancel one request by aborting it. */
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #endpoint: McpEndpoint;
  readonly #abortController = new AbortController();
  #sessionId: string | null = null;
  #protocolVersion: string | undefined;
  #failureReason: Message | undefined;
  #hasExpired = false;

  constructor(endpoint: McpEndpoint) {
    this.#endpoint = endpoint;
  }

  /** The reason why the latest request failed, for people; undefined if it did not fail or is still running. */
  get failureReason(): Message | undefined {
    return this.#failureReason;
  }

  /** True once the server no longer knows the session (404). A new connection can continue. */
  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  async start(): Promise<void> {}

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
  }

  /**
   * Sends a message; for a request also waits for the answer and passes it to `onmessage`. Rejects with `SdkError` or
   * `SdkHttpError` if the server cannot be reached or sends no valid answer within `maxBytes`. The response to any
   * other message is ignored, whatever its status.
   */
  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#failureReason = undefined;
    const { requestSignal } = options;
    const signal =
      requestSignal === undefined
        ? this.#abortController.signal
        : AbortSignal.any([this.#abortController.signal, requestSignal]);
    const response = await this.#post(message, options.headers ?? {}, signal);
    if (isInitialize(message) && response.ok) this.#sessionId = response.headers.get("mcp-session-id");
    if (response.status === 404 && this.#sessionId !== null && !isInitialize(message)) this.#expire();
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined) return discardBody(response);
    if (isEventStream(response)) return this.#readEventStream(response, id, signal);
    const text = await this.#readBody(response, signal);
    if (!response.ok && !(tryParseJson(text) !== undefined && this.#deliver(text, id)))
      throw this.#createHttpError(response, text);
    if (response.ok && !this.#deliver(text, id))
      throw this.#createProtocolError(createMessage("mcpServer.invalidResponse"));
  }

  #expire(): void {
    this.#hasExpired = true;
    this.#sessionId = null;
  }

  /** Aborts all requests. Sends DELETE for an open session without waiting for the result. */
  async close(): Promise<void> {
    const sessionId = this.#sessionId;
    this.#sessionId = null;
    this.#abortController.abort(new Error("The exchange is over."));
    this.onclose?.();
    if (sessionId === null) return;
    const headers = { ...this.#endpoint.headers, "mcp-session-id": sessionId };
    const init = {
      method: "DELETE",
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS),
    } as const;
    this.#endpoint.fetcher.fetch(this.#endpoint.url, init).then(discardBody, () => undefined);
  }

  async #post(
    message: JSONRPCMessage,
    extraHeaders: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { fetcher, url } = this.#endpoint;
    const headers = this.#createHeaders(message, extraHeaders);
    const init = { method: "POST", headers, body: JSON.stringify(message), redirect: "manual", signal } as const;
    let response: Response;
    try {
      response = await fetcher.fetch(url, init);
    } catch (cause) {
      throw this.#createSendError(createMessage("mcpServer.unreachable"), cause);
    }
    if (response.status < 300 || response.status >= 400) return response;
    discardBody(response);
    throw this.#createSendError(createMessage("mcpServer.redirect", { status: response.status }));
  }

  /**
   * Creates the headers. Since MCP 2026-07-28 they repeat the method, the name and the version of the request. They
   * override all configured headers.
   */
  #createHeaders(message: JSONRPCMessage, extraHeaders: Readonly<Record<string, string>>): Headers {
    const headers = new Headers(this.#endpoint.headers);
    for (const [name, value] of Object.entries(extraHeaders)) headers.set(name, value);
    headers.set("content-type", "application/json");
    headers.set("accept", "application/json, text/event-stream");
    if (this.#sessionId !== null && !isInitialize(message)) headers.set("mcp-session-id", this.#sessionId);
    const params = "method" in message ? message.params : undefined;
    const version = params?._meta?.[PROTOCOL_VERSION_META_KEY];
    if (typeof version === "string" && "method" in message) {
      headers.set("mcp-protocol-version", version);
      headers.set("mcp-method", message.method);
      if (typeof params?.["name"] === "string") headers.set("mcp-name", encodeHeaderValue(params["name"]));
    } else if (this.#protocolVersion !== undefined) {
      headers.set("mcp-protocol-version", this.#protocolVersion);
    }
    return headers;
  }

  async #readEventStream(response: Response, id: string | number, signal: AbortSignal): Promise<void> {
    const events = new SseParser();
    for await (const chunk of this.#decodeBody(response, signal))
      for (const { data } of events.feed(chunk)) if (this.#deliver(data, id)) return;
    for (const { data } of events.end()) if (this.#deliver(data, id)) return;
    throw this.#createProtocolError(createMessage("mcpServer.stoppedEarly"));
  }

  /**
   * Passes the answer with this id to the client and returns true. Returns false for any other message, which is
   * ignored.
   */
  #deliver(text: string, id: string | number): boolean {
    if (text.trim() === "") return false;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (cause) {
      throw this.#createProtocolError(createMessage("mcpServer.notJson"), cause);
    }
    if (typeof message !== "object" || message === null || "method" in message) return false;
    if (!("id" in message) || message.id !== id) return false;
    if (!isBoundedJson(message, MAX_DEPTH)) throw this.#createProtocolError(createMessage("mcpServer.nestedTooDeep"));
    try {
      this.onmessage?.(parseJSONRPCMessage(message));
    } catch (cause) {
      throw this.#createProtocolError(createMessage("mcpServer.invalidResponse"), cause);
    }
    return true;
  }

  async #readBody(response: Response, signal: AbortSignal): Promise<string> {
    let text = "";
    for await (const chunk of this.#decodeBody(response, signal)) text += chunk;
    return text;
  }

  /** Yields the decoded text of the body. Leaving the loop early cancels the body. */
  async *#decodeBody(response: Response, signal: AbortSignal): AsyncGenerator<string> {
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
        if (bytes > this.#endpoint.maxBytes)
          throw this.#createSendError(createMessage("mcpServer.tooManyBytes", { limit: this.#endpoint.maxBytes }));
        yield utf8.decode(value, { stream: true });
      }
      yield utf8.decode();
    } catch (cause) {
      throw cause instanceof SdkError || signal.aborted
        ? cause
        : this.#createSendError(createMessage("mcpServer.connectionLost"), cause);
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  }

  /**
   * Creates the error for an HTTP error status. It contains the body, from which the client detects the server's
   * protocol version.
   */
  #createHttpError({ status, statusText }: Response, text: string): SdkHttpError {
    const reason =
      status === 404 && this.#hasExpired ? createMessage("mcpServer.sessionExpired") : describeStatus(status);
    this.#failureReason = reason;
    const message = formatMessage("en", reason);
    return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status, statusText, text });
  }

  #createSendError(reason: Message, cause?: unknown): SdkError {
    this.#failureReason = reason;
    return new SdkError(SdkErrorCode.SendFailed, formatMessage("en", reason), undefined, { cause });
  }

  /** Creates the error for an answer that is not MCP. */
  #createProtocolError(reason: Message, cause?: unknown): SdkError {
    this.#failureReason = reason;
    const message = formatMessage("en", reason);
    return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, message, undefined, { cause });
  }
}

function describeStatus(status: number): Message {
  if (status === 401 || status === 403) return createMessage("mcpServer.credentialsRequired");
  if (status === 429) return createMessage("mcpServer.rateLimited");
  return createMessage(status >= 500 ? "mcpServer.unavailable" : "mcpServer.requestRejected", { status });
}

function isInitialize(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "initialize";
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function discardBody({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

/** Encodes a value for a header: as it is if it is printable ASCII, else as `=?base64?…?=`. */
function encodeHeaderValue(value: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?")) return value;
  const bytes = String.fromCharCode(...new TextEncoder().encode(value));
  return `=?base64?${btoa(bytes)}?=`;
}
