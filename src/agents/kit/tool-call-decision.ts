// The decision about a tool call after the person has answered the question for approval.

import { Fault } from "../../protocol/wire/fault.ts";
import { parseDecision, type QuestionAnswer } from "../../protocol/wire/question.ts";
import { escapeInvisible } from "../../protocol/text/escape-invisible.ts";
import { createApprovalQuestion } from "./approval-question.ts";
import type { RunQuestion } from "./ask.ts";
import { isSameJson } from "./json-value.ts";
import type { AgentToolArguments, AgentTool } from "./tool.ts";

/** The decision: run with these arguments, refused, or ask again. */
export type ToolCallDecision =
  | { readonly kind: "run"; readonly arguments: AgentToolArguments; readonly isEdited: boolean }
  | { readonly kind: "refused"; readonly answerText: string }
  | {
      readonly kind: "ask";
      readonly arguments: AgentToolArguments;
      readonly question: RunQuestion;
      readonly remark: string;
    };

/**
 * Decides about a call whose approval was asked with the arguments `asked`. A call runs only with the exact arguments
 * that the person saw or wrote, and only if the tool's schema accepts them unchanged. In all other cases except a
 * refusal the person is asked again, with a remark that gives the reason.
 */
export function decideToolCall(
  tool: AgentTool,
  askedArguments: AgentToolArguments,
  answer: QuestionAnswer,
): ToolCallDecision {
  const askAgain = (args: AgentToolArguments, remark: string): ToolCallDecision => ({
    kind: "ask",
    arguments: args,
    question: createApprovalQuestion(tool.name, args, tool.parameters, remark),
    remark,
  });
  const decision = answer.decision ?? (answer.arguments === undefined ? parseDecision(answer.message) : "approve");
  if (decision === null) return askAgain(askedArguments, "The answer was neither approve nor refuse.");
  if (decision === "refuse") return { kind: "refused", answerText: answer.message };
  const approvedArguments = answer.arguments ?? askedArguments;
  const checkedArguments = checkArguments(tool, approvedArguments);
  if (typeof checkedArguments === "string")
    return askAgain(askedArguments, `These arguments cannot be used. ${checkedArguments}`);
  if (!isSameJson(checkedArguments, approvedArguments))
    return askAgain(checkedArguments, "The tool reads the arguments in another way. This is how.");
  return { kind: "run", arguments: checkedArguments, isEdited: !isSameJson(checkedArguments, askedArguments) };
}

/** Returns the arguments as the tool reads them, or the problem as text. */
function checkArguments(tool: AgentTool, args: AgentToolArguments): AgentToolArguments | string {
  try {
    return tool.check(args).arguments;
  } catch (thrown) {
    if (thrown instanceof Fault) return escapeInvisible(thrown.message);
    throw thrown;
  }
}
