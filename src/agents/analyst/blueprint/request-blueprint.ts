// Asks a model to write or change a blueprint, and repeats until the result is valid.

import type { AgentRunEvent } from "../../kit/agent.ts";
import {
  requestUntilAccepted,
  type ExpectedTool,
  type ReplyVerdict,
  type ToolReply,
} from "../../kit/tools/request-tool-call.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault } from "../../../protocol/wire/message-error.ts";
import { extractJson } from "../compose/written-block.ts";
import { createSystemMessage, type ModelContext } from "../model-context.ts";
import { isRecord } from "../blocks/data-shapes.ts";

/** One attempt and two repairs. */
const MAX_ATTEMPTS = 3;
/** Maximum characters of a plain text reply that are shown to the person. It may explain why the model cannot plan. */
const MAX_SHOWN_REPLY_CHARS = 500;

/** A request to the model for a blueprint or a change. */
export type BlueprintPrompt = {
  readonly instructions: string;
  readonly language: string;
  readonly prompt: string;
  /** The tools that the model may call. JSON in a plain text reply counts as a call of the first one. */
  readonly expectedTools: readonly [ExpectedTool, ...ExpectedTool[]];
};

/**
 * Asks the model until `validate` accepts the call, and returns the accepted value. Each rejection is sent back to the
 * model as a correction. Throws a `Fault` (`agent_failed`) with the last problem after three attempts,
 * `agent_exhausted`, and errors of the model.
 */
export async function* requestUntilValid<T>(
  ctx: ModelContext,
  { instructions, language, prompt, expectedTools }: BlueprintPrompt,
  validate: (name: string, value: unknown) => ReplyVerdict<T>,
): AsyncGenerator<AgentRunEvent, T> {
  const callSettings = { ...ctx, role: "blueprint", system: createSystemMessage(instructions, language) };
  let problem = "";
  let replyText = "";
  const accepted = yield* requestUntilAccepted(callSettings, expectedTools, prompt, MAX_ATTEMPTS, (reply) => {
    const toolCall = extractToolCall(reply, expectedTools[0].name);
    const verdict = toolCall === null ? null : validate(toolCall.name, toolCall.value);
    if (verdict?.ok === true) return verdict;
    problem = verdict?.problem ?? (reply.kind === "malformed" ? reply.problem : "");
    replyText = reply.kind === "text" ? reply.text.slice(0, MAX_SHOWN_REPLY_CHARS) : "";
    return { ok: false, problem };
  });
  if (accepted !== null) return accepted.value;
  const reason = problem || replyText;
  throw createFault(
    "agent_failed",
    reason === "" ? "analyst.notPlanned" : createMessage("analyst.notPlannedBecause", { problem: reason }),
  );
}

/** Returns the tool call of a reply, or JSON within its text as a call of `first`; null if there is neither. */
function extractToolCall(reply: ToolReply, first: string): { readonly name: string; readonly value: unknown } | null {
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
