// The final answer of the toolsmith. It contains every result literally and nothing invented (F100, F101).

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import {
  collectNumberSources,
  findUnsourcedNumbers,
  formatNumberCorrection,
} from "../../protocol/provenance/number-sources.ts";
import type { AgentRunEvent } from "../kit/agent.ts";
import type { ModelMessage } from "../kit/agent-prompt.ts";
import { callModel } from "../kit/call-model.ts";
import { isPublicError, type ToolsmithContext } from "./toolsmith-context.ts";
import { formatOutcome } from "./toolsmith-messages.ts";
import { createAnswerPrompt } from "./toolsmith-prompts.ts";
import type { SubtaskOutcome } from "./toolsmith-state.ts";

/** Maximum characters of results that the model turns into prose. Longer results are sent as they are. */
const MAX_PROSE_CHARS = 8_000;

/**
 * Yields the final answer as one text event. It is the model's text if that contains every result and no other number,
 * with missing failures appended. Otherwise it is `formatOutcomes`: also if the model fails with an error meant for people, if no
 * sub-task is completed, or if the results exceed 8,000 characters. Throws the abort reason and unexpected errors.
 */
export async function* writeAnswer(
  ctx: ToolsmithContext,
  outcomes: readonly SubtaskOutcome[],
): AsyncGenerator<AgentRunEvent> {
  const lines = formatOutcomes(ctx.request, outcomes);
  const isShort = lines.length <= MAX_PROSE_CHARS;
  const hasResult = outcomes.some(({ status }) => status === "completed");
  const text = isShort && hasResult ? yield* writeProse(ctx, outcomes) : "";
  yield {
    type: "text",
    text: text === "" ? lines : [text, ...listMissingFailures(text, ctx.request, outcomes)].join("\n"),
  };
}

/** Formats all outcomes in the language of the request, one below the other, each with its result or its error. */
export function formatOutcomes(request: AgentRequest, outcomes: readonly SubtaskOutcome[]): string {
  return outcomes.map((outcome) => formatOutcome(request, outcome)).join("\n");
}

function containsAllResults(text: string, outcomes: readonly SubtaskOutcome[]): boolean {
  return (
    text !== "" &&
    outcomes.every((outcome) => outcome.status !== "completed" || containsToken(text, outcome.result.trim()))
  );
}

/** True if a text contains a result as a separate token: 12 is neither in 512 nor in 12.5, -12 or 12万. */
function containsToken(text: string, result: string): boolean {
  const isNumber = /\d$/.test(result);
  for (let at = text.indexOf(result); at >= 0; at = text.indexOf(result, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + result.length, at + result.length + 3);
    const continuesBefore = /^[a-z\d]/i.test(result) && /(?:[a-z\d\-−]|\d[.,])$/i.test(before);
    const continuesAfter = isNumber
      ? NUMBER_CONTINUATION.test(after)
      : /[a-z]$/i.test(result) && /^[a-z\d]/i.test(after);
    if (!continuesBefore && !continuesAfter) return true;
  }
  return result === "";
}

const NUMBER_CONTINUATION = /^(?:[.,]?\d|e[+-]?\d|\s?[十百千万亿])/i;

function listMissingFailures(text: string, request: AgentRequest, outcomes: readonly SubtaskOutcome[]): string[] {
  return outcomes.flatMap((outcome) =>
    outcome.status === "failed" && !text.includes(outcome.error) ? [formatOutcome(request, outcome)] : [],
  );
}

/** Attempts of the model: the second one corrects numbers that are in no result. */
const MAX_PROSE_ATTEMPTS = 2;

/**
 * Returns a text of the model that contains every result and no other number; empty if the model writes none, or fails
 * with an error meant for people. Its deltas are not emitted.
 */
async function* writeProse(
  ctx: ToolsmithContext,
  outcomes: readonly SubtaskOutcome[],
): AsyncGenerator<AgentRunEvent, string> {
  const { query } = ctx.request;
  const sources = collectNumberSources(query, outcomes);
  const messages: ModelMessage[] = [ctx.system, { role: "user", content: createAnswerPrompt(query, outcomes) }];
  for (let attempt = 1; attempt <= MAX_PROSE_ATTEMPTS; attempt++) {
    const text = yield* completeProse(ctx, messages);
    if (!containsAllResults(text, outcomes)) return "";
    const unsourced = findUnsourcedNumbers(text, sources);
    if (unsourced.length === 0) return text;
    const correction = formatNumberCorrection(unsourced);
    messages.push({ role: "assistant", content: text }, { role: "user", content: correction });
  }
  return "";
}

/** Returns the trimmed text of one model call; empty if it fails with an error meant for people. */
async function* completeProse(
  { role, model, signal, budget }: ToolsmithContext,
  messages: readonly ModelMessage[],
): AsyncGenerator<AgentRunEvent, string> {
  const modelCall = callModel(model, { role, messages: [...messages], signal }, budget);
  try {
    for (;;) {
      const { done: isOver, value } = await modelCall.next();
      if (isOver === true) return value.text.trim();
      if (value.type !== "text") yield value;
    }
  } catch (thrown) {
    if (signal.aborted || !isPublicError(thrown)) throw thrown;
    return "";
  }
}
