// Inserts the last answer into a message that needs it, so that it can be understood alone: "and times 2?" after 5950128.

import { trimPunctuation } from "../../language/text-spans.ts";
import { getLastAnswer, type PromptContext } from "../prompt-context.ts";
import { collectResultNumbers, extractText } from "../work/earlier-results.ts";
import { formatExpression, resolveSum } from "../work/read-sum.ts";
import { readWork } from "../work/read-work.ts";

const MAX_QUOTED_CHARS = 2_000;

/** Returns the complete request; unchanged if it is complete already or cannot be completed. */
export function completeFollowUp(talk: PromptContext): string {
  const { request } = talk;
  const answer = getLastAnswer(talk);
  const work = readWork(request);
  if (answer === null || work === null) return request;
  const result = { value: answer, about: "" };
  if (work.kind === "sum" && work.template.includes("$")) {
    const expression = resolveSum(work.template, collectResultNumbers([result]));
    return expression === null ? request : formatExpression(expression);
  }
  if (!("text" in work) || work.text !== null) return request;
  const quoted = extractText(result).slice(0, MAX_QUOTED_CHARS).replaceAll('"', "'");
  return `${trimPunctuation(request).replace(/[?？!！。]+$/, "")}: "${quoted}"`;
}
