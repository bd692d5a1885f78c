// Reads a sub-task: the template that does it, and the arguments. A sub-task is read from end to end or not at all.

import * as chrono from "chrono-node";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import { collectResultNumbers, extractText, findReference, type EarlierResult } from "../work/earlier-results.ts";
import { removeQuotes } from "../work/literal-text.ts";
import { replaceNumerals, resolveSum } from "../work/read-sum.ts";
import { readWork, type Work } from "../work/read-work.ts";
import { TOOL_TEMPLATES, type ValueKind, type ToolTemplate } from "./tool-templates.ts";

export type ToolArguments = Readonly<Record<string, unknown>>;
export type FittingTemplate = { readonly template: ToolTemplate; readonly args: ToolArguments };
export type SubtaskSituation = {
  /** Earlier results, oldest first. */
  readonly results: readonly EarlierResult[];
  readonly now: number;
  readonly timezone: string | undefined;
};

/** The maximum length of a sub-task. */
export const MAX_SUBTASK_LENGTH = 2_000;

/** Returns the template and its arguments; null if no template does the sub-task. */
export function readSubtask(text: string, context: SubtaskSituation): FittingTemplate | null {
  if (text.length > MAX_SUBTASK_LENGTH) return null;
  const work = readWork(text);
  const found = work === null ? null : readKnownWork(work, text, context);
  if (found === null) return readByPatterns(text, context);
  const template = TOOL_TEMPLATES.find(({ name }) => name === found.name);
  return template === undefined ? null : { template, args: found.args };
}

function readKnownWork(
  work: Work,
  text: string,
  context: SubtaskSituation,
): { name: string; args: ToolArguments } | null {
  const results = selectResults(text, context.results);
  const last = results.at(-1);
  const payload = "text" in work ? (work.text ?? (last === undefined ? null : extractText(last))) : null;
  switch (work.kind) {
    case "clock": {
      const timezones = work.zones.length > 0 ? work.zones : [context.timezone ?? "UTC"];
      return timezones.every(isTimeZone) ? { name: "current_time", args: { timezones } } : null;
    }
    case "sum": {
      const expression = resolveSum(work.template, collectResultNumbers(results));
      return expression === null ? null : { name: "calculate", args: { expression } };
    }
    case "draw":
      return { name: "random_integer", args: { min: work.min, max: work.max, count: work.count } };
    case "count":
      return payload === null ? null : { name: "count_text", args: { text: payload } };
    case "change":
      return payload === null ? null : { name: "change_text", args: { text: payload, operation: work.operation } };
    case "replace":
      return { name: "replace_text", args: { text: work.text, find: work.find, replacement: work.replacement } };
  }
}

