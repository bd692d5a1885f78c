import type { ModelRequest, ModelUsage, ToolCall } from "../core/ports.ts";
import { asCount, asObject } from "./chunk.ts";

type Counts = { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };

/** The endpoint's own count, or undefined if it gave none that makes sense. */
export function readUsage(value: unknown): ModelUsage | undefined {
  const { prompt_tokens, completion_tokens }: Counts = asObject(value) ?? {};
  const inputTokens = asCount(prompt_tokens);
  const outputTokens = asCount(completion_tokens);
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens };
}

/** For endpoints that do not count, so that budgets hold all the same. */
export function estimateUsage(request: ModelRequest, said: readonly string[], calls: readonly ToolCall[]): ModelUsage {
  const asked = request.messages.flatMap((message) => [
    message.content,
    ...(message.role === "assistant" ? callTexts(message.toolCalls ?? []) : []),
  ]);
  return {
    inputTokens: estimateTokens([...asked, ...(request.tools ?? []).map((tool) => JSON.stringify(tool))]),
    outputTokens: estimateTokens([...said, ...callTexts(calls)]),
  };
}

function callTexts(calls: readonly ToolCall[]): string[] {
  return calls.flatMap((call) => [call.name, call.arguments]);
}

/** About four characters of an alphabet to a token, and one character of Chinese, Japanese or Korean. */
function estimateTokens(texts: readonly string[]): number {
  let quarters = 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) quarters += text.charCodeAt(at) < 0x2e80 ? 1 : 4;
  }
  return Math.ceil(quarters / 4);
}
