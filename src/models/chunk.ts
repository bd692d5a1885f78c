// What a chat-completions endpoint may send, read leniently: providers differ, and a field of the wrong
// type is a field that is not there. Written by hand because it runs once per token, where a schema
// validator would cost more than the parse.

type Loose<Names extends string> = { readonly [Name in Names]?: unknown };

export type Chunk = Loose<"choices" | "usage" | "error">;
export type Choice = Loose<"index" | "delta" | "message" | "finish_reason">;
export type Delta = Loose<"content" | "refusal" | "reasoning_content" | "reasoning" | "reasoning_text" | "tool_calls">;
export type ToolCallDelta = Loose<"index" | "id" | "function">;
export type FunctionDelta = Loose<"name" | "arguments">;

/** Any of the shapes above: all their fields are optional and unknown, so every object is one. */
export function asObject(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The first choice: we never ask for more than one. */
export function choiceOf(chunk: Chunk): Choice | undefined {
  return Array.isArray(chunk.choices) ? asObject(chunk.choices[0]) : undefined;
}

/** Content is text, or with some providers a list of parts of which some are text. */
export function contentOf({ content, refusal }: Delta): string {
  if (!Array.isArray(content)) return asText(content) || asText(refusal);
  return content.map((part: unknown) => textOfPart(asObject(part) ?? {})).join("");
}

function textOfPart({ type, text }: Loose<"type" | "text">): string {
  return type === "text" ? asText(text) : "";
}

/** Providers name it differently, and some send it under two names at once. */
export function reasoningOf({ reasoning_content, reasoning, reasoning_text }: Delta): string {
  return asText(reasoning_content) || asText(reasoning) || asText(reasoning_text);
}
