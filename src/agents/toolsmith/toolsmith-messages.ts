// The sentences of the toolsmith for people, in both languages.

import type { AgentRequest } from "../../protocol/agents/agent.ts";
import { detectLanguage, type LocalizedText } from "../../protocol/language/detect-language.ts";
import type { SubtaskOutcome } from "./toolsmith-state.ts";

/** Returns the error of a sub-task for which no usable tool was written. */
export function formatNoTool(attempts: number, lastProblem: string): LocalizedText {
  return {
    en: `No tool for this came about in ${attempts} attempts. ${lastProblem}`,
    zh: `尝试了${attempts}次也没有写出可用的工具。${lastProblem}`,
  };
}

export const NO_TOOL_WRITTEN: LocalizedText = { en: "The model wrote no tool.", zh: "模型没有写出工具。" };

export const CODE_REFUSED: LocalizedText = { en: "You refused the code.", zh: "你拒绝了这段代码。" };

/** Returns one line for a sub-task, with its result or its error (F100). */
export function formatOutcome({ id, description, ...outcome }: SubtaskOutcome): LocalizedText {
  return outcome.status === "completed"
    ? { en: `Task ${id} (${description}): ${outcome.result}`, zh: `任务${id}(${description}): ${outcome.result}` }
    : {
        en: `Task ${id} (${description}): failed - ${outcome.error}`,
        zh: `任务${id}(${description}): 执行失败 - ${outcome.error}`,
      };
}

/** Selects the text in the language of the request. */
export function localizeReply(
  { query, metadata }: Pick<AgentRequest, "query" | "metadata">,
  message: LocalizedText,
): string {
  return message[detectLanguage(query, metadata.language)];
}
