// Detects work for a single later time: `tomorrow at 10 roll a die`, 20分钟后报时. It must not run now.

import { maskSpans, normalizeCharacters } from "../language/text-spans.ts";
import { findLiteralSpans } from "./text-payload.ts";

const DAY_EN = "(?:on |next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today";
const PART_EN = "(?: (?:morning|afternoon|evening|night))?";
const CLOCK_EN = String.raw`(?:\d{1,2}(?::\d{2})?(?: ?(?:[ap]\.?m\.?|o'clock))?|noon|midnight)`;
const COUNT_EN = String.raw`(?:an?|half an|\d+|[a-z]+)`;
const WHEN_EN = [
  String.raw`(?:${DAY_EN})${PART_EN},? (?:at )?${CLOCK_EN}`,
  String.raw`at ${CLOCK_EN} (?:${DAY_EN})${PART_EN}`,
  String.raw`in ${COUNT_EN} (?:minute|hour|day|week)s?`,
].join("|");
const BEGINS_EN = new RegExp(String.raw`^\s*(?:please,? )?(?:${WHEN_EN})(?![\w:])[\s,:]+[a-z]`, "i");
const REMINDS_EN = new RegExp(
  String.raw`^\s*(?:please,? )?(?:remind me .*\b(?:${WHEN_EN})|set (?:an? )?(?:timer|alarm))\b`,
  "i",
);
const ENDS_EN = new RegExp(String.raw`[a-z"'\d] (?:${WHEN_EN})[\s.!]*$`, "i");

const DAY_ZH = "大?后天|明[天早晚]|今[天早晚]|下?个?(?:周|星期|礼拜)[一二三四五六日天]";
const REMINDS_ZH = new RegExp(`^\\s*(?:请|帮我|麻烦)*(?:${DAY_ZH})[^,，。]{0,12}提醒我`);
const COUNT_ZH = String.raw`(?:\d+|[一两二三四五六七八九十]{1,3})个?半?|半个?`;
const BEGINS_ZH = new RegExp(
  String.raw`^\s*(?:请|帮我|麻烦|在|过)*(?:(?:${DAY_ZH})的?(?:凌晨|早上|早晨|上午|中午|下午|傍晚|晚上)?(?:\d{1,2}|[零一两二三四五六七八九十]{1,3})(?:点(?:钟|整|半|[一三]刻|\d{1,2}分?)?|[:]\d{2})|(?:${COUNT_ZH})(?:分钟|小时|刻钟|天|周|星期)[之以]?后)(?:的时候|时)?[\s,，]*[\u4e00-\u9fff]`,
);

/** A question about a time can be answered now. */
const QUESTION =
  /[?？]|\b(?:what|which|how|when|who|why|is|are|will|was|convert|between|until|since)\b|几|多少|什么|哪|是|到|距/i;

/** True if the work is to run once, at a later time. */
export function isDeferredOnce(text: string): boolean {
  const folded = normalizeCharacters(text);
  const said = maskSpans(folded, findLiteralSpans(folded));
  return (
    !QUESTION.test(said) && [BEGINS_EN, ENDS_EN, REMINDS_EN, BEGINS_ZH, REMINDS_ZH].some((words) => words.test(said))
  );
}
