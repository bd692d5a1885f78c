// The sentences of the toolsmith for people, in both languages.

import type { AgentRequest } from "../../protocol/agent.ts";
import { languageOf, type Both } from "../../protocol/words/language.ts";
import type { Done } from "./state.ts";

/** Returns the error of a sub-task for which no usable tool was written. */
export function noTool(times: number, last: string): Both {
  return {
    en: `No tool for this came about in ${times} attempts. ${last}`,
    zh: `尝试了${times}次也没有写出可用的工具。${last}`,
  };
}

export const NOTHING_WRITTEN: Both = { en: "The model wrote no tool.", zh: "模型没有写出工具。" };

export const REFUSED: Both = { en: "You refused the code.", zh: "你拒绝了这段代码。" };

/** Returns one line for a sub-task, with its result or its error (F100). */
export function lineOf({ id, description, ...end }: Done): Both {
  return end.status === "completed"
    ? { en: `Task ${id} (${description}): ${end.result}`, zh: `任务${id}(${description}): ${end.result}` }
    : {
        en: `Task ${id} (${description}): failed - ${end.error}`,
        zh: `任务${id}(${description}): 执行失败 - ${end.error}`,
      };
}

/** Selects the text in the language of the request. */
export function inLanguageOf({ query, metadata }: Pick<AgentRequest, "query" | "metadata">, words: Both): string {
  return words[languageOf(query, metadata.language)];
}
