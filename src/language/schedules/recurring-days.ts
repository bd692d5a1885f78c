// Parser of recurring days in English and Chinese: weekdays · every Monday and Thursday · 每周一、周四 · 每月1号和15号.

import { parseNumeral } from "../numerals.ts";
import { createMessage, type Message } from "../messages.ts";
import type { TextSpan } from "../text-spans.ts";

/**
 * Recurring days in a text. `days` are the last three fields of a cron expression; `period` are words that may contain
 * an English part of the day (`every evening`), or "". `isBare`: words such as 工作日, which mean a schedule only if a
 * time of day follows.
 */
export type RecurringDays = TextSpan &
  ({ readonly days: string; readonly period: string; readonly isBare: boolean } | { readonly problem: Message });

const NAME_EN =
  "(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)s?";
const TO_EN = "(?: ?(?:-|–) ?| (?:to|through|thru|till|until) )";
const ONE_EN = `${NAME_EN}(?:${TO_EN}${NAME_EN})?`;
const LIST_EN = String.raw`${ONE_EN}(?:(?:,? and (?:every |on )?|, ?| ?& ?|\/| (?!s(?:un|at)\b))${ONE_EN})*`;
const DATE_EN = String.raw`\d{1,2}(?:st|nd|rd|th)?|first|second|third|fifteenth|twentieth`;
const DATES_EN = String.raw`(?:the )?(?:${DATE_EN})(?:(?:,? and |, ?| ?& ?)(?:the )?(?:${DATE_EN})){0,30}`;
const MONTH_EN =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const YEAR_DATE_EN = String.raw`(?:the )?(?:(?:\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH_EN}|${MONTH_EN} (?:the )?\d{1,2}(?:st|nd|rd|th)?)`;
const NTH_EN = "(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)";
const EVERY_MONTH_EN = "(?:every|each|the) month";

const DAYS_EN = new RegExp(
  [
    String.raw`(?<uncountable>(?:(?:on )?(?:the )?(?:last day|end) of (?:every|each) month|(?:every|each) month (?:on|at) the (?:last day|end)(?: of the month)?|(?:on )?(?:the )?(?:every )?${NTH_EN} ${NAME_EN} (?:of|in|each|every) (?:every |each )?month|every ${NTH_EN} ${NAME_EN}(?: of the month)?))`,
    String.raw`(?<other>every other (?:${NAME_EN}|weekday|month))`,
    String.raw`(?<times>(?:twice|thrice|(?:two|three|four|five|several|\d+) times) (?:a|per|every|each) (?:day|week|month|hour))`,
    String.raw`(?<workday>(?:on |every |each )(?:weekday|workday|working day|business day)s?|weekdays|workdays|working days|business days)`,
    String.raw`(?<weekend>(?:every|each) weekend|(?:on )?weekends)(?!')`,
    String.raw`(?<each>(?:(?:every|each) ?(?:single )?(?:day|morning|afternoon|evening|night)|once (?:a|per) day|daily|nightly)(?! (?:life|routine|average|limit|dose|basis|news)))`,
    String.raw`(?:(?:(?:every|each) (?:week|month) on|weekly on|every|each|on) )(?<names>${LIST_EN})(?!\w)`,
    String.raw`(?<bare>${NAME_EN}${TO_EN}${NAME_EN}|${NAME_EN.replace(/s\?$/, "")}s(?:(?:,? and |, ?)${NAME_EN})*)(?!\w)`,
    String.raw`(?:(?:every|each) year on|yearly on|annually on) (?<yearly>${YEAR_DATE_EN})|(?:every|each) (?<yearlyEach>${YEAR_DATE_EN})|(?:on )?(?<yearlyFirst>${YEAR_DATE_EN}),? (?:every|each) year`,
    String.raw`(?:(?:every|each) month on|monthly on) (?<dates>${DATES_EN})(?: day)?|(?:on )?(?<datesOf>${DATES_EN})(?: day)?,? (?:of )?${EVERY_MONTH_EN.replace("|the", "")}`,
    String.raw`(?<dayless>(?:every|each) (?:month|year)|once (?:a|per) (?:month|year))`,
  ]
    .map((form) => String.raw`\b(?:${form})(?![\w-])`)
    .join("|"),
  "i",
);

