// Faults: the errors that may reach a client, their HTTP form, and validation that throws them.

import * as z from "zod/mini";
import type { Message } from "../../language/messages.ts";

/** HTTP status by code. Clients rely on the codes: codes may be added but not renamed. */
export const FAULT_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  question_answered: 409,
  question_cancelled: 409,
  question_expired: 410,
  /** The reader has a `seq` that this conversation never reached. It must start again from 0. */
  seq_unknown: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  too_many_requests: 429,
  internal: 500,
  agent_unreachable: 502,
  agent_failed: 502,
  unavailable: 503,
} as const;

export type FaultCode = keyof typeof FAULT_STATUS;

/** Machine-readable details of a fault. */
const faultDetailSchema = z.object({
  field: z.optional(z.string()),
  /** All problems, if there are several. */
  problems: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
  /** The current version of the resource, if it was changed by another request. */
  current_version: z.optional(z.int()),
  /** Seconds after which another attempt may succeed. */
  retry_after: z.optional(z.int()),
});
export type FaultDetail = z.infer<typeof faultDetailSchema>;

/** Problem details (RFC 9457), the body of all HTTP errors. */
export const problemDetailsSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(Object.keys(FAULT_STATUS) as [FaultCode, ...FaultCode[]]),
  detail: z.string(),
  ...faultDetailSchema.shape,
});
export type ProblemDetails = z.infer<typeof problemDetailsSchema>;

type FaultOptions = FaultDetail & { readonly cause?: unknown; readonly text?: Message };

/**
 * The only error that is sent to clients. `message` is a sentence for people: the problem and a possible remedy.
 * `cause` is logged and never sent. The server creates faults with `createFault`.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** `field`: the offending field of the request, as a dotted path. */
  readonly detail: FaultDetail;
  /** The entry of the message catalogue from which `message` was formatted in English; other languages need it. */
  readonly text?: Message;

  constructor(code: FaultCode, message: string, { cause, text, ...detail }: FaultOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.detail = detail;
    if (text !== undefined) this.text = text;
  }

  get field(): string | undefined {
    return this.detail.field;
  }
}

/**
 * Converts a thrown value to a fault. Returns faults unchanged; all others become `internal` with the value as cause.
 */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("internal", "Something went wrong on our side. Try again.", { cause: thrown });
}

/** Converts a fault to problem details. `sentence` is its message in the language of the reader. */
export function toProblemDetails(fault: Fault, sentence: string): ProblemDetails {
  return {
    type: "about:blank",
    title: fault.code.replaceAll("_", " "),
    status: FAULT_STATUS[fault.code],
    code: fault.code,
    detail: sentence,
    ...fault.detail,
  };
}

/**
 * Validates external input and returns the parsed value. Throws a `Fault` with `code` if it does not match. `field` is
 * the dotted path of the first invalid field, absent for the value itself; `problems` lists all if there are several.
 */
export function parseOrThrow<T>(schema: z.core.$ZodType<T>, value: unknown, code: FaultCode = "invalid_request"): T {
  return parseUnderPath([], schema, value, code);
}

/** Like `parseOrThrow`, for a single value such as a header. The `field` of the fault (`invalid_request`) is `name`. */
export function parseNamedValue<T>(name: string, schema: z.core.$ZodType<T>, value: unknown): T {
  return parseUnderPath([name], schema, value, "invalid_request");
}

function parseUnderPath<T>(
  basePath: readonly string[],
  schema: z.core.$ZodType<T>,
  value: unknown,
  code: FaultCode,
): T {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .flatMap(pickClosestIssues)
    .map((issue) => toFieldProblem({ ...issue, path: [...basePath, ...issue.path] }));
  const { path: field, message } = problems[0] ?? { path: "", message: "Invalid request" };
  throw new Fault(code, field === "" ? message : `${field}: ${message}`, {
    ...(field === "" ? {} : { field }),
    ...(problems.length < 2 ? {} : { problems }),
  });
}

/** For a failed union, returns the issues of the alternative with the fewest issues. Returns other issues unchanged. */
function pickClosestIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const forms = issue.errors.map((issues) => issues.flatMap(pickClosestIssues));
  const closest = forms.reduce((best, form) => (form.length <= best.length ? form : best));
  return closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toFieldProblem(issue: z.core.$ZodIssue): { path: string; message: string } {
  const extra = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...issue.path, ...(extra === undefined ? [] : [extra])].join(".");
  return { path, message: issue.message === "" ? "invalid" : issue.message };
}
