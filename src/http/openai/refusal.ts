// What OpenAI's clients know as an error.

import * as z from "zod";
import { FAULT_STATUS, toFault, type FaultCode } from "../../protocol/fault.ts";
import { inMessages } from "../earlier.ts";

/** What keeps clients from asking again by themselves. */
export const SHOULD_RETRY = "x-should-retry";

export const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(["invalid_request_error", "rate_limit_error", "server_error"]),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type ErrorBody = z.infer<typeof errorSchema>;

/** A refusal with a code or a status that no `Fault` has. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  /** False when the work was done: doing it again would be another message. */
  readonly mayRetry: boolean;
  /** Seconds after which it may go better. */
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

/** Names of OpenAI for what has one. */
const CODES: Partial<Record<FaultCode, string>> = {
  unauthorized: "invalid_api_key",
  too_many_requests: "rate_limit_exceeded",
};

export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const fault = inMessages(toFault(thrown));
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  const code = CODES[fault.code] ?? fault.code;
  // Their clients come back after a 409 by themselves, which helps nobody here.
  const mayRetry = fault.code === "too_many_requests" || fault.code === "unavailable";
  return new Refusal(FAULT_STATUS[fault.code], code, fault.message, {
    param: fault.field ?? null,
    mayRetry,
    retryAfter: fault.detail.retry_after,
  });
}

/** What came of a thread that failed: the codes of its last event, as statuses. */
export function failureOf(code: string, message: string): Refusal {
  return new Refusal(STATUS_OF[code] ?? 502, code, message, { mayRetry: false });
}

/**
 * What came of a thread that the person has stopped, which no `finish_reason` says. After this status no client asks
 * again by itself, and so begins what was stopped.
 */
export function stopped(): Refusal {
  const words = "This was stopped before it was done. What was said until then is in the conversation.";
  return new Refusal(400, "cancelled", words, { mayRetry: false });
}

const STATUS_OF: Readonly<Record<string, number>> = {
  internal: 500,
  interrupted: 503,
  model_unavailable: 503,
  time_exceeded: 504,
};

export function bodyOf({ status, code, message, param }: Refusal): ErrorBody {
  return { error: { message, type: typeOf(status), param, code } };
}

function typeOf(status: number): ErrorBody["error"]["type"] {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

export function refusalResponse(refusal: Refusal, more: Readonly<Record<string, string>> = {}): Response {
  const headers = new Headers({ ...more, "content-type": "application/json" });
  if (refusal.status === 401) headers.set("www-authenticate", "Bearer");
  if (refusal.retryAfter !== undefined) headers.set("retry-after", String(refusal.retryAfter));
  if (!refusal.mayRetry) headers.set(SHOULD_RETRY, "false");
  return new Response(JSON.stringify(bodyOf(refusal)), { status: refusal.status, headers });
}
