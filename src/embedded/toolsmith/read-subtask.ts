// Reads a sub-task: the template that does it, and the arguments. A sub-task is read from end to end or not at all.

import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";
import { collectResultNumbers, findReference, type EarlierResult } from "../work/earlier-results.ts";
import { resolveSum } from "../work/read-sum.ts";
import { readWork, type Work } from "../work/read-work.ts";
import { TOOL_TEMPLATES, type ToolTemplate } from "./tool-templates.ts";

type ToolArguments = Readonly<Record<string, unknown>>;
export type FittingTemplate = { readonly template: ToolTemplate; readonly args: ToolArguments };

/** The maximum length of a sub-task. */
export const MAX_SUBTASK_LENGTH = 2_000;
/** Stands for results that do not exist yet when a request is split. */
export const PLACEHOLDERS: readonly EarlierResult[] = ["2", "3"].map((value) => ({ value, about: "random number" }));

/** True if a template does the work, with any results that it refers to. */
export const canWriteTool = (text: string): boolean => readSubtask(text, PLACEHOLDERS, undefined) !== null;

/** Returns the template and its arguments; null if no template does the sub-task. `results` are oldest first. */
export function readSubtask(text: string, results: readonly EarlierResult[], timezone = "UTC"): FittingTemplate | null {
  if (text.length > MAX_SUBTASK_LENGTH) return null;
  const work = readWork(text);
  const known = work === null ? [] : readKnownWork(work, selectResults(text, results), timezone);
  const [name, args] = known.length > 0 ? known : readStatistic(text);
  const template = TOOL_TEMPLATES.find((one) => one.name === name);
  return template === undefined || args === undefined ? null : { template, args };
}

type NamedArguments = readonly [tool: string, args: ToolArguments] | readonly [];

function readKnownWork(work: Work, results: readonly EarlierResult[], timezone: string): NamedArguments {
  switch (work.kind) {
    case "clock": {
      const timezones = work.zones.length > 0 ? work.zones : [timezone];
      return timezones.every(isKnownTimeZone) ? ["current_time", { timezones }] : [];
    }
    case "sum": {
      const expression = resolveSum(work.template, collectResultNumbers(results));
      return expression === null ? [] : ["calculate", { expression }];
    }
    case "draw":
      return ["random_integer", { min: work.min, max: work.max }];
    default:
      return [];
  }
}

/** Returns the results that the words refer to: all, the random number, or the last. */
function selectResults(text: string, results: readonly EarlierResult[]): readonly EarlierResult[] {
  if (findReference(text) === "all") return results;
  const random = /random number|随机数/i;
  return (random.test(text) ? results.filter(({ about }) => random.test(about)) : results).slice(-1);
}

const MEASURES = [
  ["mean", /mean|average|平均[数值]/i],
  ["median", /median|中位数/i],
  ["standard_deviation", /(?:population )?standard deviation|标准差/i],
] as const;
const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
/** Numbers behind or before a measure, which is masked. */
const NUMBERS = new RegExp(
  String.raw`^(?:#\s*(?:(?:of|among) (?:the numbers )?|: ?)?)?(${NUMBER}(?:(?:\s*(?:[,、;和与]|and\b)\s*)+${NUMBER})+)\s*(?:(?:这[些几]个?数)?[的中])?\s*#?$`,
  "i",
);
const OPENING =
  /^(?:(?:what(?:'s| is| are)?|tell me|give me|show me|find|calculate|compute|get|the)\b[\s:]*|求|计算|算一?下?|查一?下|一下)+/i;
const CLOSING = /(?:\s|[?？.。!！]|是多少|等于多少|呢|(?:的)?结果)+$/;

/** Reads a measure of numbers: the median of 3, 5 and 9 · 3、5、9 的中位数. */
function readStatistic(text: string): NamedArguments {
  const said = normalizeCharacters(removePolitePrefixes(text)).replace(CLOSING, "").replace(OPENING, "");
  const [measure, words = ""] = MEASURES.find(([, pattern]) => pattern.test(said)) ?? [];
  const listed = NUMBERS.exec(said.replace(words, "#").trim())?.[1];
  const numbers = listed?.match(new RegExp(NUMBER, "g"))?.map(Number);
  return measure === undefined || numbers === undefined ? [] : ["statistics", { measure, numbers }];
}
