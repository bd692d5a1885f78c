// Maps the errors of model calls to failures.
//
// Messages are shown to people and must not contain text of the endpoint. That text goes to `cause`, which is only
// logged, with secrets removed by `redact`.
// - Transient (`model_unavailable`, retryable), may be repeated: no connection, 408, 409, 425, 429 without exhausted
//   quota, 5xx.
// - Terminal: all other statuses (`model_refused`), and errors of our configuration (`model_unavailable`).

import { APIConnectionError, APIError } from "openai/error";
import { createMessage, type Message, type MessageKey } from "../language/messages.ts";
import { toObject, toText } from "./model-chunk.ts";
import { Failure, isFailure } from "../protocol/wire/message-error.ts";

function createTransientFailure(text: Message, cause: unknown, retryAfterMs?: number): Failure {
  return new Failure("model_unavailable", text, { retryable: true, retryAfterMs, cause });
}

/** True for a transient failure: the call may be repeated as long as no delta was passed on. */
export function isTransient(thrown: unknown): thrown is Failure {
  return isFailure(thrown, "model_unavailable") && thrown.retryable;
}

/**
 * Returns the final failure for a transient one that is not repeated: `model_interrupted` if deltas were passed on,
 * otherwise `model_unavailable`.
 */
export function toFinalFailure({ text, cause }: Failure, hasDelta: boolean): Failure {
  return hasDelta ? createInterruptedFailure(cause) : new Failure("model_unavailable", text, { cause });
}

/** Creates the error (`model_interrupted`, retryable) for a stream that broke before its end. */
export function createInterruptedFailure(cause: unknown): Failure {
  return new Failure("model_interrupted", createMessage("model.connectionLost"), { retryable: true, cause });
}

/** Creates the error (`model_interrupted`, retryable) for an endpoint that was silent for `seconds`. */
export function createStalledFailure(seconds: number): Failure {
  return new Failure("model_interrupted", createMessage("model.silent", { seconds }), { retryable: true });
}

/** Creates the error (`model_malformed`, retryable) for an answer that cannot be used. */
export function createMalformedFailure(message: MessageKey | Message, cause?: unknown): Failure {
  const text = typeof message === "string" ? createMessage(message) : message;
  return new Failure("model_malformed", text, { retryable: true, cause });
}

/** Creates the error for an error object that the endpoint sent in a stream instead of a chunk. */
export function createInStreamError(sent: unknown): APIError {
  return new APIError(undefined, toObject(sent) ?? { message: sent }, undefined, undefined);
}

/** True for an error that the endpoint sent in a stream: it has no status of its own. */
export function isInStreamError(thrown: unknown): thrown is APIError {
  return thrown instanceof APIError && thrown.status === undefined && !(thrown instanceof APIConnectionError);
}

/** The context of an error: the name of the model, and the removal of secrets for the log. */
export type ModelErrorContext = { readonly model: string; readonly redact: (text: string) => string };

/**
 * Maps the error of a request without a usable response: transient or final by its status (see the header), transient
 * without a connection, otherwise `model_unavailable`.
 */
export function mapRequestError(thrown: unknown, context: ModelErrorContext): Failure {
  const cause = new Error(context.redact(formatErrorChain(thrown)));
  if (thrown instanceof APIConnectionError) {
    return createTransientFailure(createMessage("model.unreachable"), cause);
  }
  if (isStatusError(thrown)) {
    const { status, headers } = thrown;
    const retryAfterMs = parseRetryAfter(headers, Date.now());
    return mapStatus({ status, code: getErrorCode(thrown), retryAfterMs, model: context.model, cause });
  }
  return new Failure("model_unavailable", createMessage("model.misconfigured"), { cause });
}

/** True for an error status of the endpoint. */
function isStatusError(thrown: unknown): thrown is APIError<number, Headers> {
  return thrown instanceof APIError && thrown.status !== undefined;
}

/** Maps an error in a stream by its status or known code, like that of a request; otherwise to `model_interrupted`. */
export function mapInStreamError(thrown: APIError, context: ModelErrorContext): Failure {
  const { code, status, message }: InStreamErrorBody = toObject(thrown.error) ?? {};
  const cause = new Error(context.redact(toText(message) || "The endpoint sent an error."));
  const found =
    [status, code].map(Number).find((number) => number >= 400 && number < 600) ??
    STATUS_BY_ERROR_CODE.get(toText(code)) ??
    STATUS_BY_ERROR_CODE.get(toText(thrown.type));
  if (found === undefined) return createInterruptedFailure(cause);
  return mapStatus({ status: found, code: getErrorCode(thrown), retryAfterMs: undefined, model: context.model, cause });
}

type InStreamErrorBody = { readonly code?: unknown; readonly status?: unknown; readonly message?: unknown };

/** Returns the code of an endpoint's error, otherwise its type; "" if neither is a text. */
function getErrorCode({ code, type }: APIError): string {
  return toText(code) || toText(type);
}

/** HTTP statuses by the codes and types that endpoints send in a stream. */
const STATUS_BY_ERROR_CODE: ReadonlyMap<string, number> = new Map([
  ["insufficient_quota", 429],
  ["rate_limit_exceeded", 429],
  ["rate_limit_error", 429],
  ["overloaded_error", 503],
  ["server_error", 500],
  ["context_length_exceeded", 400],
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["permission_error", 403],
  ["model_not_found", 404],
]);

type EndpointStatus = {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly model: string;
  readonly cause: unknown;
};

/** Maps an HTTP status and the endpoint's error code. An exhausted quota is final even though its status is 429. */
function mapStatus({ status, code, retryAfterMs, model, cause }: EndpointStatus): Failure {
  if (code === "insufficient_quota" || status === 402)
    return createRefusedFailure(createMessage("model.quotaExhausted"), cause);
  if (status === 429) return createTransientFailure(createMessage("model.rateLimited"), cause, retryAfterMs);
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return createTransientFailure(createMessage("model.unavailable", { status }), cause, retryAfterMs);
  return createRefusedFailure(getRejectionMessage(status, code, model), cause);
}

function createRefusedFailure(text: Message, cause: unknown): Failure {
  return new Failure("model_refused", text, { cause });
}

/** Returns the message for a rejected request. */
function getRejectionMessage(status: number, code: string, model: string): Message {
  if (code === "context_length_exceeded" || status === 413) return createMessage("model.conversationTooLong");
  switch (status) {
    case 401:
      return createMessage("model.keyRejected");
    case 403:
      return createMessage("model.modelNotAllowed", { model });
    case 404:
      return createMessage("model.modelNotFound", { model });
    default:
      return createMessage("model.requestRejected", { status, model });
  }
}

/**
 * Parses `retry-after-ms` or `Retry-After` (RFC 9110 §10.2.3: seconds or a date) to ms from `now`; undefined without a
 * valid header, 0 for a date in the past.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (isNumericHeader(exact)) return Number(exact);
  const header = headers.get("retry-after");
  if (isNumericHeader(header)) return Number(header) * 1_000;
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isNumericHeader(text: string | null): text is string {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text);
}

/** Returns the message of an error with all its causes, for the log. */
function formatErrorChain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "Something was thrown that is no error.";
  const deeper = thrown.cause instanceof Error ? ` (${formatErrorChain(thrown.cause)})` : "";
  return `${thrown.name}: ${thrown.message}${deeper}`;
}
