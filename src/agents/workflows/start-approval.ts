// The approval of start values that come from untrusted text (P1): the person sees them before the instance starts.

import { formatMessage } from "../../language/messages.ts";
import type { AgentReply } from "../../protocol/agents/agent.ts";
import { ArgumentExaminer } from "../../protocol/provenance/examine-arguments.ts";
import { parseDecision } from "../../protocol/wire/question.ts";
import { type WorkflowTaskContext, workflowTaskContextSchema } from "../../protocol/workflows/workflow-template.ts";
import type { AgentRunEvent } from "../kit/agent.ts";
import { createApprovalRemark, listPersonTexts, listUntrustedTexts } from "../kit/request-texts.ts";
import { createApprovalQuestion } from "../kit/tools/approval-question.ts";
import type { WorkflowAgentState, WorkflowRunContext } from "./workflow-context.ts";

const START_TOOL_NAME = "start_plan";

/** Returns the question whether the instance may start with these values; null if all of them are the person's. */
export function createStartQuestion(
  { request, language, template }: WorkflowRunContext,
  context: WorkflowTaskContext,
  isRepeated = false,
): AgentRunEvent | null {
  const texts = {
    person: listPersonTexts(request),
    deployment: [JSON.stringify(template)],
    untrusted: listUntrustedTexts(request),
  };
  const args = { context };
  const verdict = new ArgumentExaminer().examine(args, texts, new Set(["context", ...Object.keys(context)]));
  const reason = createApprovalRemark(verdict, texts);
  if (reason === null && !isRepeated) return null;
  const state: WorkflowAgentState = { at: "approval", context };
  const parameters = { type: "object", properties: { context: { type: "object" } }, required: ["context"] };
  const question = createApprovalQuestion(START_TOOL_NAME, args, parameters, reason ?? undefined, verdict.origins);
  return {
    type: "input_required",
    ...question,
    prompt: formatMessage(language, question.prompt),
    state: JSON.stringify(state),
  };
}

/** The decision of the person about the start. */
export type StartDecision =
  | { readonly kind: "start"; readonly context: WorkflowTaskContext }
  | { readonly kind: "refused" }
  | { readonly kind: "unclear" };

/** Decides about the start after the answer. Changed values must be a valid context. */
export function decideStart(askedContext: WorkflowTaskContext, reply: AgentReply | undefined): StartDecision {
  if (reply === undefined) return { kind: "unclear" };
  const { message, decision = parseDecision(message), arguments: edited } = reply.answer;
  if (decision === "refuse") return { kind: "refused" };
  if (edited === undefined)
    return decision === "approve" ? { kind: "start", context: askedContext } : { kind: "unclear" };
  const parsed = workflowTaskContextSchema.safeParse(edited["context"]);
  return parsed.success ? { kind: "start", context: parsed.data } : { kind: "unclear" };
}
