// Errors in the format of the OpenAI API.

import * as z from "zod";
import { FAULT_STATUS, toFault, type FaultCode } from "../../protocol/fault.ts";
import { inMessages } from "../earlier.ts";

/** The header that tells clients of OpenAI whether to retry. */
export const SHOULD_RETRY = "x-should-retry";

/** The body of an error response. */
export const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(["invalid_request_error", "rate_limit_error", "server_error"]),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type ErrorBody = z.infer<typeof errorSchema>;

/** An error of this interface. It can have codes and statuses that a `Fault` does not have. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  /** False if the work may have been done: a retry would be another message. */
  readonly mayRetry: boolean;
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { param = null, mayRetry = true, retryAfter }: Partial<Pick<Refusal, "param" | "mayRetry" | "retryAfter">> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.mayRetry = mayRetry;
    this.retryAfter = retryAfter;
  }
}

/** The codes of OpenAI for faults that OpenAI has a code for. */
const CODES: Partial<Record<FaultCode, string>> = {
  unauthorized: "invalid_api_key",
  too_many_requests: "rate_limit_exceeded",
};

/** Converts a thrown value. Logs the causes of internal faults. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const fault = inMessages(toFault(thrown));
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  const code = CODES[fault.code] ?? fault.code;
  // Clients of OpenAI retry after a 409 on their own, which never helps here.
  const mayRetry = fault.code === "too_many_requests" || fault.code === "unavailable";
  return new Refusal(FAULT_STATUS[fault.code], code, fault.message, {
    param: fault.field ?? null,
    mayRetry,
    retryAfter: fault.detail.retry_after,
  });
}

/** Creates the error of a failed thread from the code and message of its final event. Unknown codes are 502. */
export function failureOf(code: string, message: string): Refusal {
  return new Refusal(STATUS_OF[code] ?? 502, code, message, { mayRetry: false });
}

/**
 * Creates the error of a cancelled thread, for which there is no `finish_reason`. Clients do not retry a 400, so they
 * do not start again what was cancelled.
 */
export function stopped(): Refusal {
  const words = "This was stopped before it was done. What was said until then is in the conversation.";
  return new Refusal(400, "cancelled", words, { mayRetry: false });
}

/** HTTP statuses of failed threads by code. */
const STATUS_OF: Readonly<Record<string, number>> = {
  internal: 500,
  interrupted: 503,
  model_unavailable: 503,
  time_exceeded: 504,
};

/** Returns the body of an error. */
export function bodyOf({ status, code, message, param }: Refusal): ErrorBody {
  return { error: { message, type: typeOf(status), param, code } };
}

/** Returns the error type of OpenAI for an HTTP status. */
function typeOf(status: number): ErrorBody["error"]["type"] {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Returns the response of an error; `more` are additional headers. */
export function refusalResponse(refusal: Refusal, more: Readonly<Record<string, string>> = {}): Response {
  const headers = new Headers({ ...more, "content-type": "application/json" });
  if (refusal.status === 401) headers.set("www-authenticate", "Bearer");
  if (refusal.retryAfter !== undefined) headers.set("retry-after", String(refusal.retryAfter));
  if (!refusal.mayRetry) headers.set(SHOULD_RETRY, "false");
  return new Response(JSON.stringify(bodyOf(refusal)), { status: refusal.status, headers });
}
