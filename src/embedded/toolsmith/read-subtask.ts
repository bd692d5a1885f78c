// Reads a sub-task: the template that does it, and the arguments. A sub-task is read from end to end or not at all.

import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import { isKnownTimeZone } from "../../language/time-zone.ts";
import { collectResultNumbers, findReference, type EarlierResult } from "../work/earlier-results.ts";
import { replaceNumerals, resolveSum } from "../work/read-sum.ts";
import { readWork, type Work } from "../work/read-work.ts";
import { TOOL_TEMPLATES, type ValueKind, type ToolTemplate } from "./tool-templates.ts";

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
  const [name, args] = work === null ? [] : readKnownWork(work, selectResults(text, results), timezone);
  const template = TOOL_TEMPLATES.find((one) => one.name === name);
  return template === undefined || args === undefined ? readByPatterns(text) : { template, args };
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

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
/** The text that a parameter may take; its value is read afterwards. */
const SOURCES: Readonly<Partial<Record<string, string>>> = {
  integer: String.raw`-?\d+`,
  numbers: String.raw`${NUMBER}(?:(?:\s*(?:[,，、;和与]|and\b)\s*)+${NUMBER})+`,
  date: String.raw`\d{4}(?:-\d{1,2}-\d{1,2}|年\d{1,2}月\d{1,2}[日号])`,
};
const OPENING =
  /^(?:(?:what(?:'s| is| are)?|tell me|give me|show me|find|calculate|compute|get|check|the|if|whether)\b[\s:]*|求|计算|算一?下?|查一?下|判断|检查|一下)+/i;
const CLOSING = /(?:\s|[?？.。!！]|是多少|等于多少|吗|呢|(?:的)?结果)+$/;

const PATTERNS = TOOL_TEMPLATES.flatMap((template) =>
  template.requests.map((request) => {
    const source = request.replace(/\{(\w+)\}/g, (_, name: string) => {
      const kind = template.parameters[name] ?? "";
      return `(?<${name}>${typeof kind === "string" ? (SOURCES[kind] ?? "") : Object.values(kind).join("|")})`;
    });
    return { template, pattern: new RegExp(`^(?:${source})$`, "is") };
  }),
);

function readByPatterns(text: string): FittingTemplate | null {
  const folded = normalizeCharacters(removePolitePrefixes(text)).replace(CLOSING, "").replace(OPENING, "");
  for (const said of new Set([folded, replaceNumerals(folded)]))
    for (const { template, pattern } of PATTERNS) {
      const groups = pattern.exec(said)?.groups;
      if (groups === undefined) continue;
      const values = Object.entries(template.parameters).map(
        ([name, kind]) => [name, readValue(kind, groups[name] ?? "")] as const,
      );
      return { template, args: Object.fromEntries(values) };
    }
  return null;
}

function readValue(kind: ValueKind, said: string): unknown {
  if (typeof kind !== "string")
    return Object.entries(kind).find(([, words]) => new RegExp(`^(?:${words})$`, "i").test(said))?.[0];
  const numbers = said.match(new RegExp(kind === "date" ? "\\d+" : NUMBER, "g")) ?? [];
  if (kind === "date") return numbers.map((part) => part.padStart(2, "0")).join("-");
  return kind === "numbers" ? numbers.map(Number) : Number(said);
}