const WEEK_ZH = "(?:周|星期|礼拜)";
/** Excludes numbers that are times or amounts: 每周一三点 is Monday at three, 每周八公里 is a distance. */
const COUNTED_ZH = "(?![零一二两三四五六七八九十]{0,2}(?:[十点时次遍个份条位件篇封餐]|公里|小时|分钟|天(?!气)))";
/** Several days in the order of the week (一三五), or one day. */
const RUN_ZH = `(?:一?二?三?四?五?六?(?:日(?![报程志记历常期]))?(?<=[一二三四五六日])${COUNTED_ZH}|[一二三四五六日]|天(?!气))`;
const ONE_ZH = `${RUN_ZH}(?:(?:到|至|-|~)${WEEK_ZH}?${RUN_ZH})?`;
const NAMES_ZH = `${ONE_ZH}(?:(?:[、,和与及] ?(?:每?${WEEK_ZH})?| ?每?${WEEK_ZH})(?!.点)${ONE_ZH})*`;
/** A number in place of a weekday: 每周八. */
export const INVALID_WEEKDAY_ZH = String.raw`(?:(?:[七九十零〇]|八(?!卦))${COUNTED_ZH}|[1-9](?= ?(?:$|[,、。的]|早|上午|中午|下午|晚|凌晨|提醒)))`;
const DATE_ZH = String.raw`(?:\d{1,2}|[一二三四五六七八九十]{1,3})`;
const DATES_ZH = `${DATE_ZH}(?: ?[号日])?(?:[、,和与及] ?${DATE_ZH}(?: ?[号日])?)*(?<=[号日])`;
const PERIOD_AHEAD_ZH = "(?=早上|早晨|清晨|上午|中午|下午|傍晚|晚上|凌晨|夜里|早|晚)";

const DAYS_ZH = new RegExp(
  [
    `(?<uncountable>每个?月(?:的)?(?:最后一[天日]|月?底|月?末|第[一二三四五几]个?${WEEK_ZH}[一二三四五六日天])|每?月[底末](?=${"\\d|[零一二三四五六七八九十早上中下晚]"})|每个月[底末])`,
    `(?<times>(?:每|一)(?:天|日|周|小时)[两二三四五六七八九十几\\d]+[次回遍])`,
    `(?<workday>每个?(?:工作日|平日)|每个?${WEEK_ZH}一(?:到|至|-|~)${WEEK_ZH}?五)`,
    `(?<weekend>每个?周末|每逢周末|每个?${WEEK_ZH}末)`,
    `(?<nameless>(?:每逢?|逢)个?${WEEK_ZH}的?${WEEK_ZH}?[一二三四五六日]{0,6}${INVALID_WEEKDAY_ZH})`,
    `(?:每逢?|逢)个?${WEEK_ZH}的?${WEEK_ZH}?(?<names>${NAMES_ZH})`,
    `(?<![上下这本那次个])${WEEK_ZH}(?=[一二三四五六日]{2}|[一二三四五六日]、[一二三四五六日])(?<several>${RUN_ZH}(?:、${RUN_ZH})*(?<=[一二三四五六日]{2}|、.))${COUNTED_ZH}`,
    `(?<bare>工作日|平日|${WEEK_ZH}[一二三四五六日天](?:到|至|-|~)${WEEK_ZH}?[一二三四五六日天])`,
    String.raw`每年的? ?(?<month>\d{1,2}|[一二三四五六七八九十]{1,2}) ?月 ?(?<date>\d{1,2}|[一二三四五六七八九十]{1,3})(?: ?[号日])?`,
    `每个?月的? ?(?<dates>${DATES_ZH})`,
    `(?<each>(?:每天|每日|(?<![今明昨后前])天天(?!气))的?|每个?${PERIOD_AHEAD_ZH})`,
    "(?<dayless>每个?月|每年)(?![份底末])",
  ].join("|"),
);

const NAMES = "sun mon tue wed thu fri sat".split(" ");
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ORDINALS = new Map([
  ["first", 1],
  ["second", 2],
  ["third", 3],
  ["fifteenth", 15],
  ["twentieth", 20],
]);

/**
 * Finds the first recurring days in the text, Chinese words before English ones. Returns null if there are none or the
 * words name a single day (`on Monday`), and a `problem` if the days do not exist, cannot be scheduled, or are not
 * stated (`every month`).
 */
