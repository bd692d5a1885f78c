// The objects of a chat-completions stream, parsed leniently: a field of the wrong type counts as absent, because
// providers differ. Handwritten, since it runs once per token and a schema validator would cost more than JSON.parse.

/** An object with optional fields of unknown types. */
type Loose<Names extends string> = { readonly [Name in Names]?: unknown };

export type Chunk = Loose<"choices" | "usage" | "error">;
export type Choice = Loose<"index" | "delta" | "message" | "finish_reason">;
export type Delta = Loose<"content" | "refusal" | "reasoning_content" | "reasoning" | "reasoning_text" | "tool_calls">;
export type ToolCallDelta = Loose<"index" | "id" | "function">;
export type FunctionDelta = Loose<"name" | "arguments">;

/**
 * Returns any object as one of the types above, whose fields are all optional and unknown; undefined for other values.
 */
export function asObject(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Returns a string; "" for any other value. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns a safe integer ≥ 0; undefined for any other value. */
export function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns the first choice; we never request more. */
export function choiceOf(chunk: Chunk): Choice | undefined {
  return Array.isArray(chunk.choices) ? asObject(chunk.choices[0]) : undefined;
}

/**
 * Returns the text of a delta, or its refusal. Content is a string, or with some providers a list of parts, of which
 * the text parts are joined.
 */
export function contentOf({ content, refusal }: Delta): string {
  if (!Array.isArray(content)) return asText(content) || asText(refusal);
  return content.map((part: unknown) => textOfPart(asObject(part) ?? {})).join("");
}

function textOfPart({ type, text }: Loose<"type" | "text">): string {
  return type === "text" ? asText(text) : "";
}

/** Returns the reasoning of a delta. Providers name the field differently, and some send it under two names. */
export function reasoningOf({ reasoning_content, reasoning, reasoning_text }: Delta): string {
  return asText(reasoning_content) || asText(reasoning) || asText(reasoning_text);
}
