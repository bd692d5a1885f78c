// Formats tool results for people.

import { jsonIn } from "../../protocol/json-text.ts";
import { equation, pretty } from "./expression.ts";
import { ideasDescribed, spaced, type Idea } from "./glossary.ts";
import type { Language } from "../../protocol/words/language.ts";
import * as phrases from "./phrases.ts";
import { isRefused, type Outcome } from "./talk.ts";

export type ReadOutcome = { readonly value: string; readonly failed: boolean };

const MAIN = ["result", "value", "answer", "output"];
const MAX_FIELDS = 30;

/** Returns the value in a tool's content: plain text, or the main field of a JSON object. */
export function readOutcome({ content }: Outcome): ReadOutcome {
  const text = content.trim();
  const json = parsed(text);
  const failed = /^\W{0,3}error\b|^\[error|^错误/i.test(text);
  if (json === undefined) return { value: failed ? text.replace(/^Error: /, "") : text, failed };
  if (typeof json === "object" && json !== null && "error" in json && json.error !== null) {
    return { value: shown(json.error), failed: true };
  }
  // Keep all digits of a number that JavaScript could not represent.
  return { value: typeof json === "number" ? text : shown(json), failed: false };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.slice(0, MAX_FIELDS).map(shown).join(", ");
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  const main = fields.find(([name]) => MAIN.includes(name));
  if (main !== undefined) return shown(main[1]);
  const [only, ...others] = fields;
  if (only !== undefined && others.length === 0) return shown(only[1]);
  return fields.map(([name, field]) => `${spaced(name)}: ${shown(field)}`).join(", ");
}

const LABELS: readonly (readonly [Idea, Readonly<Record<Language, string>>])[] = [
  ["random", { zh: "随机数", en: "Random number" }],
  ["time", { zh: "当前时间", en: "Current time" }],
  ["date", { zh: "日期", en: "Date" }],
  ["count", { zh: "统计结果", en: "Count" }],
];

/** Returns one line per outcome, which contains its value unchanged. */
export function worded(outcomes: readonly Outcome[], language: Language): string[] {
  return outcomes.map((outcome) => {
    if (isRefused(outcome)) return phrases.refused(spaced(outcome.call.name), language);
    const { value, failed } = readOutcome(outcome);
    const name = outcome.call.name;
    const given = argumentsOf(outcome);
    const expression = given["expression"] ?? given["expr"] ?? given["formula"];
    if (failed)
      return phrases.didNotWork(typeof expression === "string" ? pretty(expression) : spaced(name), value, language);
    if (typeof expression === "string" && value !== "")
      return value.includes("=") ? value : equation(expression, value);
    return labelled(name, value, given, language);
  });
}

function labelled(name: string, value: string, given: Readonly<Record<string, unknown>>, language: Language): string {
  if (value === "") return language === "zh" ? `${spaced(name)}：完成` : `${spaced(name)}: done`;
  const isSentence =
    value.length > 120 || /[。.!?！？]$/.test(value) || /[\u3400-\u9fff]{4,}[：:]|^[A-Z][a-z]+ [a-z]+ .*:/.test(value);
  const ideas = ideasDescribed(name);
  const label = LABELS.find(([idea]) => ideas.has(idea))?.[1][language];
  if (isSentence || label === undefined) return value;
  const where = given["timezone"] ?? given["time_zone"] ?? given["city"] ?? given["location"];
  const place =
    typeof where === "string" && !value.includes(where) ? (language === "zh" ? `（${where}）` : ` (${where})`) : "";
  return language === "zh" ? `${label}${place}：${value}` : `${label}${place}: ${value}`;
}

function argumentsOf({ call }: Outcome): Readonly<Record<string, unknown>> {
  const given = parsed(call.arguments);
  return typeof given === "object" && given !== null ? { ...given } : {};
}

function parsed(text: string): unknown {
  return /^[[{"\d-]|^(?:true|false|null)$/.test(text) ? jsonIn(text) : undefined;
}
