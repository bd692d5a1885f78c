// Rewrites a message that depends on earlier ones so that it can be understood alone: "and times 2?" after 5950128 ·
// "那上海呢" after 东京现在几点 · "again".

import { detectLanguage } from "../../language/detect-language.ts";
import { normalizeCharacters, trimPunctuation } from "../../language/text-spans.ts";
import { getLastAnswer, listEarlierRequests, type PromptContext } from "../prompt-context.ts";
import { detectSmallTalk } from "../small-talk.ts";
import { collectResultNumbers, extractText } from "../work/earlier-results.ts";
import { findZone, readClock } from "../work/read-clock.ts";
import { formatExpression, resolveSum } from "../work/read-sum.ts";
import { readWork } from "../work/read-work.ts";

const MAX_QUOTED_CHARS = 2_000;
const AGAIN =
  /^(?:please |and )?(?:again|once more|one more(?: time)?|another(?: one)?|do (?:it|that) again|repeat(?: that| it)?|(?:try|run) (?:it |that )?again)(?: please)?$|^请?(?:再来|再来一[次个遍]|再一[次个遍]|再[做试算查]一[次遍]|重复一[次遍]|重试|换一个)吧?$/i;
const ELSEWHERE =
  /^(?:(?:and|or|so|what about|how about|sorry|no|i meant|in|for|,) ?)*(?<english>[\p{Script=Latin} .'/-]{2,40})$|^(?:那么?|不对|我是说|换成|在|,)*(?<chinese>[\u4e00-\u9fff]{2,8}?)(?:呢|的话)*$/iu;

/** Returns the complete request; unchanged if it is complete already or cannot be completed. */
export function completeFollowUp(talk: PromptContext): string {
  const { request } = talk;
  const words = trimPunctuation(normalizeCharacters(request)).replace(/[?!。]+$/, "");
  const requests = listEarlierRequests(talk);
  const base = requests.find(
    (earlier) => detectSmallTalk(earlier) === null && !AGAIN.test(earlier) && findPlaceAlone(earlier) === null,
  );
  if (base === undefined) return request;
  if (AGAIN.test(words)) return base;
  const place = readWork(request) === null ? findPlaceAlone(words) : null;
  if (place !== null && readClock(base) !== null)
    return detectLanguage(base) === "zh" ? `${place}现在几点` : `What time is it in ${place}?`;
  return insertLastResult(talk, requests[0] ?? "") ?? request;
}

/** Returns the known place of `and in Tokyo?` or 那上海呢. */
function findPlaceAlone(words: string): string | null {
  const { english, chinese } = ELSEWHERE.exec(normalizeCharacters(words).replace(/[\s?？!。]+$/, ""))?.groups ?? {};
  const name = english ?? chinese;
  return name !== undefined && findZone(name) !== null ? name : null;
}

/** Inserts the last answer into work that needs it; null if it needs none. */
function insertLastResult(talk: PromptContext, about: string): string | null {
  const answer = getLastAnswer(talk);
  const work = readWork(talk.request);
  if (answer === null || work === null) return null;
  const result = { value: answer, about };
  if (work.kind === "sum" && work.template.includes("$")) {
    const expression = resolveSum(work.template, collectResultNumbers([result]));
    return expression === null ? null : formatExpression(expression);
  }
  if (!("text" in work) || work.text !== null) return null;
  const quoted = extractText(result).slice(0, MAX_QUOTED_CHARS).replaceAll('"', "'");
  return `${trimPunctuation(talk.request).replace(/[?？!！。]+$/, "")}: "${quoted}"`;
}
