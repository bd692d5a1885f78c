// Commands of clients to a conversation, on sockets, over HTTP and over RPC, and their size limits.

import * as z from "zod";
import { isLanguageTag, toCanonicalLanguageTag } from "../../language/language-tag.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";
import { storableTextSchema } from "../../lib/storable-text.ts";
import { exceedsBytes } from "../../lib/text-size.ts";

/** Default of the setting `MAX_MESSAGE_BYTES`, in bytes of UTF-8. */
export const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024;

/** Upper bound of the setting `MAX_MESSAGE_BYTES`, in bytes of UTF-8. */
export const MAX_CONFIGURABLE_MESSAGE_BYTES = 1_048_576;

/** The limits of a context, which is part of every task and of every request to an agent. */
export const MAX_CONTEXT_BYTES = 64 * 1024;
const MAX_CONTEXT_DEPTH = 32;

/**
 * Returns the maximum length of a command as JSON text, in bytes over HTTP and in UTF-16 units on sockets, for this
 * message limit in bytes. JSON may escape one byte with six, and the command may include a context.
 */
export function computeMaxCommandSize(maxMessageBytes: number): number {
  return maxMessageBytes * 6 + 2 * MAX_CONTEXT_BYTES;
}

/**
 * Returns the field that makes a command too large, judged by the beginning of its JSON: `message`, or undefined if a
 * field with an object or a list (a context) begins there. Quotes inside JSON strings are escaped, so they do not
 * match.
 */
export function findOversizedField(beginning: string): "message" | undefined {
  return /(?<!\\)"\s*:\s*[{[]/.test(beginning) ? undefined : "message";
}

/** Every value needs at least two bytes of JSON. */
const MAX_CONTEXT_VALUES = MAX_CONTEXT_BYTES / 2;

type ContextProblem = "deep" | "large" | "foreign";

/**
 * Returns the problem that prevents a context from being sent as JSON, or null. RPC values need not come from JSON:
 * they may share values and contain cycles, so the number of visited values is limited.
 */
function findContextProblem(value: unknown): ContextProblem | null {
  let values = 0;
  const visit = (inner: unknown, levels: number): ContextProblem | null => {
    values += 1;
    if (values > MAX_CONTEXT_VALUES) return "large";
    if (typeof inner !== "object" || inner === null)
      return /^(bigint|function|symbol)$/.test(typeof inner) ? "foreign" : null;
    if (levels === 0) return "deep";
    if (!Array.isArray(inner) && Object.getPrototypeOf(inner) !== Object.prototype) return "foreign";
    for (const member of Object.values(inner)) {
      const problem = visit(member, levels - 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return visit(value, MAX_CONTEXT_DEPTH) ?? (exceedsBytes(JSON.stringify(value), MAX_CONTEXT_BYTES) ? "large" : null);
}

const CONTEXT_PROBLEM_TEXTS: Readonly<Record<ContextProblem, string>> = {
  deep: `must not be nested deeper than ${MAX_CONTEXT_DEPTH} levels`,
  large: `must not exceed ${MAX_CONTEXT_BYTES} bytes as JSON`,
  foreign: "must be JSON",
};

const contextSchema = z.record(z.string(), z.unknown()).superRefine((value, refinement) => {
  const problem = findContextProblem(value);
  if (problem !== null) refinement.addIssue(CONTEXT_PROBLEM_TEXTS[problem]);
});

/** The text of a message. Characters that cannot be stored are replaced. */
export const messageSchema = storableTextSchema.refine((text) => text.trim() !== "", "must not be empty");

/** A language tag (BCP 47) in its canonical form: `zh-cn` and `zh_CN` become `zh-CN`. */
export const languageSchema = z
  .string()
  .max(35)
  .overwrite(toCanonicalLanguageTag)
  .refine(isLanguageTag, "is not a language tag such as en or zh-CN");

/** A time zone name that the runtime knows, such as `Asia/Shanghai`. */
export const timezoneSchema = z.string().refine(isKnownTimeZone, "is not a time zone");

/** A message with its options (X12). */
export const sendCommandSchema = z.strictObject({
  message: messageSchema,
  /** The agent that gets the message, without triage. Triage decides if it is absent, empty or the super agent. */
  agent: z.string().max(128).optional(),
  language: languageSchema.optional(),
  timezone: timezoneSchema.optional(),
  /**
   * Passed to agents as `current_context`; its member `user_profile` is passed as the user's profile. Its member
   * `history`, a list of `{role, content}`, contains earlier messages from elsewhere; triage and planner read it, too.
   */
  context: contextSchema.optional(),
  /** True to make the agents verify their work. If absent, the message decides. */
  verify: z.boolean().optional(),
});
export type SendCommand = z.infer<typeof sendCommandSchema>;

/**
 * The answer to a question. `request_id` may be omitted if exactly one is open. The answer to an approval is "approve"
 * or "refuse"; other `arguments` run the tool with these arguments.
 */
export const resumeCommandSchema = z.strictObject({
  message: messageSchema,
  request_id: z.string().max(128).optional(),
  arguments: contextSchema.optional(),
});
export type ResumeCommand = z.infer<typeof resumeCommandSchema>;

/** Cancels a task or a thread; without either, the oldest open thread that a message started. */
export const cancelCommandSchema = z.strictObject({ thread_id: z.string().optional(), task_id: z.string().optional() });
export type CancelCommand = z.infer<typeof cancelCommandSchema>;

/** The client's id of a command. The server carries out each id once, however often it arrives (T2). */
export const commandIdSchema = z
  .string()
  .min(1)
  .max(128)
  // Storage replaces every lone surrogate by the same character, so two ids could become equal.
  .refine((id) => id.isWellFormed(), "must be well-formed text");

/** A command on a socket. Unknown types and fields are rejected. */
export const clientCommandSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("send"), id: commandIdSchema, ...sendCommandSchema.shape }),
  z.strictObject({ type: z.literal("resume"), id: commandIdSchema, ...resumeCommandSchema.shape }),
  z.strictObject({ type: z.literal("cancel"), id: commandIdSchema, ...cancelCommandSchema.shape }),
]);
export type ClientCommand = z.infer<typeof clientCommandSchema>;
