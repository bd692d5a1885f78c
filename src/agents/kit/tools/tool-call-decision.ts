// The decision about a tool call after the person has answered the question for approval.

import { createMessage, type Message } from "../../../language/messages.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { parseDecision, type QuestionAnswer } from "../../../protocol/wire/question.ts";
import { escapeInvisible } from "../../../lib/escape-invisible.ts";
import { createApprovalQuestion } from "./approval-question.ts";
import type { ToolQuestion } from "../ask.ts";
import type { AgentToolArguments, AgentTool } from "./tool.ts";
import { isSameJson } from "../../../lib/json-value.ts";

/** The decision: run with these arguments (`isEdited`: changed by the person), refused, or ask again. */
export type ToolCallDecision =
  | { readonly kind: "run"; readonly arguments: AgentToolArguments; readonly isEdited: boolean }
  | { readonly kind: "refused"; readonly answerText: string }
  | {
      readonly kind: "ask";
      readonly arguments: AgentToolArguments;
      readonly question: ToolQuestion;
      readonly remark: Message;
    };

/**
 * Decides about a call whose approval was asked with `askedArguments`. An approved call runs with exactly the arguments
 * that the person saw or wrote, if the tool's check accepts them unchanged. A refused call does not run. In all other
 * cases the person is asked again, with a remark that gives the reason. Throws errors of the check other than `Fault`.
 */
export function decideToolCall(
  tool: AgentTool,
  askedArguments: AgentToolArguments,
  answer: QuestionAnswer,
): ToolCallDecision {
  const askAgain = (args: AgentToolArguments, remark: Message): ToolCallDecision => ({
    kind: "ask",
    arguments: args,
    question: createApprovalQuestion(tool.name, args, tool.parameters, remark),
    remark,
  });
  const decision = answer.decision ?? (answer.arguments === undefined ? parseDecision(answer.message) : "approve");
  if (decision === null) return askAgain(askedArguments, createMessage("approval.unclearAnswer"));
  if (decision === "refuse") return { kind: "refused", answerText: answer.message };
  const approvedArguments = answer.arguments ?? askedArguments;
  const checkedArguments = checkArguments(tool, approvedArguments);
  if ("problem" in checkedArguments) return askAgain(askedArguments, checkedArguments.problem);
  const { accepted } = checkedArguments;
  if (!isSameJson(accepted, approvedArguments))
    return askAgain(accepted, createMessage("approval.argumentsReadDifferently"));
  return { kind: "run", arguments: accepted, isEdited: !isSameJson(accepted, askedArguments) };
}

function checkArguments(
  tool: AgentTool,
  args: AgentToolArguments,
): { readonly accepted: AgentToolArguments } | { readonly problem: Message } {
  try {
    return { accepted: tool.check(args).arguments };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const problem = thrown.text ?? escapeInvisible(thrown.message);
    return { problem: createMessage("approval.invalidArguments", { problem }) };
  }
}
