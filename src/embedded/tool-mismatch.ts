// Detects work that sounds like a common tool but differs: another day, another unit to count, another kind of draw.
// That tool would answer another question.

import type { WorkContext } from "./tool-arguments.ts";
import { formatLocalDate, findDates } from "./spoken-dates.ts";
import { getFamily, type Idea } from "./idea-glossary.ts";
import { findRequestedIdeas } from "./idea-matching.ts";
import { findLiteralSpans } from "./text-payload.ts";
import { findReference } from "./result-references.ts";
import { maskSpans, normalizeCharacters } from "../language/text-spans.ts";

/** Draws that are not numbers of a range. */
export const NOT_A_NUMBER_DRAW =
  /\belements?\b|\bitems?\b|\bcoins?\b|硬币|\brandom(?:ly)? (?!numbers?\b|integers?\b|digits?\b|whole\b|values?\b)\w+ (?:out of|of|from|among) (?!the (?:range|numbers?)\b|\d)|password|string|letter|word|colou?r|name|小数|浮点|密码|字母|颜色|单词|名字|float|decimal|uuid|[质偶奇]数|\b(?:prime|even|odd)\b|日期|date|[选挑](?!.*数)|抽(?!.*[数签奖号\d])|(?:choose|select)(?! an? (?:random )?(?:whole )?(?:number|integer)\b)|one of|\b(?:bigger|greater|larger|more) than|\bat least\b|\b(?:above|over|beyond) \d|(?<!不)(?:大于|超过)|至少|以上|不重复|\bunique\b|repeat/;

const OTHERS: readonly (readonly [Idea, RegExp])[] = [
  ["random", NOT_A_NUMBER_DRAW],
  ["count", /\b(?:vowel|consonant|syllable|paragraph|digit)s?\b|元音|辅音|音节|段落|标点/],
  ["reverse", /revers\w* (?:the )?(?:order of|words (?:in|of))|word order|按单?词|词序/],
  ["sort", /descend|降序|从[大高]到[小低]|z to a|by length|按长度|-?\d+(?:\.\d+)?(?:\s*[,，、]\s*-?\d+(?:\.\d+)?)+/],
  ["arithmetic", /罗马|\broman\b|进制|\b(?:binary|hex(?:adecimal)?|octal)\b/],
];

/** True if the words ask for a variant that the tool's description does not mention. */
export function asksForOtherVariant(text: string, said = ""): boolean {
  const folded = normalizeCharacters(text).toLowerCase();
  const words = maskSpans(folded, findLiteralSpans(folded));
  const unlike = OTHERS.filter(([, other]) => other.test(words) && !other.test(said.toLowerCase()));
  return unlike.some(([idea]) => findRequestedIdeas(text).has(idea));
}

const CONDITION =
  /\b(?:if|unless) (?:it|that|this|the (?:result|number|answer|sum))\b|(?:如果|要是|假如|若)(?:它|是|结果|答案|这|那|大于|小于|等于|得到)/i;

/** `if it is even, …`, `in an hour, roll a die`: conditions and delays are not supported. */
export function isConditionalOrDelayed(text: string): boolean {
  const folded = normalizeCharacters(text);
  const isLater =
    HOURS_AWAY.test(folded) && [...findRequestedIdeas(text)].some((idea) => /random|arithmetic/.test(idea));
  return isLater || CONDITION.test(folded);
}

/** Hours or minutes from now or ago. */
export const HOURS_AWAY =
  /\b(?:in|after) (?:an?|half an|[\d.]+|[a-z]+) (?:hours?|minutes?)\b|\b(?:hours?|minutes?) (?:from now|later|ago|earlier)\b|(?:小时|分钟|刻钟)[之以]?[后前]|过了?(?:[\d.]+|[一二两三四五六七八九十半]+)个?半?(?:小时|分钟|刻钟)/i;
/** Days, weeks or more from today or ago. */
const DAYS_AWAY =
  /\b(?:in|after) (?:an?|half an?|[\d.]+|[a-z]+) (?:days?|weeks?|months?|years?)\b|\b(?:days?|weeks?|months?|years?) (?:from (?:now|today|tomorrow|yesterday)|later|ago|earlier)\b|(?:\d|[一两二三四五六七八九十百半])(?:天|日|个?(?:周|星期|礼拜)|个月|年)[之以]?[后前]|[上下]个?月/i;
/** A time of day, or a difference between clocks. */
const SHIFTED =
  /time difference|时差|相差|\b\d{1,2}(?::\d{2})? ?(?:o'clock|[ap]\.?m\b)|\b\d{1,2}:\d{2}\b|(?:\d|[二两三四五六七八九十]|[午晚晨上间]一)点/i;

/** A named day. */
const FEAST =
  /\b(?:christmas(?! island)|xmas|easter(?! island)|halloween|thanksgiving|new year)|(?:春|元宵|清明|端午|中秋|情人|劳动|儿童|圣诞)节|元旦|除夕|国庆|圣诞/i;

/** `what weekday is that`: refers to an earlier date. */
const WEEKDAY = /星期|周几|礼拜|(?:week|what |which )day/i;

/** True if the text asks for the time or date at another moment: a clock tool would answer for now. */
export function asksForOtherMoment({ text, now, timezone }: WorkContext): boolean {
  const today = formatLocalDate(now, timezone);
  return (
    [...findRequestedIdeas(text)].some((idea) => getFamily(idea) === "clock") &&
    (HOURS_AWAY.test(normalizeCharacters(text)) ||
      DAYS_AWAY.test(normalizeCharacters(text)) ||
      SHIFTED.test(normalizeCharacters(text)) ||
      FEAST.test(normalizeCharacters(text)) ||
      (WEEKDAY.test(normalizeCharacters(text)) && findReference(text) !== "none") ||
      findDates(text, today).some((date) => date !== today))
  );
}
