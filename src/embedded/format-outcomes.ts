// Formats tool results for people.

import { tryParseJson } from "../lib/parse-json.ts";
import { formatEquation, formatExpression } from "./format-expression.ts";
import { findDescribedIdeas, splitIdentifier, type Idea } from "./idea-glossary.ts";
import type { Language } from "../language/detect-language.ts";
import * as phrases from "./embedded-messages.ts";
import { isCallRejected, type CallOutcome } from "./prompt-context.ts";

export type OutcomeValue = { readonly value: string; readonly failed: boolean };

const MAIN = ["result", "value", "answer", "output"];
const MAX_FIELDS = 30;

/** Returns the value in a tool's content: plain text, or the main field of a JSON object. */
export function parseOutcome({ content }: CallOutcome): OutcomeValue {
  const text = content.trim();
  const json = parseJsonLike(text);
  const failed = /^\W{0,3}error\b|^\[error|^错误/i.test(text);
  if (json === undefined) return { value: failed ? text.replace(/^Error: /, "") : text, failed };
  if (typeof json === "object" && json !== null && "error" in json && json.error !== null) {
    return { value: formatJsonValue(json.error), failed: true };
  }
  // Keep all digits of a number that JavaScript could not represent.
  return { value: typeof json === "number" ? text : formatJsonValue(json), failed: false };
}

function formatJsonValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.slice(0, MAX_FIELDS).map(formatJsonValue).join(", ");
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  const main = fields.find(([name]) => MAIN.includes(name));
  if (main !== undefined) return formatJsonValue(main[1]);
  const [only, ...others] = fields;
  if (only !== undefined && others.length === 0) return formatJsonValue(only[1]);
  return fields.map(([name, field]) => `${splitIdentifier(name)}: ${formatJsonValue(field)}`).join(", ");
}

const LABELS: readonly (readonly [Idea, Readonly<Record<Language, string>>])[] = [
  ["random", { zh: "随机数", en: "Random number" }],
  ["time", { zh: "当前时间", en: "Current time" }],
  ["date", { zh: "日期", en: "Date" }],
  ["count", { zh: "统计结果", en: "Count" }],
];

/** Returns one line per outcome, which contains its value unchanged. */
export function formatOutcomes(outcomes: readonly CallOutcome[], language: Language): string[] {
  return outcomes.map((outcome) => {
    if (isCallRejected(outcome)) return phrases.formatCallRejected(splitIdentifier(outcome.call.name), language);
    const { value, failed } = parseOutcome(outcome);
    const name = outcome.call.name;
    const given = parseCallArguments(outcome);
    const expression = given["expression"] ?? given["expr"] ?? given["formula"];
    if (failed)
      return phrases.formatToolError(
        typeof expression === "string" ? formatExpression(expression) : splitIdentifier(name),
        value,
        language,
      );
    if (typeof expression === "string" && value !== "")
      return value.includes("=") ? value : formatEquation(expression, value);
    return formatLabelled(name, value, given, language);
  });
}

function formatLabelled(
  name: string,
  value: string,
  given: Readonly<Record<string, unknown>>,
  language: Language,
): string {
  if (value === "") return language === "zh" ? `${splitIdentifier(name)}：完成` : `${splitIdentifier(name)}: done`;
  const isSentence =
    value.length > 120 || /[。.!?！？]$/.test(value) || /[\u3400-\u9fff]{4,}[：:]|^[A-Z][a-z]+ [a-z]+ .*:/.test(value);
  const ideas = findDescribedIdeas(name);
  const label = LABELS.find(([idea]) => ideas.has(idea))?.[1][language];
  if (isSentence || label === undefined) return value;
  const where = given["timezone"] ?? given["time_zone"] ?? given["city"] ?? given["location"];
  const place =
    typeof where === "string" && !value.includes(where) ? (language === "zh" ? `（${where}）` : ` (${where})`) : "";
  return language === "zh" ? `${label}${place}：${value}` : `${label}${place}: ${value}`;
}

function parseCallArguments({ call }: CallOutcome): Readonly<Record<string, unknown>> {
  const given = parseJsonLike(call.arguments);
  return typeof given === "object" && given !== null ? { ...given } : {};
}

function parseJsonLike(text: string): unknown {
  return /^[[{"\d-]|^(?:true|false|null)$/.test(text) ? tryParseJson(text) : undefined;
}
