// The outcome of one agent's verification. It is judged by the last tool result; the agent's own statement can make it
// worse, never better.

import type { ToolUse } from "../../protocol/workflows/workflow-instance.ts";
import type { VerificationVerdict } from "../../protocol/plans/verification.ts";
import { truncateWithEllipsis } from "../../protocol/text/truncate.ts";
import type { Language } from "../../protocol/language/detect-language.ts";
import { QUESTION_REFUSED, type TaskOutcome } from "../task-outcome.ts";
import { classifyToolResult } from "./classify-result.ts";
import { parseVerdict, type AgentVerdict } from "./verification-request.ts";

/** The outcome of one verification. `tools` are the tools that the agent used. */
export type VerificationOutcome = {
  readonly verified: VerificationVerdict;
  readonly reason?: string;
  /** The agent's answer. */
  readonly response: string;
  readonly tools: readonly ToolUse[];
};

/** The reason code of an agent that used no tool. */
const NO_TOOL_REASON = "no_verification_tool";

/**
 * Returns the verification outcome of a finished task segment. Without a used tool it is `unable_to_verify`; a failure
 * before the first tool call is an `exception`, a later one a failed verification.
 */
export function toVerificationOutcome(end: TaskOutcome, language: Language): VerificationOutcome {
  const messages = OUTCOME_MESSAGES[language];
  switch (end.status) {
    case "completed": {
      const { result: response, tools = [] } = end;
      const last = tools.at(-1);
      if (last === undefined) return { verified: "unable_to_verify", reason: NO_TOOL_REASON, response, tools };
      return {
        ...combineVerdicts(classifyToolResult(last.result), parseVerdict(response), last, messages),
        response,
        tools,
      };
    }
    case "failed": {
      const { error: response, tools = [], code } = end;
      if (code === QUESTION_REFUSED) return { verified: "unable_to_verify", reason: messages.asked, response, tools };
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
  answer: "yes" | "no",
  verdict: AgentVerdict | null,
  last: ToolUse,
  messages: (typeof OUTCOME_MESSAGES)[Language],
): Pick<VerificationOutcome, "verified" | "reason"> {
  if (answer === "no") return { verified: false, reason: messages.no(last.tool, quoteResult(last.result)) };
  if (verdict === "not_verified") return { verified: false, reason: messages.denied };
  if (verdict === "unable") return { verified: "unable_to_verify", reason: messages.unable };
  return { verified: true };
}

const OUTCOME_MESSAGES = {
  en: {
    asked: "It asked a question instead of looking.",
    no: (tool: string, result: string) => `${tool} answered: ${result}`,
    denied: "It looked, and says that the task is not done.",
    unable: "It looked, and says that this does not tell.",
  },
  zh: {
    asked: "它没有查看，而是提出了问题。",
    no: (tool: string, result: string) => `${tool} 返回：${result}`,
    denied: "它查看后表示任务没有完成。",
    unable: "它查看后表示无法判断。",
  },
} as const satisfies Record<Language, object>;

const MAX_REASON_CHARS = 300;

/** Quotes a tool result, truncated; an empty one as `""`. */
function quoteResult(result: string): string {
  return result.trim() === "" ? '""' : truncateWithEllipsis(result.trim(), MAX_REASON_CHARS);
}
