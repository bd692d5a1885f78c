import * as z from "zod";

export const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024;

/** No server takes a longer message, however it is set. In bytes of UTF-8. */
export const MOST_MESSAGE_BYTES = 1_048_576;

const utf8 = new TextEncoder();

/** True when `text`, as UTF-8, has more bytes than allowed. Does not encode when the length already tells. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8.encode(text).byteLength > limit;
}

/** What a context may be at most: it goes into every task, and over every wire. */
const MAX_CONTEXT_BYTES = 64 * 1024;
const MAX_CONTEXT_DEPTH = 32;

/** What a command may take as JSON, where one byte of its message may be written with six, and a context goes with it. */
export function mostOfCommand(maxMessageBytes: number): number {
  return maxMessageBytes * 6 + 2 * MAX_CONTEXT_BYTES;
}

/**
 * The field that makes a command too large, as far as the beginning of its JSON tells: its message, unless something
 * came with it that has members of its own. In a text there is no quote without a backslash.
 */
export function largestIn(beginning: string): "message" | undefined {
  return /(?<!\\)"\s*:\s*[{[]/.test(beginning) ? undefined : "message";
}

/** A value takes two bytes of JSON or more. */
const MOST_VALUES = MAX_CONTEXT_BYTES / 2;

type Objection = "deep" | "large" | "foreign";

/**
 * What keeps a value from being handed on as JSON. Not every door reads JSON: over RPC a value may stand in many places
 * at once, itself among them, so no more values are looked at than could fit.
 */
function objectionTo(value: unknown): Objection | null {
  let values = 0;
  const look = (inner: unknown, levels: number): Objection | null => {
    values += 1;
    if (values > MOST_VALUES) return "large";
    if (typeof inner !== "object" || inner === null)
      return /^(bigint|function|symbol)$/.test(typeof inner) ? "foreign" : null;
    if (levels === 0) return "deep";
    if (!Array.isArray(inner) && Object.getPrototypeOf(inner) !== Object.prototype) return "foreign";
    for (const one of Object.values(inner)) {
      const objection = look(one, levels - 1);
      if (objection !== null) return objection;
    }
    return null;
  };
  return look(value, MAX_CONTEXT_DEPTH) ?? (exceedsBytes(JSON.stringify(value), MAX_CONTEXT_BYTES) ? "large" : null);
}

const OBJECTIONS: Readonly<Record<Objection, string>> = {
  deep: `must not be nested deeper than ${MAX_CONTEXT_DEPTH} levels`,
  large: `must not exceed ${MAX_CONTEXT_BYTES} bytes as JSON`,
  foreign: "must be JSON",
};

const context = z.record(z.string(), z.unknown()).superRefine((value, check) => {
  const objection = objectionTo(value);
  if (objection !== null) check.addIssue(OBJECTIONS[objection]);
});

const message = z.string().refine((text) => text.trim() !== "", "must not be empty");
export const timezoneSchema = z.string().refine(isTimezone, "is not a time zone");

/** One message and how to treat it (X12). */
export const sendSchema = z.strictObject({
  message,
  /** Names one agent and skips the triage. Absent, empty or the super agent's name: triage decides. */
  agent: z.string().max(128).optional(),
  language: z.string().max(35).optional(),
  timezone: timezoneSchema.optional(),
  /**
   * Handed to agents as `current_context`; `user_profile` inside it as the user's profile. `history` inside it, a list of
   * `{role, content}`, is what was said elsewhere before: triage and planner read it too.
   */
  context: context.optional(),
  /** The agents are asked to verify what they have done; absent: when the words ask for it. */
  verify: z.boolean().optional(),
});
export type Send = z.infer<typeof sendSchema>;

/**
 * Answers a question; `request_id` may be left out while just one is open. An approval is answered with
 * "approve" or "refuse", or by sending other `arguments` to run the tool with.
 */
export const resumeSchema = z.strictObject({
  message,
  request_id: z.string().max(128).optional(),
  arguments: context.optional(),
});
export type Resume = z.infer<typeof resumeSchema>;

export const cancelSchema = z.strictObject({ thread_id: z.string().optional(), task_id: z.string().optional() });
export type Cancel = z.infer<typeof cancelSchema>;

/** The client's own id of a command: the same id is carried out once, however often it arrives. */
export const commandIdSchema = z
  .string()
  .min(1)
  .max(128)
  // Storage would take all half characters for the same one, and so two ids for one.
  .refine((id) => id.isWellFormed(), "must be well-formed text");

/** What a client may say on a socket. Unknown types and fields are refused. */
export const clientCommandSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("send"), id: commandIdSchema, ...sendSchema.shape }),
  z.strictObject({ type: z.literal("resume"), id: commandIdSchema, ...resumeSchema.shape }),
  z.strictObject({ type: z.literal("cancel"), id: commandIdSchema, ...cancelSchema.shape }),
]);
export type ClientCommand = z.infer<typeof clientCommandSchema>;

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
