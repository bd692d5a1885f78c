// Errors in the format of the OpenAI API.

import * as z from "zod";
import { formatEnglish } from "../../language/messages.ts";
import { FAULT_STATUS, toFault, type FaultCode } from "../../protocol/wire/fault.ts";
import { renameMessageField } from "../client-history.ts";

/** The header that tells clients of OpenAI whether to retry. */
export const SHOULD_RETRY_HEADER = "x-should-retry";

/** The body of an error response. */
export const openAiErrorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.enum(["invalid_request_error", "rate_limit_error", "server_error"]),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type OpenAiErrorBody = z.infer<typeof openAiErrorSchema>;

/** An error of this interface. It can have codes and statuses that a `Fault` does not have. */
export class OpenAiError extends Error {
  override readonly name = "OpenAiError";
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
    { param = null, mayRetry = true, retryAfter }: Partial<Pick<OpenAiError, "param" | "mayRetry" | "retryAfter">> = {},
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
const OPENAI_CODES: Partial<Record<FaultCode, string>> = {
  unauthorized: "invalid_api_key",
  too_many_requests: "rate_limit_exceeded",
};

/**
 * Converts a thrown value; an `OpenAiError` is returned unchanged, and any error but a `Fault` becomes `internal`. Logs
 * the causes of internal faults.
 */
export function toOpenAiError(thrown: unknown): OpenAiError {
  if (thrown instanceof OpenAiError) return thrown;
  const fault = renameMessageField(toFault(thrown));
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  const code = OPENAI_CODES[fault.code] ?? fault.code;
  // Clients of OpenAI retry after a 409 on their own, which never helps here.
  const mayRetry = fault.code === "too_many_requests" || fault.code === "unavailable";
  return new OpenAiError(FAULT_STATUS[fault.code], code, fault.message, {
    param: fault.field ?? null,
    mayRetry,
    retryAfter: fault.detail.retry_after,
  });
}

/** Creates the error of a failed thread from the code and message of its final event. Unknown codes are 502. */
export function createThreadError(code: string, message: string): OpenAiError {
  return new OpenAiError(THREAD_ERROR_STATUS[code] ?? 502, code, message, { mayRetry: false });
}

/**
 * Creates the error of a cancelled thread, for which there is no `finish_reason`. Clients do not retry a 400, so they
 * do not start again what was cancelled.
 */
export function createCancelledError(): OpenAiError {
  return new OpenAiError(400, "cancelled", formatEnglish("openai.cancelled"), { mayRetry: false });
}

/** HTTP statuses of failed threads by code. */
const THREAD_ERROR_STATUS: Readonly<Record<string, number>> = {
  internal: 500,
  interrupted: 503,
  model_not_configured: 503,
  model_unavailable: 503,
  time_exceeded: 504,
};

/** Returns the body of an error. */
export function toOpenAiErrorBody({ status, code, message, param }: OpenAiError): OpenAiErrorBody {
  return { error: { message, type: getOpenAiErrorType(status), param, code } };
}

/** Returns the error type of OpenAI for an HTTP status. */
function getOpenAiErrorType(status: number): OpenAiErrorBody["error"]["type"] {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Returns the JSON response of an error, with the headers that control retries; `more` are additional headers. */
export function createErrorResponse(error: OpenAiError, more: Readonly<Record<string, string>> = {}): Response {
  const headers = new Headers({ ...more, "content-type": "application/json" });
  if (error.status === 401) headers.set("www-authenticate", "Bearer");
  if (error.retryAfter !== undefined) headers.set("retry-after", String(error.retryAfter));
  if (!error.mayRetry) headers.set(SHOULD_RETRY_HEADER, "false");
  return new Response(JSON.stringify(toOpenAiErrorBody(error)), { status: error.status, headers });
}
