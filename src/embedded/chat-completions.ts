// Parses and formats OpenAI chat completions.

import * as z from "zod";
import { tryParseJson } from "../lib/parse-json.ts";

const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().default("") }))])
  .nullish()
  .transform((given) => (typeof given === "string" ? given : (given ?? []).map(({ text }) => text).join("\n")));

const callSchema = z
  .looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) })
  .transform(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: text }));
export type RequestedToolCall = z.infer<typeof callSchema>;

const messageSchema = z
  .looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool"]),
    content,
    tool_calls: z.array(callSchema).nullish(),
    tool_call_id: z.string().default(""),
  })
  .transform(({ role, content: text, tool_calls: calls, tool_call_id: toolCallId }) => ({
    role: role === "developer" ? ("system" as const) : role,
    text,
    toolCalls: calls ?? [],
    toolCallId,
  }));
export type ChatTurn = z.infer<typeof messageSchema>;

const toolSchema = z
  .looseObject({
    type: z.literal("function"),
    function: z.looseObject({
      name: z.string().min(1),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish(),
    }),
  })
  .transform(({ function: { name, description, parameters } }) => ({
    name,
    description: description ?? "",
    parameters: parameters ?? {},
  }));
export type OfferedTool = z.infer<typeof toolSchema>;

const bodySchema = z
  .looseObject({
    model: z.string(),
    messages: z.array(messageSchema).min(1).max(2_000),
    tools: z.array(toolSchema).max(128).nullish(),
    tool_choice: z
      .union([z.enum(["none", "auto", "required"]), z.looseObject({ function: z.looseObject({ name: z.string() }) })])
      .nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  })
  .transform(({ tools, tool_choice: choice, ...body }) => ({
    turns: body.messages,
    tools: (tools ?? []).filter(
      ({ name }) => (typeof choice === "object" ? (choice?.function.name ?? name) : name) === name && choice !== "none",
    ),
    isStreamed: body.stream === true,
    wantsUsage: body.stream_options?.include_usage === true,
  }));
export type EmbeddedChatRequest = z.infer<typeof bodySchema>;

export type MalformedBody = { readonly message: string; readonly param: string | null };

export function parseBody(
  text: string,
): { readonly request: EmbeddedChatRequest } | { readonly malformed: MalformedBody } {
  const json = tryParseJson(text);
  if (json === undefined) return { malformed: { message: "The body is not valid JSON.", param: null } };
  const parsed = bodySchema.safeParse(json);
  if (parsed.success) return { request: parsed.data };
  const [issue] = parsed.error.issues;
  const param = issue === undefined || issue.path.length === 0 ? null : issue.path.join(".");
  return { malformed: { message: `${param ?? "body"}: ${issue?.message ?? "invalid"}`, param } };
}

export type EmbeddedAnswer =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "calls";
      /** Text before the calls. */
      readonly text?: string;
      readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
    };

export type EmbeddedCompletionHead = { readonly id: string; readonly created: number; readonly model: string };
type EmbeddedUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

const CHARS_PER_TOKEN = 4;

/** Estimates four characters per token. */
export function estimateTokenUsage(bodyLength: number, answer: EmbeddedAnswer): EmbeddedUsage {
  const said = answer.kind === "text" ? answer.text : (answer.text ?? "") + JSON.stringify(answer.calls);
  const [prompt, completion] = [Math.ceil(bodyLength / CHARS_PER_TOKEN), Math.ceil(said.length / CHARS_PER_TOKEN)];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

export function formatCompletion(head: EmbeddedCompletionHead, answer: EmbeddedAnswer, usage: EmbeddedUsage): unknown {
  const message =
    answer.kind === "text"
      ? { role: "assistant", content: answer.text, refusal: null }
      : {
          role: "assistant",
          content: answer.text ?? null,
          refusal: null,
          tool_calls: formatToolCalls(head, answer.calls),
        };
  return {
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: getFinishReason(answer) }],
    usage,
  };
}

/** Yields the chunks of a streamed completion, without SSE framing. */
export function* formatChunks(
  head: EmbeddedCompletionHead,
  answer: EmbeddedAnswer,
  usage: EmbeddedUsage | null,
): Generator<unknown, void> {
  const chunk = (delta: unknown, finish: string | null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(usage === null ? {} : { usage: null }),
  });
  yield chunk({ role: "assistant", content: answer.text === undefined ? null : "" }, null);
  for (const content of splitIntoDeltas(answer.text ?? "")) yield chunk({ content }, null);
  if (answer.kind === "calls") {
    for (const [index, { function: call, ...rest }] of formatToolCalls(head, answer.calls).entries()) {
      yield chunk({ tool_calls: [{ index, ...rest, function: { name: call.name, arguments: "" } }] }, null);
      for (const part of call.arguments.match(/[\s\S]{1,48}/gu) ?? [])
        yield chunk({ tool_calls: [{ index, function: { arguments: part } }] }, null);
    }
  }
  yield chunk({}, getFinishReason(answer));
  if (usage !== null) yield { ...head, object: "chat.completion.chunk", choices: [], usage };
}

function getFinishReason({ kind }: EmbeddedAnswer): string {
  return kind === "text" ? "stop" : "tool_calls";
}

function formatToolCalls({ id }: EmbeddedCompletionHead, calls: (EmbeddedAnswer & { kind: "calls" })["calls"]) {
  const suffix = id.replace("chatcmpl-", "");
  return calls.map((call, i) => ({
    id: `call_${suffix}_${i}`,
    type: "function" as const,
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

/** Splits text into deltas: words with the space before them, up to three Chinese characters. */
function splitIntoDeltas(text: string): string[] {
  return (
    text.match(
      /\s*(?:[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]{1,3}|[^\s\u3400-\u9fff\u3000-\u303f\uff00-\uffef]{1,24})|\s+/gu,
    ) ?? []
  );
}
