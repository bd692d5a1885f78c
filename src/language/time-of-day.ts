// Parser of times of day in English and Chinese: 9:30 · 9pm · half past six · noon · 下午3点半 · 中午.

import { parseNumeral } from "./numerals.ts";
import type { TextSpan } from "./text-spans.ts";

/** A time of day in a text. `time` is `HH:MM`, or null for an impossible time such as 25:00. */
export type TimeOfDayMatch = TextSpan & { readonly time: string | null };

const DAY_PART_ZH = "凌晨|清晨|早上|早晨|上午|中午|正午|下午|傍晚|晚上|夜里|半夜|早|晚";
const TIME_ZH = new RegExp(
  String.raw`(${DAY_PART_ZH})?的?(?:在|于)?\s{0,9}(?:(\d{1,2})[:](\d{2})|(\d{1,2}|[零一二两三四五六七八九十]{1,3})(?: ?点|时(?!间)|(?=(?:[、和与及](?:\d{1,2}|[零一二两三四五六七八九十]{1,3})){1,5}点))(?:钟|整)?(?:(半)|(一刻)|(三刻)|(\d{2}|[零一二三四五六七八九十]{2,3}|[\d一二三四五六七八九十](?=分))分?)?)|(中午|正午|半夜|午夜|零点)`,
);
const DAY_PART_AFTER = new RegExp(String.raw`^的?\s{0,9}(${DAY_PART_ZH})`);
/** Pattern of hours as English words. */
export const HOUR_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const TIME_EN = new RegExp(
  String.raw`(?:\bat |\bby |\baround |@ ?)?(?:\b(noon|midday|midnight)\b|\b(half past|quarter past|quarter to) (\d{1,2}|${HOUR_WORDS})\b|\b(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\.?(?!\w)|p\.?m\.?(?!\w)|o'clock)?(?![\w%:])|(?<=at )(${HOUR_WORDS})\b(?:\s*(a\.?m\.?(?!\w)|p\.?m\.?(?!\w)|o'clock))?)(?: in the (morning|afternoon|evening)| at night)?`,
  "i",
);

/** Returns the Chinese part of the day that begins at an index: 每天*晚上*告诉我时间. Returns "" if there is none. */
export function readDayPart(text: string, from: number): string {
  return DAY_PART_AFTER.exec(text.slice(from))?.[1] ?? "";
}

/**
 * Finds the first time of day, in Chinese if there is one, else in English; null if there is none. A bare number
 * counts: check `isExplicitTime`. `period` is the part of the day from other words, such as `every evening` or 晚上; ""
 * if none.
 */
export function findTimeOfDay(text: string, period: string): TimeOfDayMatch | null {
  const mayBeChinese = /[点时:半午零]/.test(text) && /[\u4e00-\u9fff]/.test(text);
  const chinese = mayBeChinese ? TIME_ZH.exec(text) : null;
  const match = chinese ?? TIME_EN.exec(text);
  if (match === null) return null;
  const time = chinese === null ? parseEnglishTime(match, period) : parseChineseTime(match, period);
  return { time, start: match.index, end: match.index + match[0].length };
}

/** True if the words can only be a time: `at 9`, 9点, 9:00, 9pm, but not a bare 9. */
export function isExplicitTime(text: string, span: TextSpan): boolean {
  return /^(?:at |@)|点|[:]|[ap]\.?m|noon|midnight|[正中半]午|午夜/i.test(text.slice(span.start, span.end));
}

function parseChineseTime(match: RegExpExecArray, precedingPeriod: string): string | null {
  const [, period = precedingPeriod, hour, minute, spoken, half, quarter, threeQuarters, minutes, alone] = match;
  if (alone !== undefined) return /中午|正午/.test(alone) ? "12:00" : "00:00";
  const part = half !== undefined ? 30 : quarter !== undefined ? 15 : threeQuarters !== undefined ? 45 : null;
  const past = part ?? parseNumeral(minutes ?? minute ?? "0");
  const stated = parseNumeral(hour ?? spoken ?? "");
  // 晚上12点 and 凌晨12点 are midnight, 下午12点 and 中午12点 are noon.
  if (stated === 12 && /凌晨|半夜|夜里|晚/.test(period)) return formatTimeOfDay(0, past);
  const isLate = /下午|傍晚|晚|afternoon|evening|night/.test(period)
    ? stated < 12
    : /中午|正午/.test(period) && stated < 3;
  return formatTimeOfDay(isLate ? stated + 12 : stated, past);
}

function parseEnglishTime(match: RegExpExecArray, period: string): string | null {
  const [matchedText, named, relation, relatedTo, digits, minute, suffix, spelled, spelledSuffix, partOfDay] = match;
  if (named !== undefined) return /midnight/i.test(named) ? "00:00" : "12:00";
  const isTo = /to$/i.test(relation ?? "");
  const past = relation === undefined ? parseNumeral(minute ?? "0") : /half/i.test(relation) ? 30 : isTo ? 45 : 15;
  const stated = parseNumeral(relatedTo ?? digits ?? spelled ?? "") - (isTo ? 1 : 0);
  const half = (suffix ?? spelledSuffix ?? "").toLowerCase();
  const isNight = /at night$/i.test(matchedText);
  if ((half.startsWith("a") || isNight) && stated === 12) return formatTimeOfDay(0, past);
  const part = isNight ? "night" : (partOfDay ?? period);
  const isLate = half.startsWith("p") || (!half.startsWith("a") && /afternoon|evening|night|下午|傍晚|晚/.test(part));
  return formatTimeOfDay(isLate && stated < 12 ? stated + 12 : stated, past);
}

function formatTimeOfDay(hour: number, minute: number): string | null {
  if (!Number.isInteger(hour) || hour < 0 || hour > 24 || !(minute <= 59) || (hour === 24 && minute > 0)) return null;
  return `${String(hour % 24).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
