// What an AG-UI client asks for (RunAgentInput of 0.0.x and 1.0), and what it comes to here.

import * as z from "zod";
import { commandIdSchema, sendSchema, type Send } from "../../protocol/commands.ts";
import { Fault, parseWith } from "../../protocol/fault.ts";
import { conversationIdSchema } from "../ids.ts";
import type { Message } from "./events.ts";
import { resumeEntrySchema, type ResumeEntry } from "./interrupts.ts";

/** What this speaks. A client that declares a version is told it; one that declares none is older. */
export const PROTOCOL_VERSION = "1.0";

/** The key of a client's state that is ours. */
export const STATE_KEY = "orrery";

const scalars = z.record(z.string(), z.unknown()).transform((all) => {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value)));
});
const text = z.string().nullish();
const partSchema = z.object({
  type: z.string(),
  id: text,
  text,
  source: z.object({ type: z.string(), value: z.string(), mimeType: text, provider: text }).nullish(),
});
const callSchema = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
  metadata: scalars.nullish(),
});
/** Messages may come back in a snapshot, so nothing of them is kept that could be nested without end. */
const messageSchema = z.object({
  id: z.string().max(256),
  role: z.enum(["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]),
  content: z.union([z.string(), z.array(partSchema), z.record(z.string(), z.unknown())]).nullish(),
  name: text,
  toolCalls: z.array(callSchema).nullish(),
  toolCallId: text,
  error: text,
  encryptedValue: text,
  subagentRunId: text,
  metadata: scalars.nullish(),
});

const inputSchema = z.object({
  threadId: conversationIdSchema,
  runId: commandIdSchema,
  protocolVersion: text,
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

const shownSchema = z.object({ thread_id: z.string().optional(), retried: z.int().optional() });
const propsSchema = z.object({
  language: sendSchema.shape.language,
  timezone: sendSchema.shape.timezone,
  verify: sendSchema.shape.verify,
});

export type RunInput = {
  readonly threadId: string;
  readonly runId: string;
  /** As the client declares it; null before 1.0. */
  readonly version: string | null;
  /** What the client has, its activities left out, which clients do not send. */
  readonly messages: readonly Message[];
  /** What the client keeps in its state besides what is ours. */
  readonly state: Readonly<Record<string, unknown>>;
  /** What the client was told last of how a thread stands. */
  readonly shown: { readonly thread_id?: string | undefined; readonly retried?: number | undefined };
  /** Tools that the client could run. Nobody here calls them. */
  readonly tools: readonly string[];
  readonly resume: readonly ResumeEntry[];
  /** All of a message but its words. */
  readonly options: Omit<Send, "message" | "agent">;
};

export function inputOf(body: unknown): RunInput {
  const { threadId, runId, protocolVersion, messages, resume, tools, ...more } = parseWith(inputSchema, body);
  const { [STATE_KEY]: shown, ...state } = more.state ?? {};
  return {
    threadId,
    runId,
    version: protocolVersion ?? null,
    messages: messages.filter(({ role }) => role !== "activity").map((message) => compact(message) as Message),
    state,
    shown: shownSchema.safeParse(shown).data ?? {},
    tools: tools?.map(({ name }) => name) ?? [],
    resume: resume ?? [],
    options: optionsOf(state, more.context ?? [], more.forwardedProps),
  };
}

/** State and context of the client are data for those who work on the message. Throws a `Fault` when they are too much. */
function optionsOf(state: Readonly<Record<string, unknown>>, entries: readonly unknown[], props: unknown) {
  const given = {
    ...(Object.keys(state).length === 0 ? {} : { state }),
    ...(entries.length === 0 ? {} : { context: entries }),
  };
  const isNone = typeof props !== "object" || props === null;
  return {
    ...parseWith(propsSchema, isNone ? {} : props),
    ...parseWith(sendSchema.pick({ context: true }), Object.keys(given).length === 0 ? {} : { context: given }),
  };
}

/** The person's last words and where they stand. Throws a `Fault` when there are none, or more than words. */
export function lastWords({ messages }: RunInput): { readonly message: string; readonly at: number } {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  if (last === undefined) throw refusal("messages", "one of them must be the user's");
  if (messages.at(-1)?.role === "tool" && messages.at(-1)?.id.endsWith(".result") === false)
    throw refusal("messages", "the last one is a tool's result, but nobody here calls tools of clients");
  const field = `messages.${at}.content`;
  const parts = partsIn(last.content);
  if (parts === null) throw refusal(field, "must be text");
  const other = parts.find(({ type }) => type !== "text");
  if (other !== undefined)
    throw refusal(field, `only text can be sent here, and this has a part of type ${other.type}`);
  const message = parts.map((part) => part.text ?? "").join("\n\n");
  if (message.trim() === "") throw refusal(field, "must not be empty");
  return { message, at };
}

function partsIn(content: unknown): z.infer<typeof partSchema>[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return z.array(partSchema).safeParse(content).data ?? null;
}

function refusal(field: string, words: string): Fault {
  return new Fault("invalid_request", `${field}: ${words}`, { field });
}

/** Older clients write null for what is not there, newer ones take none. */
function compact(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const there = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(
    there.map(([key, inner]) => [
      key,
      Array.isArray(inner) ? inner.map((one) => compact(one as object as never)) : inner,
    ]),
  );
}
