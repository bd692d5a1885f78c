// Asks a model to write or change a blueprint, and repeats until the result is valid.

import type { AgentRunEvent } from "../kit/agent.ts";
import { requestToolCall, createCorrection, type UnusableReply, type ExpectedTool } from "../kit/request-tool-call.ts";
import type { ModelMessage } from "../kit/agent-prompt.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import type { LocalizedText } from "../../protocol/language/detect-language.ts";
import { extractJson } from "./written-block.ts";
import { localize } from "./localize.ts";
import { createSystemMessage, type ModelContext } from "./model-context.ts";
import { isRecord } from "./data-shapes.ts";

/** One attempt and two repairs. */
const MAX_ATTEMPTS = 3;
/** Maximum characters of a plain text reply that are shown to the person. It may explain why the model cannot plan. */
const MAX_SHOWN_REPLY_CHARS = 500;

/** The result of validating a model's reply. `problem` is written for the model. */
export type ReplyVerdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type BlueprintPrompt = {
  readonly instructions: string;
  readonly language: string;
  readonly prompt: string;
  /** The tools that the model may call. JSON in a plain text reply counts as a call of the first one. */
  readonly wanted: readonly [ExpectedTool, ...ExpectedTool[]];
};

/**
 * Asks the model until `judge` accepts the reply, and returns the accepted value. Each rejection is sent back to the
 * model as a correction. Throws a `Fault` (`agent_failed`) with the last problem after three attempts; model errors
 * pass through.
 */
export async function* requestUntilValid<T>(
  ctx: ModelContext,
  { instructions, language, prompt, wanted }: BlueprintPrompt,
  validate: (name: string, value: unknown) => ReplyVerdict<T>,
): AsyncGenerator<AgentRunEvent, T> {
  const callSettings = { ...ctx, role: "blueprint", system: createSystemMessage(instructions, language) };
  const messages: ModelMessage[] = [{ role: "user", content: prompt }];
  let problem = "";
  let replyText = "";
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const reply = yield* requestToolCall(callSettings, wanted, messages);
    const toolCall = extractToolCall(reply, wanted[0].name);
    const verdict = toolCall === null ? null : validate(toolCall.name, toolCall.value);
    if (verdict?.ok === true) return verdict.value;
    problem = verdict?.problem ?? (reply.kind === "malformed" ? reply.problem : "");
    replyText = reply.kind === "text" ? reply.text.slice(0, MAX_SHOWN_REPLY_CHARS) : "";
    messages.push(...createCorrections(reply, problem, wanted.map(({ name }) => name).join(" or "), attempt));
  }
  throw new Fault("agent_failed", localize(NOT_PLANNED(problem || replyText), language));
}

type BlueprintModelReply =
  | UnusableReply
  | { readonly kind: "called"; readonly name: string; readonly value: unknown; readonly arguments: string };

/** Returns the tool call of a reply, or JSON within its text as a call of `first`; null if there is neither. */
function extractToolCall(
  reply: BlueprintModelReply,
  first: string,
): { readonly name: string; readonly value: unknown } | null {
  switch (reply.kind) {
    case "called":
      return reply;
    case "malformed":
      return null;
    case "text": {
      const value = extractJson(reply.text);
      return isRecord(value) ? { name: first, value } : null;
    }
  }
}

/** Returns the messages to append: the model's reply and the problem with it. */
function createCorrections(
  reply: BlueprintModelReply,
  problem: string,
  calls: string,
  attempt: number,
): ModelMessage[] {
  switch (reply.kind) {
    case "called":
    case "malformed":
      return createCorrection({ ...reply, kind: "malformed", problem }, calls, attempt);
    case "text": {
      const corrections = createCorrection(reply, calls, attempt);
      return problem === "" ? corrections : [...corrections, { role: "user", content: problem }];
    }
  }
}

/** Shown to the person after the last attempt. Contains the last problem. */
const NOT_PLANNED = (problem: string): LocalizedText => ({
  en: `The model could not plan this analysis. Please word it in another way. ${problem}`.trim(),
  zh: `模型没能规划出这个分析，请换一种说法。${problem}`,
});
