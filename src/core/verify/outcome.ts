// What came of asking one agent: judged by what it did. Its own word can make the outcome worse, never better.

import type { ToolUse } from "../../protocol/plan-instance.ts";
import type { Verified } from "../../protocol/verification.ts";
import { shortened } from "../../protocol/shortened.ts";
import type { Language } from "../../protocol/words/language.ts";
import { ASKED, type TaskEnd } from "../task-end.ts";
import { answerOf } from "./answer.ts";
import { verdictIn, type Verdict } from "./words.ts";

export type Outcome = {
  readonly verified: Verified;
  readonly reason?: string;
  /** The agent's own words. */
  readonly response: string;
  readonly tools: readonly ToolUse[];
};

const NO_TOOL = "no_verification_tool";

/** The outcome of the leg in which an agent was to verify its task. */
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

function brief(result: string): string {
  return result.trim() === "" ? '""' : shortened(result.trim(), MAX_REASON);
}
