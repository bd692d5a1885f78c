// Parses chat requests and formats streamed answers, both in OpenAI's format.

import * as z from "zod";

const callSchema = z
  .object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
  .transform(({ id, function: called }) => ({ id, ...called }));
export type RequestedToolCall = z.infer<typeof callSchema>;

const turnSchema = z
  .object({
    role: z.enum(["system", "user", "assistant", "tool"]),
    content: z.string().nullish(),
    tool_calls: z.array(callSchema).default([]),
    tool_call_id: z.string().default(""),
  })
  .transform(({ role, content, tool_calls: toolCalls, tool_call_id: toolCallId }) => ({
    role,
    text: content ?? "",
    toolCalls,
    toolCallId,
  }));
export type ChatTurn = z.infer<typeof turnSchema>;

const toolSchema = z
  .object({
    function: z.object({
      name: z.string().min(1),
      description: z.string().default(""),
      parameters: z.record(z.string(), z.unknown()).default({}),
    }),
  })
  .transform(({ function: offered }) => offered);
export type OfferedTool = z.infer<typeof toolSchema>;

/** The schema of a required format; null for other formats, and `{}` for any object. */
const formatSchema = z
  .object({ type: z.string(), json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }).optional() })
  .transform(({ type, json_schema: named }) => named?.schema ?? (type === "json_object" ? { type: "object" } : null));

/** The body of a request. Answers are always streamed, with their usage. */
export const chatRequestSchema = z
  .object({
    messages: z.array(turnSchema).min(1),
    tools: z.array(toolSchema).default([]),
    tool_choice: z.unknown().optional(),
    response_format: formatSchema.default(null),
  })
  .transform(({ messages: turns, tools, tool_choice: choice, response_format: format }) => ({
    turns,
    tools,
    mustCall: choice === "required",
    format,
  }));
type ParsedRequest = z.infer<typeof chatRequestSchema>;
export type EmbeddedChatRequest = Pick<ParsedRequest, "turns" | "tools"> & Partial<ParsedRequest>;

type CallArguments = Readonly<Record<string, unknown>>;
export type EmbeddedAnswer =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "calls";
      /** Text before the calls. */
      readonly text?: string;
      readonly calls: readonly { readonly name: string; readonly arguments: CallArguments }[];
    };

export const createTextAnswer = (text: string): EmbeddedAnswer => ({ kind: "text", text });
export const createCallAnswer = (name: string, args: CallArguments): EmbeddedAnswer => ({
  kind: "calls",
  calls: [{ name, arguments: args }],
});

const CHARS_PER_TOKEN = 4;

/** Yields the chunks of a streamed completion, without SSE framing. The usage is an estimate. */
export function* formatChunks(answer: EmbeddedAnswer, model: string, promptChars: number): Generator<unknown, void> {
  const id = crypto.randomUUID();
  const created = Math.floor(Date.now() / 1_000);
  const head = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, model };
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const { text = "" } = answer;
  const calls = answer.kind === "calls" ? answer.calls : [];
  for (const content of splitIntoDeltas(text)) yield chunk({ role: "assistant", content });
  for (const [index, { name, arguments: args }] of calls.entries()) {
    const called = { name, arguments: JSON.stringify(args) };
    yield chunk({ tool_calls: [{ index, id: `call_${id}_${index}`, type: "function", function: called }] });
  }
  yield chunk({}, answer.kind === "text" ? "stop" : "tool_calls");
  const prompt = Math.ceil(promptChars / CHARS_PER_TOKEN);
  const completion = Math.ceil((text + JSON.stringify(calls)).length / CHARS_PER_TOKEN);
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  yield { ...head, choices: [], usage };
}

/** Splits text into deltas: words with the space before them, up to three Chinese characters. */
function splitIntoDeltas(text: string): string[] {
  return text.match(/\s*(?:[\u3000-\u9fff\uff00-\uffef]{1,3}|[^\s\u3000-\u9fff\uff00-\uffef]{1,24})|\s+/gu) ?? [];
}
