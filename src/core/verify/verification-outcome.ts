// The outcome of one verification. A criterion decides by its checks. Without one, the last tool result of the agent's own
// verification decides; the agent's statement can make it worse, never better.

import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";
import type { VerificationEvidence, VerificationVerdict } from "../../protocol/plans/verification.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import { createMessage } from "../../language/messages.ts";
import type { Ports } from "../ports.ts";
import { QUESTION_REFUSED, type CheckedCriterion, type FailedCheck, type TaskOutcome } from "../turn/task-outcome.ts";
import type { CriterionCheck } from "../../protocol/plans/criterion.ts";
import { isAboutSubject } from "../../protocol/plans/judge-criterion.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import { classifyToolResult } from "./classify-result.ts";
import { parseVerdict, type AgentVerdict } from "./parse-verdict.ts";

/** The outcome of one verification. `tools` are the tools that the agent used. */
export type VerificationOutcome = {
  readonly verified: VerificationVerdict;
  readonly reason?: string;
  /** The agent's answer. */
  readonly response: string;
  readonly tools: readonly ToolUse[];
  readonly evidence?: VerificationEvidence;
};

/** The reason code of an agent that used no tool. */
const NO_TOOL_REASON = "no_verification_tool";

/**
 * Returns the verification outcome of a finished task segment. A completed one is judged by its last tool result, and
 * is `unable_to_verify` without a used tool. A failed one is false after a tool call, `exception` before, and
 * `unable_to_verify` if the agent asked a question. A cancelled one is an `exception`. `subject` are the texts that a
 * lookup must concern.
 */
export function toVerificationOutcome(
  ports: Pick<Ports, "formatMessage">,
  end: TaskOutcome,
  subject: readonly string[],
): VerificationOutcome {
  switch (end.status) {
    case "completed": {
      const { result: response, tools = [] } = end;
      const last = tools.at(-1);
      if (last === undefined) return { verified: "unable_to_verify", reason: NO_TOOL_REASON, response, tools };
      return {
        ...combineVerdicts(ports, classifyToolResult(last.result), parseVerdict(response), last, subject),
        response,
        tools,
      };
    }
    case "failed": {
      const { error: response, tools = [], code } = end;
      if (code === QUESTION_REFUSED) {
        const reason = ports.formatMessage(createMessage("verification.questionAsked"));
        return { verified: "unable_to_verify", reason, response, tools };
      }
      return { verified: tools.length > 0 ? false : "exception", reason: response, response, tools };
    }
    case "cancelled":
      return { verified: "exception", reason: end.error, response: end.error, tools: [] };
    case "scheduled":
      return { verified: "unable_to_verify", reason: NO_TOOL_REASON, response: end.result, tools: [] };
  }
}

/** Combines the tool's answer and the agent's verdict: a negative one of either kind wins. */
function combineVerdicts(
  { formatMessage }: Pick<Ports, "formatMessage">,
  answer: "yes" | "no",
  verdict: AgentVerdict | null,
  { tool, result, arguments: args }: ToolUse,
  subject: readonly string[],
): Pick<VerificationOutcome, "verified" | "reason"> {
  if (answer === "no") {
    const message = createMessage("verification.toolAnswered", { tool, result: quoteResult(result) });
    return { verified: false, reason: formatMessage(message) };
  }
  if (verdict === "not_verified")
    return { verified: false, reason: formatMessage(createMessage("verification.notDone")) };
  if (verdict === "unable")
    return { verified: "unable_to_verify", reason: formatMessage(createMessage("verification.inconclusive")) };
  if (!isAboutSubject(tryParseJson(args ?? ""), subject))
    return {
      verified: "unable_to_verify",
      reason: formatMessage(createMessage("verification.otherSubject", { tool })),
    };
  return { verified: true };
}

/**
 * Returns the outcome of a task with a criterion. Only a criterion that did not hold before the work and holds after it
 * verifies the task. `response` is the claim of the agent.
 */
export function toCheckedOutcome(
  ports: Pick<Ports, "formatMessage">,
  { criterion, before, after, attempts, seqs }: CheckedCriterion,
  response: string,
): VerificationOutcome {
  const getHolds = (check: CriterionCheck | FailedCheck) => ("error" in check ? null : check.holds);
  const evidence: VerificationEvidence = {
    ...criterion,
    before: getHolds(before),
    after: getHolds(after),
    result: "error" in after ? "" : after.result,
    seqs: [...seqs],
    attempts,
  };
  const end = { response, tools: [], evidence };
  if ("error" in after) return { verified: "exception", reason: after.error, ...end };
  if (!after.holds) {
    const message = createMessage("verification.toolAnswered", {
      tool: criterion.tool,
      result: quoteResult(after.result),
    });
    return { verified: false, reason: ports.formatMessage(message), ...end };
  }
  if (evidence.before === false) return { verified: true, ...end };
  const key = evidence.before === null ? "verification.notCheckedBefore" : "verification.heldBefore";
  return { verified: "unable_to_verify", reason: ports.formatMessage(createMessage(key)), ...end };
}

const MAX_REASON_CHARS = 300;

/** Quotes a tool result, truncated; an empty one as `""`. */
function quoteResult(result: string): string {
  return result.trim() === "" ? '""' : truncateWithEllipsis(result.trim(), MAX_REASON_CHARS);
}
