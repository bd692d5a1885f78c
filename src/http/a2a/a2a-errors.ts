// Maps faults to A2A errors.

import { A2AError, RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { assertNever } from "../../lib/assert.ts";
import { FAULT_STATUS, toFault, type Fault, type FaultCode } from "../../protocol/wire/fault.ts";

/**
 * Returns the A2A error for anything that was thrown. An A2A error is returned unchanged. The class of the result
 * determines its JSON-RPC code; the fault code is in its metadata, or in `reason` for an `A2ASystemError`. Internal
 * errors are logged, and only their public message is sent.
 */
export function toA2AError(thrown: unknown): Error {
  if (thrown instanceof A2AError) return thrown;
  const fault = toFault(thrown);
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  const { message, code, field } = fault;
  const metadata = { code, ...(field === undefined ? {} : { field }) };
  const kind = classifyFaultCode(code);
  switch (kind) {
    case "missing":
      return new TaskNotFoundError({ message, metadata });
    case "malformed":
      return new RequestMalformedError({ message, metadata });
    case "unfit":
      return new UnsupportedOperationError({ message, metadata });
    case "system":
      return new A2ASystemError(fault);
    default:
      return assertNever(kind);
  }
}

/**
 * An error that the request did not cause: a failure, a rate limit, or missing authentication. `status` is its HTTP
 * status.
 */
export class A2ASystemError extends A2AError {
  override readonly reason: string;
  readonly status: number;
  /** The delay before a retry in seconds; undefined if it is not known. */
  readonly retryAfter: number | undefined;

  constructor({ message, code, detail }: Fault) {
    super({ message });
    this.reason = code.toUpperCase();
    this.status = FAULT_STATUS[code];
    this.retryAfter = detail.retry_after;
  }
}

/** Maps a fault code to one of the four A2A error classes. The compiler requires an entry for each code. */
function classifyFaultCode(code: FaultCode): "missing" | "malformed" | "unfit" | "system" {
  switch (code) {
    case "not_found":
      return "missing";
    case "invalid_request":
    case "too_large":
    case "unsupported":
    case "unprocessable":
    case "seq_unknown":
      return "malformed";
    case "conflict":
    case "forbidden":
    case "method_not_allowed":
    case "question_answered":
    case "question_cancelled":
    case "question_expired":
      return "unfit";
    case "unauthorized":
    case "too_many_requests":
    case "internal":
    case "agent_unreachable":
    case "agent_failed":
    case "unavailable":
      return "system";
    default:
      return assertNever(code);
  }
}
