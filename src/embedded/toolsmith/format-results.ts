// Words the results of the toolsmith: each value unchanged, one line per sub-task.

import type { WorkContext } from "../tool-arguments.ts";
import { formatEquation, parenthesize } from "../format-expression.ts";
import * as phrases from "../embedded-messages.ts";
import type { LocalizedText, Language } from "../../language/detect-language.ts";
import { findPlaces } from "../../language/place-time-zones.ts";
import { removePolitePrefixes } from "../../language/text-spans.ts";
import { findFittingTemplates, type FittingTemplate } from "./template-catalogue.ts";
import { parseSubtaskWords } from "./subtask-words.ts";

export type ToolsmithResultLine = { readonly description: string } & (
  | { readonly result: string }
  | { readonly error: string }
);

/** `frame` is the time and zone with which the sub-task was read. */
export function formatResultLine(
  line: ToolsmithResultLine,
  language: Language,
  frame: Omit<WorkContext, "text" | "results">,
): string {
  const [fitting] = findFittingTemplates(parseSubtaskWords({ text: line.description, results: [], ...frame }));
  const label = createLabel(line.description, fitting, language);
  const colon = language === "zh" ? "：" : ": ";
  if ("error" in line) {
    const isNamed = line.error.includes(label);
    return isNamed ? line.error : `${label}${colon}${phrases.formatTaskFailure("failed", line.error, language)}`;
  }
  const { result } = line;
  if (result.includes("\n")) return `${label}${colon.trim()}\n\n\`\`\`\n${result}\n\`\`\``;
  const sum = fitting === undefined ? null : formatFormula(fitting);
  return sum === null ? `${label}${colon}${formatBoolean(result, language)}` : formatEquation(sum, result);
}

const SIGNS = new Map([
  ["add", " + "],
  ["subtract", " - "],
  ["multiply", " * "],
  ["divide", " / "],
]);

/** Returns the computed sum in ordinary notation. */
function formatFormula({ template: { name }, args }: FittingTemplate): string | null {
  const { numbers, base, exponent, expression, n } = args;
  const sign = SIGNS.get(name);
  if (sign !== undefined && Array.isArray(numbers)) return numbers.join(sign);
  if (name === "power") return `${parenthesize(String(base))}^${String(exponent)}`;
  if (name === "factorial") return `${String(n)}!`;
  return typeof expression === "string" ? expression : null;
}

function formatBoolean(result: string, language: Language): string {
  if (result === "true") return language === "zh" ? "是（true）" : "yes (true)";
  if (result === "false") return language === "zh" ? "否（false）" : "no (false)";
  return result;
}

const ASKING =
  /^(?:(?:tell|give|show|get) me|tell|give|show|get|find|compute|calculate|work out|figure out|what(?:'s| is| are)|generate|make|check|how much is)(?: the| an?)? |^(?:告诉我|查询|查一下|查|计算一下|计算|算一下|算|求|生成|产生|给我|显示|获取|判断|检查|看看)(?:一下)?\s*/i;

const MAX_LABEL = 60;

/** Returns a label: the request without its asking words. */
function createLabel(description: string, fitting: FittingTemplate | undefined, language: Language): string {
  const zone = fitting?.args["timezone"];
  const named = fitting === undefined ? undefined : CLOCKS[fitting.template.name];
  if (named !== undefined && typeof zone === "string" && !description.includes(zone)) {
    const [place] = findPlaces(description);
    if (place === undefined) return named[language];
    return language === "zh" ? `${place.name}${named.zh}` : `${named.en} in ${place.name}`;
  }
  const words = removePolitePrefixes(description.replace(/\s+/g, " ")).replace(/[\s?？。.!！:：]+$/, "");
  const bare = words.replace(ASKING, "").replace(/(?:的结果|是多少|等于多少|等于几)$/, "");
  const label = bare === "" ? words : bare;
  const short = label.length > MAX_LABEL ? `${[...label].slice(0, MAX_LABEL).join("")}…` : label;
  return language === "zh" ? short : short.slice(0, 1).toUpperCase() + short.slice(1);
}

const CLOCKS: Readonly<Record<string, LocalizedText>> = {
  current_time: { zh: "现在时间", en: "Current time" },
  current_date: { zh: "今天的日期", en: "Today's date" },
};
