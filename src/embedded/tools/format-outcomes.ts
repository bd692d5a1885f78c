// Reads the results of tool calls and formats them for people.

import { tryParseJson } from "../../lib/parse-json.ts";
import type { Language } from "../../language/detect-language.ts";
import { formatSentence } from "../messages.ts";
import type { CallOutcome } from "../prompt-context.ts";
import { formatExpression } from "../work/read-sum.ts";
import { splitIdentifier } from "../work/words.ts";
import { toSchema } from "./tool-parameters.ts";

type OutcomeValue = { readonly value: string; readonly failed: boolean };

const MAIN = ["result", "value", "answer", "output"];
const MAX_FIELDS = 30;

/** Returns the value in a tool's content: plain text, or the main field of a JSON object. */
export function parseOutcome({ content }: CallOutcome): OutcomeValue {
  const text = content.trim();
  const json = /^[[{"\d-]|^(?:true|false|null)$/.test(text) ? tryParseJson(text) : undefined;
  if (json === undefined) {
    const failed = /^\W{0,3}error\b|^错误/i.test(text);
    return { value: failed ? text.replace(/^Error: /, "") : text, failed };
  }
  if (typeof json === "object" && json !== null && "error" in json && json.error !== null)
    return { value: formatJsonValue(json.error), failed: true };
  // Keep all digits of a number that JavaScript could not represent.
  return {
    value: typeof json === "number" ? text : formatJsonValue(json),
    failed: /"success"\s*:\s*false|"isError"\s*:\s*true/i.test(text),
  };
}

function formatJsonValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.slice(0, MAX_FIELDS).map(formatJsonValue).join(", ");
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  const main =
    fields.find(([name]) => MAIN.includes(name)) ??
    (fields.length === 1 && typeof fields[0]?.[1] !== "boolean" ? fields[0] : undefined);
  if (main !== undefined) return formatJsonValue(main[1]);
  return fields.map(([name, field]) => `${splitIdentifier(name)}: ${formatJsonValue(field)}`).join(", ");
}

/** Returns a line that contains the value of the outcome unchanged. */
export function formatOutcome(outcome: CallOutcome, language: Language): string {
  const name = splitIdentifier(outcome.call.name);
  if (outcome.isRejected) return formatSentence("callRejected", language, { what: name });
  const { value, failed } = parseOutcome(outcome);
  const { expression } = toSchema(tryParseJson(outcome.call.arguments));
  const isSum = typeof expression === "string";
  if (failed)
    return formatSentence("toolFailed", language, { what: isSum ? formatExpression(expression) : name, why: value });
  if (value === "") return formatSentence("done", language, { tool: name });
  if (isSum && !value.includes("=")) return formatEquation(expression, value);
  if (/^-?\d+$/.test(value) && /random/i.test(name)) return formatSentence("randomNumber", language, { value });
  return /^\d{4}-\d{2}-\d{2}T/.test(value) ? formatSentence("currentTime", language, { value }) : value;
}

/** The digits of a rounded value. */
const ROUNDED_DIGITS = 14;

/** Formats `2 × 3 = 6`, and `10 ÷ 3 ≈ 3.33333333333333` if the value is rounded. */
function formatEquation(expression: string, value: string): string {
  const digits = value.replace(/e.*$/, "").replace(/^-?0?\.?0*|\./g, "").length;
  const isRounded = value.includes("e+") || (value.includes(".") && digits >= ROUNDED_DIGITS);
  return `${formatExpression(expression)} ${isRounded ? "≈" : "="} ${value}`;
}
