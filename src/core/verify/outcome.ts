// The outcome of one agent's verification. It is judged by the last tool result; the agent's own statement can make it
// worse, never better.

import type { ToolUse } from "../../protocol/plan-instance.ts";
import type { Verified } from "../../protocol/verification.ts";
import { shortened } from "../../protocol/shortened.ts";
import type { Language } from "../../protocol/words/language.ts";
import { ASKED, type TaskEnd } from "../task-end.ts";
import { answerOf } from "./answer.ts";
import { verdictIn, type Verdict } from "./words.ts";

/** The outcome of one verification. `tools` are the tools that the agent used. */
export type Outcome = {
  readonly verified: Verified;
  readonly reason?: string;
  /** The agent's answer. */
  readonly response: string;
  readonly tools: readonly ToolUse[];
};

/** The reason code of an agent that used no tool. */
const NO_TOOL = "no_verification_tool";

/**
 * Returns the verification outcome of a finished task segment. Without a used tool it is `unable_to_verify`; a failure
 * before the first tool call is an `exception`, a later one a failed verification.
 */
export function outcomeOf(end: TaskEnd, language: Language): Outcome {
  const words = WORDS[language];
  switch (end.status) {
    case "completed": {
      const { result: response, tools = [] } = end;
      const last = tools.at(-1);
      if (last === undefined) return { verified: "unable_to_verify", reason: NO_TOOL, response, tools };
      return { ...judged(answerOf(last.result), verdictIn(response), last, words), response, tools };
    }
    case "failed": {
      const { error: response, tools = [], code } = end;
      if (code === ASKED) return { verified: "unable_to_verify", reason: words.asked, response, tools };
      return { verified: tools.length > 0 ? false : "exception", reason: response, response, tools };
    }
    case "cancelled":
      return { verified: "exception", reason: end.error, response: end.error, tools: [] };
    case "scheduled":
      return { verified: "unable_to_verify", reason: NO_TOOL, response: end.result, tools: [] };
  }
}

/** Combines the tool's answer and the agent's verdict: a negative one of either kind wins. */
function judged(
  answer: "yes" | "no",
  verdict: Verdict | null,
  last: ToolUse,
  words: (typeof WORDS)[Language],
): Pick<Outcome, "verified" | "reason"> {
  if (answer === "no") return { verified: false, reason: words.no(last.tool, brief(last.result)) };
  if (verdict === "not_verified") return { verified: false, reason: words.denied };
  if (verdict === "unable") return { verified: "unable_to_verify", reason: words.unable };
  return { verified: true };
}

const WORDS = {
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

const MAX_REASON = 300;

/** Quotes a tool result, truncated; an empty one as `""`. */
function brief(result: string): string {
  return result.trim() === "" ? '""' : shortened(result.trim(), MAX_REASON);
}
