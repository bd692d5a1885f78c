// Maps the failures of model calls to `ModelFault` and `TransientModelError`.
//
// Messages are shown to people and must not contain text of the endpoint. That text goes to `cause`, which is only
// logged, with secrets removed by `redact`.
// - Transient, may be retried: no connection, 408, 409, 425, 429 without exhausted quota, 5xx.
// - Final: all other statuses (`model_refused`), and errors of our configuration (`model_unavailable`).

import { ModelFault } from "../core/ports.ts";
import { asObject, asText } from "./chunk.ts";
import { Refused, Unreached } from "./post.ts";

/** A transient error: the call may be repeated as long as no delta was passed on. `message` is written for people. */
export class Setback extends Error {
  override readonly name = "Setback";
  /** The delay in ms that the endpoint asked for; undefined if it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, detail: { retryAfterMs?: number | undefined; cause: unknown }) {
    super(message, { cause: detail.cause });
    this.retryAfterMs = detail.retryAfterMs;
  }
}

/**
 * Returns the final error for a transient one that is not retried: `model_interrupted` if deltas were passed on,
 * otherwise `model_unavailable`.
 */
export function faultOf(setback: Setback, hasHeard: boolean): ModelFault {
  if (hasHeard) return interrupted(setback.cause);
  return new ModelFault("model_unavailable", setback.message, { retryable: false, cause: setback.cause });
}

/** Creates the error for a stream that broke before its end. */
export function interrupted(cause: unknown): ModelFault {
  const message = "The connection to the model broke off in the middle of its answer. Please try again.";
  return new ModelFault("model_interrupted", message, { retryable: true, cause });
}

/** Creates the error for an answer that was silent for too long. */
export function stalled(seconds: number): ModelFault {
  const message = `The model said nothing for ${seconds} seconds. Please try again.`;
  return new ModelFault("model_interrupted", message, { retryable: true });
}

/** Creates the error for an answer that cannot be used. `problem` is a sentence for people. */
export function malformed(what: string, cause?: unknown): ModelFault {
  return new ModelFault("model_malformed", `${what} Please try again.`, { retryable: true, cause });
}

/** An error object that the endpoint sent in a stream instead of a chunk. `sent` is that object, unparsed. */
export class SentError extends Error {
  override readonly name = "SentError";
  readonly sent: unknown;

  constructor(sent: unknown) {
    super("The endpoint sent an error.");
    this.sent = sent;
  }
}

/** The context of an error: the name of the model, and the removal of secrets for the log. */
export type Asked = { readonly model: string; readonly redact: (text: string) => string };

/** Maps the error of a request without a usable response. */
export function requestTrouble(thrown: unknown, asked: Asked): ModelFault | Setback {
  const cause = new Error(asked.redact(describe(thrown)));
  if (thrown instanceof Unreached) {
    const message = "The model could not be reached. Please try again; if that does not help, check OPENAI_BASE_URL.";
    return new Setback(message, { cause });
  }
  if (thrown instanceof Refused) {
    const { status, code, headers } = thrown;
    return statusTrouble({ status, code, retryAfterMs: retryAfter(headers, Date.now()), model: asked.model, cause });
  }
  const message = "The model could not be called. Please check OPENAI_BASE_URL and OPENAI_API_KEY.";
  return new ModelFault("model_unavailable", message, { retryable: false, cause });
}

/** Maps an error in a stream by its status or code. Without either, the stream counts as interrupted. */
export function sentTrouble({ sent }: SentError, asked: Asked): ModelFault | Setback {
  const { code, status, type, message }: Sent = asObject(sent) ?? {};
  const words = asText(message) || asText(sent) || "The endpoint sent an error.";
  const cause = new Error(asked.redact(words));
  const found =
    [status, code].map(Number).find((number) => number >= 400 && number < 600) ??
    STATUS_OF.get(asText(code)) ??
    STATUS_OF.get(asText(type));
  if (found === undefined) return interrupted(cause);
  const name = asText(code) || asText(type);
  return statusTrouble({ status: found, code: name, retryAfterMs: undefined, model: asked.model, cause });
}

type Sent = { readonly code?: unknown; readonly status?: unknown; readonly type?: unknown; readonly message?: unknown };

/** HTTP statuses by the codes and types that endpoints send in a stream. */
const STATUS_OF: ReadonlyMap<string, number> = new Map([
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

type Status = {
  readonly status: number;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly model: string;
  readonly cause: unknown;
};

/** Maps an HTTP status and the endpoint's error code. An exhausted quota is final even though its status is 429. */
function statusTrouble({ status, code, retryAfterMs, model, cause }: Status): ModelFault | Setback {
  if (code === "insufficient_quota" || status === 402)
    return refused("The quota of the model's account is used up.", cause);
  if (status === 429) {
    const message = "The model's endpoint takes no more requests at the moment. Please try again in a minute.";
    return new Setback(message, { retryAfterMs, cause });
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    const message = `The model's endpoint has trouble (status ${status}). Please try again later.`;
    return new Setback(message, { retryAfterMs, cause });
  }
  return refused(refusal(status, code, model), cause);
}

function refused(message: string, cause: unknown): ModelFault {
  return new ModelFault("model_refused", message, { retryable: false, cause });
}

/** Returns the message for a rejected request. */
function refusal(status: number, code: string, model: string): string {
  if (code === "context_length_exceeded" || status === 413) {
    return "The conversation is too long for the model. Please start a new one or make it shorter.";
  }
  switch (status) {
    case 401:
      return "The model's endpoint did not accept the key (status 401). Please check OPENAI_API_KEY.";
    case 403:
      return `The model's endpoint does not allow this key to use the model "${model}" (status 403). Please check OPENAI_API_KEY.`;
    case 404:
      return `The model's endpoint does not know the model "${model}" (status 404). Please check its name and OPENAI_BASE_URL.`;
    default:
      return `The model's endpoint refused the request (status ${status}). Please check that it serves chat completions for the model "${model}".`;
  }
}

/**
 * Parses `retry-after-ms` or `Retry-After` (RFC 9110 §10.2.3: seconds or a date) to ms from `now`; undefined without a
 * valid header, 0 for a date in the past.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const exact = headers.get("retry-after-ms");
  if (isNumber(exact)) return Number(exact);
  const given = headers.get("retry-after");
  if (isNumber(given)) return Number(given) * 1_000;
  const date = Date.parse(given ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function isNumber(text: string | null): text is string {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text);
}

/** Returns the message of an error with all its causes, for the log. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "Something was thrown that is no error.";
  const deeper = thrown.cause instanceof Error ? ` (${describe(thrown.cause)})` : "";
  return `${thrown.name}: ${thrown.message}${deeper}`;
}