export function findRecurringDays(text: string): RecurringDays | null {
  const chinese = DAYS_ZH.exec(text);
  const match = chinese ?? DAYS_EN.exec(text);
  if (match === null) return null;
  const [words] = match;
  const groups = match.groups ?? {};
  const span = { start: match.index, end: match.index + words.length };
  if (groups["uncountable"] !== undefined || groups["other"] !== undefined) {
    return {
      problem:
        groups["other"] === undefined
          ? createMessage("schedule.unsupportedMonthDay", { words })
          : createMessage("schedule.intervalAndTime", { words }),
      ...span,
    };
  }
  if (groups["times"] !== undefined) return { problem: createMessage("schedule.timesMissing", { words }), ...span };
  if (groups["nameless"] !== undefined)
    return { problem: createMessage("schedule.invalidWeekday", { words }), ...span };
  if (groups["dayless"] !== undefined) return { problem: createMessage("schedule.dayMissing", { words }), ...span };
  const days = chinese === null ? parseEnglishDays(groups, words) : parseChineseDays(groups);
  if (days === null) return null;
  if (days === "") return { problem: createMessage("schedule.invalidDay", { words }), ...span };
  const period = chinese === null ? (groups["each"] ?? "").toLowerCase() : "";
  const isBare = (groups["bare"] ?? groups["several"]) !== undefined || (groups["workday"] ?? "").startsWith("on ");
  return { days, period, isBare, ...span };
}

type DayMatchGroups = Readonly<Record<string, string | undefined>>;

/** Returns the cron fields, "" if no such day exists, or null if the words name a single day. */
function parseEnglishDays(groups: DayMatchGroups, words: string): string | null {
  if (groups["workday"] !== undefined) return "* * 1-5";
  if (groups["weekend"] !== undefined) return "* * 0,6";
  const dates = groups["dates"] ?? groups["datesOf"];
  if (dates !== undefined)
    return formatMonthDayFields((dates.match(new RegExp(DATE_EN, "gi")) ?? []).map(parseDayOfMonth));
  const yearly = groups["yearly"] ?? groups["yearlyEach"] ?? groups["yearlyFirst"];
  if (yearly !== undefined) {
    const name = new RegExp(MONTH_EN, "i").exec(yearly)?.[0] ?? "";
    return formatYearDayFields(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(/\d+/.exec(yearly)?.[0]));
  }
  const names = groups["names"] ?? groups["bare"];
  if (names === undefined) return "* * *";
  // "on Monday" is a single day. "on Mondays" and "every Monday" recur.
  if (/^on /i.test(words) && !/days(?!\w)|(?:-| to | through )/i.test(names)) return null;
  return formatWeekdayFields(names.toLowerCase(), new RegExp(NAMES.join("|"), "g"), new RegExp(TO_EN), (name) =>
    NAMES.indexOf(name),
  );
}

function parseChineseDays(groups: DayMatchGroups): string {
  const { workday, weekend, names, several, bare, dates, month, date } = groups;
  if (workday !== undefined || bare === "工作日" || bare === "平日") return "* * 1-5";
  if (weekend !== undefined) return "* * 0,6";
  if (dates !== undefined) return formatMonthDayFields((dates.match(new RegExp(DATE_ZH, "g")) ?? []).map(parseNumeral));
  if (month !== undefined) return formatYearDayFields(parseNumeral(month), parseNumeral(date ?? ""));
  const list = names ?? several ?? bare;
  if (list === undefined) return "* * *";
  return formatWeekdayFields(list.replaceAll("天", "日"), /[一二三四五六日]/g, /到|至|-|~/, (name) =>
    "日一二三四五六".indexOf(name),
  );
}

/** Formats weekdays as cron fields: `mon to wed, sat` → `* * 1,2,3,6`. Ranges are expanded, except Monday to Friday. */
function formatWeekdayFields(text: string, name: RegExp, range: RegExp, toNumber: (name: string) => number): string {
  const numbers = new Set<number>();
  for (const part of text.split(/[,、&和与及/]| and /)) {
    const [left = [], right = []] = part.split(range).map((side) => (side.match(name) ?? []).map(toNumber));
    for (const day of [...left, ...right]) numbers.add(day);
    const [from, to] = [left.at(-1), right[0]];
    if (from === undefined || to === undefined) continue;
    for (let day = from; day !== to; day = (day + 1) % 7) numbers.add(day);
  }
  const sorted = [...numbers].toSorted((a, b) => a - b);
  if (sorted.length === 7) return "* * *";
  return `* * ${sorted.join(",") === "1,2,3,4,5" ? "1-5" : sorted.join(",")}`;
}

function formatMonthDayFields(dates: readonly number[]): string {
  if (dates.some((date) => !(date >= 1 && date <= 31))) return "";
  return `${[...new Set(dates)].toSorted((a, b) => a - b).join(",")} * *`;
}

function formatYearDayFields(month: number, date: number): string {
  return month >= 1 && month <= 12 && date >= 1 && date <= 31 ? `${date} ${month} *` : "";
}

function parseDayOfMonth(word: string): number {
  return ORDINALS.get(word.toLowerCase()) ?? Number.parseInt(word, 10);
}
