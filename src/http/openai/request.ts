// Parses chat completion requests: the last message is sent, the earlier ones are its history.
//
// Parameters that would change the answer in a way that the runtime does not support are refused. Parameters that only
// tune a model are ignored.

import * as z from "zod";
import { parseWith } from "../../protocol/fault.ts";
import type { Turn } from "../earlier.ts";
import { Refusal } from "./refusal.ts";

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.string().describe("`user`, `assistant`, `system` or `developer`."),
  content: z
    .union([z.string(), z.array(partSchema)])
    .nullish()
    .describe("Text, or parts of the type `text`."),
});

/** The parameters that are supported. See docs/open-protocols.md for the others. */
export const completionSchema = z.looseObject({
  model: z.string().min(1).max(128).describe("`orrery`, or the name of an agent."),
  messages: z.array(messageSchema).min(1).max(2_000).describe("The last one must be the user's."),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});
type Message = z.infer<typeof messageSchema>;

/** A validated request. */
export type Completion = {
  readonly model: string;
  /** The last message of the user. */
  readonly message: string;
  /** The other messages, oldest first. Their number and length are not limited. */
  readonly earlier: readonly Turn[];
  readonly streams: boolean;
  readonly wantsUsage: boolean;
};

/**
 * Parses a request. Throws a `Fault` if it does not match the schema, and an `OpenAiError` if it is not supported.
 * System messages may follow the last message of the user.
 */
export function completionOf(body: unknown): Completion {
  const { model, messages, stream, stream_options, ...rest } = parseWith(completionSchema, body);
  refuseUndoable(rest);
  const turns = messages.map(turnOf);
  const at = turns.findLastIndex(({ role }) => role !== "system");
  const last = turns[at];
  if (last?.role !== "user") {
    throw new Refusal(400, "invalid_request", "messages: the last one must be the user's", { param: "messages" });
  }
  if (last.content.trim() === "") {
    throw new Refusal(400, "invalid_request", `messages.${at}.content: must not be empty`, {
      param: `messages.${at}.content`,
    });
  }
  return {
    model,
    message: last.content,
    earlier: turns.toSpliced(at, 1).filter(({ content }) => content.trim() !== ""),
    streams: stream === true,
    wantsUsage: stream_options?.include_usage === true,
  };
}

/** Converts a message. Throws an `OpenAiError` for messages of tools and for unknown roles. */
function turnOf(message: Message, i: number): Turn {
  const { role, content } = message;
  const param = `messages.${i}`;
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: textOf(content, param) };
    case "user":
      return { role, content: textOf(content, param) };
    case "assistant":
      if (!isAbsent(message["tool_calls"]) || !isAbsent(message["function_call"]))
        throw withTools(`${param}.tool_calls`);
      return { role, content: textOf(content, param) };
    case "tool":
    case "function":
      throw withTools(`${param}.role`);
    default:
      throw new Refusal(400, "invalid_request", `${param}.role: there is no role ${shown(role)}`, {
        param: `${param}.role`,
      });
  }
}

/** Returns the text of a message, its parts joined by line feeds. */
function textOf(content: Message["content"], param: string): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part, i) => partText(part, `${param}.content.${i}`)).join("\n");
}

/** Returns the text of a part. Throws an `OpenAiError` for images, audio and files. */
function partText({ type, text, refusal }: z.infer<typeof partSchema>, param: string): string {
  if (type === "text" && text !== undefined) return text;
  if (type === "refusal" && typeof refusal === "string") return refusal;
  throw new Refusal(400, "unsupported", `${param}: only text can be read here, not ${shown(type)}`, { param });
}

/** Creates the error for tools of the client, which the runtime does not call. */
function withTools(param: string): Refusal {
  const words = `${param}: tools of clients are not called here; the runtime has agents with tools of their own`;
  return new Refusal(400, "unsupported", words, { param });
}

/** Parameters that change the answer, with a test for the values that have no effect. */
const MAY_STAND: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: isEmpty,
  functions: isEmpty,
  tool_choice: (value) => value === "none" || value === "auto",
  function_call: (value) => value === "none" || value === "auto",
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  response_format: (value) => typeof value === "object" && value !== null && "type" in value && value.type === "text",
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.every((one) => one === "text"),
  stop: isEmpty,
  web_search_options: () => false,
};

/** Throws an `OpenAiError` for the first parameter with an unsupported value. */
function refuseUndoable(rest: Readonly<Record<string, unknown>>): void {
  for (const [param, mayStand] of Object.entries(MAY_STAND)) {
    const value = Object.hasOwn(rest, param) ? rest[param] : undefined;
    if (isAbsent(value) || mayStand(value)) continue;
    if (param === "tools" || param === "functions" || param === "tool_choice" || param === "function_call") {
      throw withTools(param);
    }
    throw new Refusal(400, "unsupported", `${param}: this is not supported here`, { param });
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Quotes the beginning of a text for an error message. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}
