// The objects of a chat-completions stream, parsed leniently: a field of the wrong type counts as absent, because
// providers differ. Handwritten, since it runs once per token and a schema validator would cost more than JSON.parse.

/** An object with optional fields of unknown types. */
type LooseFields<Names extends string> = { readonly [Name in Names]?: unknown };

export type ModelChunk = LooseFields<"object" | "choices" | "usage" | "error">;
export type ModelChunkChoice = LooseFields<"index" | "delta" | "message" | "finish_reason" | "error">;
export type ModelChunkDelta = LooseFields<
  "content" | "refusal" | "reasoning_content" | "reasoning" | "reasoning_text" | "tool_calls"
>;
export type ModelToolCallDelta = LooseFields<"index" | "id" | "function">;
export type ModelFunctionDelta = LooseFields<"name" | "arguments">;

/**
 * Returns any object as one of the types above, whose fields are all optional and unknown; undefined for other values.
 */
export function toObject(value: unknown): object | undefined {
  return typeof value === "object" && value !== null ? value : undefined;
}

/** Returns a string; "" for any other value. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns a safe integer ≥ 0; undefined for any other value. */
export function toCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Returns the first choice, or undefined; we never request more. */
export function getFirstChoice(chunk: ModelChunk): ModelChunkChoice | undefined {
  return Array.isArray(chunk.choices) ? toObject(chunk.choices[0]) : undefined;
}

/**
 * Returns the text of a delta, or its refusal. Content is a string, or with some providers a list of parts, of which
 * the text parts are joined.
 */
export function getContentText({ content, refusal }: ModelChunkDelta): string {
  if (!Array.isArray(content)) return toText(content) || toText(refusal);
  return content.map((part: unknown) => getPartText(toObject(part) ?? {})).join("");
}

function getPartText({ type, text }: LooseFields<"type" | "text">): string {
  return type === "text" ? toText(text) : "";
}

/** Returns the reasoning of a delta. Providers name the field differently, and some send it under two names. */
export function getReasoningText({ reasoning_content, reasoning, reasoning_text }: ModelChunkDelta): string {
  return toText(reasoning_content) || toText(reasoning) || toText(reasoning_text);
}
