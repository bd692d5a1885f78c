// Maps the errors of model calls to failures.
//
// Messages are shown to people. They contain no text of the endpoint except the message of an error in a stream, which is
// quoted in one line. All other text goes to `cause`, which is only logged. `redact` removes secrets from both.
// - Transient (`model_unavailable`, retryable), may be repeated: no connection, 408, 409, 425, 429 without exhausted
//   quota, 5xx. But if the endpoint asks to wait for more than `MAX_RETRY_WAIT_MS`, the failure is terminal and says when
//   to try again.
// - Terminal: all other statuses, redirects included (`model_refused`), and errors of our configuration
//   (`model_unavailable`).

import { APIConnectionError, APIError } from "openai/error";
import { createMessage, type Message, type MessageKey } from "../language/messages.ts";
import { toSingleLine } from "../lib/single-line.ts";
import { toObject, toText } from "./model-chunk.ts";
import { Failure, isFailure } from "../protocol/wire/message-error.ts";
import { parseRetryAfter } from "./retry-after.ts";

/** The maximum time in ms before the next attempt: a person waits for the answer. */
export const MAX_RETRY_WAIT_MS = 10_000;
/** The maximum length of the endpoint's own words in a message, in UTF-16 units. */
const MAX_QUOTE_CHARS = 300;

function createTransientFailure(text: Message, cause: unknown, retryAfterMs?: number): Failure {
  return new Failure("model_unavailable", text, { retryable: true, retryAfterMs, cause });
}

/** True for a transient failure: the call may be repeated as long as no delta was passed on. */
export function isTransient(thrown: unknown): thrown is Failure {
  return isFailure(thrown, "model_unavailable") && thrown.retryable;
}

/**
 * Returns the final failure for a transient one that is not repeated: `model_interrupted` (retryable) if deltas were
 * passed on, otherwise `model_unavailable`.
 */
export function toFinalFailure({ text, cause }: Failure, hasDelta: boolean): Failure {
  return hasDelta ? createInterruptedFailure(cause, text) : new Failure("model_unavailable", text, { cause });
}

/** Creates the error (`model_interrupted`, retryable) for a stream that broke before its end. */
export function createInterruptedFailure(
  cause: unknown,
  text: Message | string = createMessage("model.connectionLost"),
): Failure {
  return new Failure("model_interrupted", text, { retryable: true, cause });
}

/** Creates the error (`model_interrupted`, retryable) for an endpoint that was silent for `seconds`. */
export function createStalledFailure(seconds: number): Failure {
  return new Failure("model_interrupted", createMessage("model.silent", { seconds }), { retryable: true });
}

/** Creates the error (`model_malformed`, final) for an answer of more than `maxBytes` that cannot be shortened. */
export function createTooLongFailure(maxBytes: number): Failure {
  const text = createMessage("model.answerTooLong", { megabytes: maxBytes / 1_048_576 });
  return new Failure("model_malformed", text, { retryable: false });
}

/** Creates the error (`model_malformed`, retryable) for an answer that cannot be used. */
export function createMalformedFailure(message: MessageKey | Message, cause?: unknown): Failure {
  const text = typeof message === "string" ? createMessage(message) : message;
  return new Failure("model_malformed", text, { retryable: true, cause });
}

/**
 * Creates the error for an error object that the endpoint sent in a stream instead of a chunk, or in a response with
 * status 200. Some endpoints wrap the object in another one.
 */
export function createInStreamError(sent: unknown): APIError {
  const error: { readonly error?: unknown } = toObject(sent) ?? { message: sent };
  return new APIError(undefined, toObject(error.error) ?? error, undefined, undefined);
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

/**
 * Maps an error in a stream by its status or known code, like that of a request; otherwise to `model_interrupted`. The
 * message quotes the endpoint.
 */
export function mapInStreamError(thrown: APIError, context: ModelErrorContext): Failure {
  const { code, status, message }: InStreamErrorBody = toObject(thrown.error) ?? {};
  const words = context.redact(toText(message));
  const cause = new Error(words || "The endpoint sent an error.");
  const found =
    [status, code].map(Number).find((number) => number >= 400 && number < 600) ??
    STATUS_BY_ERROR_CODE.get(toText(code)) ??
    STATUS_BY_ERROR_CODE.get(toText(thrown.type));
  const failure =
    found === undefined
      ? createInterruptedFailure(cause, createMessage("model.interrupted"))
      : mapStatus({ status: found, code: getErrorCode(thrown), retryAfterMs: undefined, model: context.model, cause });
  return quoteEndpoint(failure, toSingleLine(words, MAX_QUOTE_CHARS));
}

/** Returns the failure with the endpoint's own words before its sentence; the failure itself if there are no words. */
function quoteEndpoint(failure: Failure, words: string): Failure {
  if (words === "") return failure;
  const { code, text: sentence, retryable, retryAfterMs, cause } = failure;
  return new Failure(code, createMessage("model.reportedError", { words, sentence }), {
    retryable,
    retryAfterMs,
    cause,
  });
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
  ["service_unavailable", 503],
  ["timeout_error", 504],
  ["server_error", 500],
  ["internal_server_error", 500],
  ["api_error", 500],
  ["billing_error", 402],
  ["context_length_exceeded", 400],
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["invalid_api_key", 401],
  ["permission_error", 403],
  ["model_not_found", 404],
  ["not_found_error", 404],
  ["request_too_large", 413],
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
  const isRateLimit = status === 429;
  const isTemporary = isRateLimit || status >= 500 || status === 408 || status === 409 || status === 425;
  if (!isTemporary) return createRefusedFailure(getRejectionMessage(status, code, model), cause);
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_WAIT_MS) {
    const key = isRateLimit ? "model.rateLimitedFor" : "model.unavailableFor";
    const text = createMessage(key, { status, duration: createDurationMessage(retryAfterMs) });
    return new Failure("model_unavailable", text, { cause });
  }
  const text = createMessage(isRateLimit ? "model.rateLimited" : "model.unavailable", { status });
  return createTransientFailure(text, cause, retryAfterMs);
}

/** Creates the words for a duration in ms, rounded up to seconds, minutes, hours or days. */
function createDurationMessage(ms: number): Message {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return createMessage("duration.seconds", { count: seconds });
  if (seconds < 90 * 60) return createMessage("duration.minutes", { count: Math.ceil(seconds / 60) });
  if (seconds < 36 * 3_600) return createMessage("duration.hours", { count: Math.ceil(seconds / 3_600) });
  return createMessage("duration.days", { count: Math.ceil(seconds / 86_400) });
}

function createRefusedFailure(text: Message, cause: unknown): Failure {
  return new Failure("model_refused", text, { cause });
}

/** Returns the message for a rejected request. */
function getRejectionMessage(status: number, code: string, model: string): Message {
  if (status < 400) return createMessage("model.redirected", { status });
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

/** Returns the message of an error with all its causes, for the log. */
function formatErrorChain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "Something was thrown that is no error.";
  const deeper = thrown.cause instanceof Error ? ` (${formatErrorChain(thrown.cause)})` : "";
  return `${thrown.name}: ${thrown.message}${deeper}`;
}