/** Returns the results that the words refer to: all, the random number, or the last. */
function selectResults(text: string, results: readonly EarlierResult[]): readonly EarlierResult[] {
  if (findReference(text) === "all") return results;
  const random = /random number|随机数/i;
  return (random.test(text) ? results.filter(({ about }) => random.test(about)) : results).slice(-1);
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const NUMBER = String.raw`-?\d[\d,]*(?:\.\d+)?`;
const POINTER = String.raw`\b(?:it|that|(?:the|this|that) (?:result|number))\b|结果|它|这个数`;
/** The text that a parameter may take; its value is read afterwards. */
const SOURCES: Readonly<Record<Exclude<ValueKind, object>, string>> = {
  number: NUMBER,
  integer: `${NUMBER}|${POINTER}`,
  numbers: String.raw`${NUMBER}(?:(?:\s*(?:[,，、;和与]|and\b)\s*)+${NUMBER})+|them|(?:these|those|the) numbers|它们|这[些几]个?数`,
  date: ".{1,30}?",
  month: ".{1,20}?",
  year: String.raw`\d{4}|this year|next year|last year|今年|明年|去年`,
  text: ".+?",
  timezone: "",
  zones: "",
};
const OPENING =
  /^(?:(?:what(?:'s| is| are| was)?|which|tell me|give me|show me|find|calculate|compute|get|determine|check|the|if|whether)\b[\s:]*|求|计算|算一?下?|查一?下|看看|判断|检查|一下|列出)+/i;
const CLOSING = /(?:\s|[?？.。!！]|是多少|等于多少|是什么|有多少|吗|呢|(?:的)?结果)+$/;

const PATTERNS = TOOL_TEMPLATES.flatMap((template) =>
  template.requests.map((request) => ({
    template,
    pattern: new RegExp(
      `^(?:${request.replace(/\{(\w+)\}/g, (_, name: string) => {
        const kind = template.parameters[name] ?? "text";
        return `(?<${name}>${typeof kind === "string" ? SOURCES[kind] : Object.values(kind).join("|")})`;
      })})$`,
      "is",
    ),
  })),
);

function readByPatterns(text: string, context: SubtaskSituation): FittingTemplate | null {
  const folded = normalizeCharacters(removePolitePrefixes(text)).replace(CLOSING, "").replace(OPENING, "");
  for (const said of new Set([folded, replaceNumerals(folded)]))
    for (const { template, pattern } of PATTERNS) {
      const groups = pattern.exec(said)?.groups;
      const args = groups === undefined ? null : readArguments(template, groups, context);
      if (args !== null) return { template, args };
    }
  return null;
}

function readArguments(
  { parameters, optional = [] }: ToolTemplate,
  groups: Readonly<Partial<Record<string, string>>>,
  context: SubtaskSituation,
): ToolArguments | null {
  const entries = Object.entries(parameters).map(
    ([name, kind]) => [name, readValue(kind, groups[name], context)] as const,
  );
  const given = entries.filter(([name, value]) => value !== null || !optional.includes(name));
  return given.every(([, value]) => value !== null) ? Object.fromEntries(given) : null;
}

function readValue(
  kind: ValueKind,
  said: string | undefined,
  { results, now, timezone = "UTC" }: SubtaskSituation,
): unknown {
  const today = new Date(now).toLocaleDateString("sv-SE", { timeZone: timezone });
  if (kind === "timezone") return timezone;
  if (said === undefined) return kind === "date" ? today : null;
  if (typeof kind !== "string")
    return Object.entries(kind).find(([, words]) => new RegExp(`^(?:${words})$`, "i").test(said))?.[0] ?? null;
  const earlier = collectResultNumbers(results.slice(-1));
  switch (kind) {
    case "number":
    case "integer": {
      const number = /\d/.test(said) ? Number(said.replaceAll(",", "")) : Number(earlier.at(-1) ?? Number.NaN);
      return Number.isSafeInteger(number) || (kind === "number" && Number.isFinite(number)) ? number : null;
    }
    case "numbers": {
      const numbers = /\d/.test(said) ? (said.match(/-?\d+(?:\.\d+)?/g) ?? []) : earlier;
      return numbers.length > 1 ? numbers.map(Number) : null;
    }
    case "year": {
      const step = /last|去/.test(said) ? -1 : /next|明/.test(said) ? 1 : 0;
      return /\d/.test(said) ? Number(said) : Number(today.slice(0, 4)) + step;
    }
    case "date":
      return readDate(said, today, "day");
    case "month":
      return readDate(said, today, "month")?.slice(0, 7) ?? null;
    case "text":
    case "zones":
      return removeQuotes(said);
  }
}

/** Holidays that a request may name instead of a date. */
const HOLIDAYS: readonly (readonly [RegExp, string])[] = [
  [/^(?:christmas(?: day)?|xmas|圣诞节?)$/i, "12-25"],
  [/^(?:new year(?:'s day)?|元旦)$/i, "01-01"],
  [/^国庆节?$/, "10-01"],
];

/** Reads a date or a month that the whole text names. A day without a year is the next one. */
function readDate(said: string, today: string, unit: "day" | "month"): string | null {
  const year = Number(today.slice(0, 4));
  const text = said
    .trim()
    .replace(/^今年/, `${year}年`)
    .replace(/^明年/, `${year + 1}年`)
    .replace(/(?<=\d)号/, "日")
    .replace(/周(?=[之以]?[前后])/, "个星期");
  const named = /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0];
  const holiday = HOLIDAYS.find(([words]) => words.test(text.replace(/\s*\d{4}年?/, "")))?.[1];
  if (holiday !== undefined) return `${named ?? year + (holiday < today.slice(5) ? 1 : 0)}-${holiday}`;
  const parser = /[\u3400-\u9fff]/.test(text) ? chrono.zh.hans : chrono.en;
  const [found] = parser.parse(text, { instant: new Date(`${today}T12:00:00Z`), timezone: 0 }, { forwardDate: true });
  if (found === undefined || found.text.length !== text.length || (found.end ?? null) !== null) return null;
  const isDay = found.start.isCertain("day") || found.start.isCertain("weekday");
  return isDay === (unit === "day") && !found.start.isCertain("hour")
    ? found.start.date().toISOString().slice(0, 10)
    : null;
}
