// Parses RunAgentInput of AG-UI (0.0.x and 1.0) into the parameters of a run.

import * as z from "zod";
import { commandIdSchema, sendCommandSchema, type SendCommand } from "../../protocol/wire/commands.ts";
import { Fault, parseOrThrow } from "../../protocol/wire/fault.ts";
import { conversationIdSchema } from "../api/id-validation.ts";
import type { AgUiMessage } from "./agui-events.ts";
import { resumeEntrySchema, type ResumeEntry } from "./interrupts.ts";

/**
 * The version of the protocol that is implemented here. It is sent only to clients that declare a version; others are
 * older than 1.0.
 */
export const AGUI_PROTOCOL_VERSION = "1.0";

/** The key of the shared state that this runtime owns. */
export const STATE_KEY = "orrery";

// Keeps scalar values only.
const scalarRecord = z.record(z.string(), z.unknown()).transform((all) => {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value)));
});
const optionalText = z.string().nullish();
const partSchema = z.object({
  type: z.string(),
  id: optionalText,
  text: optionalText,
  source: z.object({ type: z.string(), value: z.string(), mimeType: optionalText, provider: optionalText }).nullish(),
});
const callSchema = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
  metadata: scalarRecord.nullish(),
});
/** Clients' messages are sent back in snapshots, so parts of unbounded depth are removed. */
const messageSchema = z.object({
  id: z.string().max(256),
  role: z.enum(["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]),
  content: z.union([z.string(), z.array(partSchema), z.record(z.string(), z.unknown())]).nullish(),
  name: optionalText,
  toolCalls: z.array(callSchema).nullish(),
  toolCallId: optionalText,
  error: optionalText,
  encryptedValue: optionalText,
  subagentRunId: optionalText,
  metadata: scalarRecord.nullish(),
});

const inputSchema = z.object({
  threadId: conversationIdSchema,
  runId: commandIdSchema,
  protocolVersion: optionalText,
  messages: z.array(messageSchema).max(10_000),
  state: z.record(z.string(), z.unknown()).nullish(),
  context: z.array(z.object({ description: z.string(), value: z.string() })).nullish(),
  tools: z
    .array(z.object({ name: z.string().max(256) }))
    .max(1_000)
    .nullish(),
  forwardedProps: z.unknown().optional(),
  resume: z.array(resumeEntrySchema).max(100).nullish(),
});

// The shared state that the runtime sent in an earlier run.
const knownStateSchema = z.object({ thread_id: z.string().optional(), retried: z.int().optional() });
// The options of a message that clients pass in `forwardedProps`.
const forwardedPropsSchema = z.object({
  language: sendCommandSchema.shape.language,
  timezone: sendCommandSchema.shape.timezone,
  verify: sendCommandSchema.shape.verify,
});

/** The validated input of a run. Names follow AG-UI: `threadId` is our conversation. */
export type RunInput = {
  readonly threadId: string;
  readonly runId: string;
  /** The version that the client declares; null before 1.0. */
  readonly version: string | null;
  /** The messages that the client has, without activities. */
  readonly messages: readonly AgUiMessage[];
  /** The client's state without our key. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The last state of a thread that the client received from us. */
  readonly knownState: { readonly thread_id?: string | undefined; readonly retried?: number | undefined };
  /** The names of tools of the client. They are never called, and the client is informed about it. */
  readonly tools: readonly string[];
  readonly resume: readonly ResumeEntry[];
  /** The options and the context of the command, without its text. */
  readonly options: Omit<SendCommand, "message" | "agent">;
};

/** Parses the body of a run request. Throws a `Fault` that names the invalid field. */
export function parseRunInput(body: unknown): RunInput {
  const { threadId, runId, protocolVersion, messages, resume, tools, ...more } = parseOrThrow(inputSchema, body);
  const { [STATE_KEY]: knownState, ...state } = more.state ?? {};
  return {
    threadId,
    runId,
    version: protocolVersion ?? null,
    messages: messages.filter(({ role }) => role !== "activity").map((message) => omitNulls(message) as AgUiMessage),
    state,
    knownState: knownStateSchema.safeParse(knownState).data ?? {},
    tools: tools?.map(({ name }) => name) ?? [],
    resume: resume ?? [],
    options: buildSendOptions(state, more.context ?? [], more.forwardedProps),
  };
}

/**
 * Returns the options of a command. State and context of the client become its context. Throws a `Fault` if they are
 * too large.
 */
function buildSendOptions(state: Readonly<Record<string, unknown>>, entries: readonly unknown[], props: unknown) {
  const given = {
    ...(Object.keys(state).length === 0 ? {} : { state }),
    ...(entries.length === 0 ? {} : { context: entries }),
  };
  const isNone = typeof props !== "object" || props === null;
  return {
    ...parseOrThrow(forwardedPropsSchema, isNone ? {} : props),
    ...parseOrThrow(
      sendCommandSchema.pick({ context: true }),
      Object.keys(given).length === 0 ? {} : { context: given },
    ),
  };
}

/**
 * Returns the user's last message and its index. Throws `invalid_request` if there is none, if it is empty or contains
 * anything but text, or if the messages end with a result of a client's tool.
 */
export function findUserMessage({ messages }: RunInput): { readonly message: string; readonly at: number } {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (last === undefined) throw createInputFault("messages", "must contain a user message");
  if (messages.at(-1)?.role === "tool" && messages.at(-1)?.id.endsWith(".result") === false)
    throw createInputFault("messages", "must not end with a tool result, because client tools are never called");
  const field = `messages.${at}.content`;
  const parts = toContentParts(last.content);
  if (parts === null) throw createInputFault(field, "must be text");
  const other = parts.find(({ type }) => type !== "text");
  if (other !== undefined) throw createInputFault(field, `must contain only text parts, not ${other.type}`);
  const message = parts.map((part) => part.text ?? "").join("\n\n");
  if (message.trim() === "") throw createInputFault(field, "must not be empty");
  return { message, at };
}

/** Returns the content of a message as parts; null if it is neither text nor a list of parts. */
function toContentParts(content: unknown): z.infer<typeof partSchema>[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return z.array(partSchema).safeParse(content).data ?? null;
}

function createInputFault(field: string, problem: string): Fault {
  return new Fault("invalid_request", `${field}: ${problem}`, { field });
}

/** Removes null members, in list elements as well: older clients send null, newer clients reject it. */
function omitNulls(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(
    present.map(([key, inner]) => [
      key,
      Array.isArray(inner) ? inner.map((element) => omitNulls(element as object as never)) : inner,
    ]),
  );
}
