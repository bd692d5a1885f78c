// Token usage of a completion: the endpoint's own count, or an estimate.

import type { ModelRequest, ModelUsage, ToolCall } from "../core/ports.ts";
import { toCount, toObject } from "./model-chunk.ts";

type TokenCounts = { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };

/** Parses the usage of a chunk; undefined if it is absent or invalid. */
export function parseUsage(value: unknown): ModelUsage | undefined {
  const { prompt_tokens, completion_tokens }: TokenCounts = toObject(value) ?? {};
  const inputTokens = toCount(prompt_tokens);
  const outputTokens = toCount(completion_tokens);
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

/**
 * Estimates the usage for endpoints that send none, so that budgets still work (T6): the messages and tools of the
 * request, and the texts and tool calls of the output.
 */
export function estimateUsage(
  request: ModelRequest,
  outputTexts: readonly string[],
  calls: readonly ToolCall[],
): ModelUsage {
  const inputTexts = request.messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? listCallTexts(message.toolCalls ?? []) : []),
  ]);
  return {
    inputTokens: estimateTokens([...inputTexts, ...(request.tools ?? []).map((tool) => JSON.stringify(tool))]),
    outputTokens: estimateTokens([...outputTexts, ...listCallTexts(calls)]),
  };
}

function listCallTexts(calls: readonly ToolCall[]): string[] {
  return calls.flatMap((call) => [call.name, call.arguments]);
}

/** Estimates tokens: four characters of an alphabet, or one character from U+2E80 on (Chinese, Japanese, Korean). */
function estimateTokens(texts: readonly string[]): number {
  let quarters = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) quarters += text.charCodeAt(at) < 0x2e80 ? 1 : 4;
  }
  return Math.ceil(quarters / 4);
}
