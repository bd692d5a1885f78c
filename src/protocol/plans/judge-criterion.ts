// Judges criteria: whether one proves anything about a request, and whether it holds.
//
// The runtime checks a criterion itself, before the work and after it. A criterion that could hold whatever the agent
// does proves nothing, so code accepts only those that contain the values of the request.

import { jsonValueSchema } from "../../lib/json-value.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import { TextIndex } from "../provenance/text-index.ts";
import { listAtomTexts, normalizeText } from "../provenance/text-atoms.ts";
import { parseResultCondition, type Condition } from "../workflows/condition.ts";
import { evaluateResultCondition } from "../workflows/evaluate-condition.ts";
import type { Criterion } from "./criterion.ts";

/**
 * Evaluates an accepted criterion on the text of a result, which is parsed if it is JSON. A condition that cannot be
 * parsed does not hold.
 */
export function evaluateCriterion({ holds }: Pick<Criterion, "holds">, result: string): boolean {
  const parsed = parseResultCondition(holds);
  if (parsed.kind === "wrong") return false;
  const value = jsonValueSchema.safeParse(tryParseJson(result));
  return evaluateResultCondition(parsed.condition, value.success ? value.data : result);
}

/**
 * Returns why a criterion proves nothing about a request, as a sentence for a model, or null. The criterion must
 *
 * - be a conjunction of comparisons over the result, without negations and alternatives,
 * - look up the subject: a value of its arguments, or without arguments of its condition, is in `texts`,
 * - require only values that are in `texts`; single words of a status, dates, true and false are free,
 * - contain each number, date and quotation of the query.
 *
 * `texts` are the query and the other texts of the person.
 */
export function findCriterionProblem(criterion: Criterion, query: string, texts: readonly string[]): string | null {
  const parsed = parseResultCondition(criterion.holds);
  if (parsed.kind === "wrong") return `holds, column ${parsed.column}: ${parsed.message}.`;
  const comparisons = listComparisons(parsed.condition);
  if (comparisons === null)
    return `holds must consist of comparisons of result with ==, <, <=, >, >= or contains, joined by "and".`;
  const values = listLeaves(criterion.arguments);
  const required = comparisons.flatMap(({ value, isExact }) => (value === null || !isExact ? [] : [value]));
  const compared = comparisons.flatMap(({ value }) => (value === null ? [] : [value]));
  const person = new TextIndex([query, ...texts]);
  const subject = values.length > 0 ? values : compared;
  if (!subject.some((value) => containsValue(person, value)))
    return `arguments must contain the subject of the request, in its words.`;
  const foreign = required.find((value) => !isFreeValue(value) && !containsValue(person, value));
  if (foreign !== undefined) return `holds requires ${JSON.stringify(foreign)}, which the request does not contain.`;
  const missing = listMissingValues(query, [...values, ...compared]);
  return missing.length === 0 ? null : `holds and arguments must also contain ${missing.join(", ")} of the request.`;
}

/**
 * True if the arguments of a lookup contain a value of one of the texts, or all numbers and ids of a value. Lookups without
 * arguments concern everything.
 */
export function isAboutSubject(args: unknown, texts: readonly string[]): boolean {
  const values = listLeaves(args);
  const index = new TextIndex(texts);
  const hasNumbers = (value: CriterionValue) => {
    const atoms = listDigitAtoms(String(value));
    return atoms.length > 0 && atoms.every((atom) => index.contains([atom]) || index.hasNumber(Number(atom)));
  };
  return values.length === 0 || values.some((value) => containsValue(index, value) || hasNumbers(value));
}

function listDigitAtoms(text: string): string[] {
  return listAtomTexts(normalizeText(text)).filter((atom) => /\d/.test(atom));
}

type CriterionValue = string | number | boolean;
/** A comparison of the result with a value; null without one. `isExact`: the result must be or contain the value. */
type ResultComparison = { readonly value: CriterionValue | null; readonly isExact: boolean };

/** Returns the comparisons of a conjunction over the result; null if the condition has any other form. */
function listComparisons(condition: Condition): ResultComparison[] | null {
  switch (condition.kind) {
    case "and": {
      const parts = condition.parts.map(listComparisons);
      return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
    }
    case "present":
      return condition.of.kind === "context" ? [{ value: null, isExact: false }] : null;
    case "compared": {
      const { left, operator, right } = condition;
      if (operator === "!=" || left.kind !== "context" || right.kind !== "value" || right.value === null) return null;
      return [{ value: right.value, isExact: operator === "==" || operator === "contains" }];
    }
    case "constant":
    case "or":
    case "not":
    case "status":
      return null;
  }
}

const MAX_LEAVES = 200;

/** Returns the texts, numbers and booleans of a JSON value. */
function listLeaves(value: unknown): CriterionValue[] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listLeaves).slice(0, MAX_LEAVES);
}

function containsValue(index: TextIndex, value: CriterionValue): boolean {
  if (typeof value === "boolean") return false;
  if (typeof value === "number") return index.hasNumber(value) || index.contains([String(value)]);
  return index.contains(listAtomTexts(normalizeText(value))) || index.containsLiterally(value);
}

const STATUS_WORD = /^(?:[a-z]+(?:[_-][a-z]+)*|[A-Z]+(?:[_-][A-Z]+)*)$/;
const DATE = /^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** True for values that a request expresses in other words: a status, a date, yes or no, one or none. */
function isFreeValue(value: CriterionValue): boolean {
  if (typeof value === "boolean" || value === 0 || value === 1) return true;
  return typeof value === "string" && (STATUS_WORD.test(value) || DATE.test(value));
}

const QUOTATION = /[“"「『]([^”"」』]{1,200})[”"」』]/g;
const DECIMAL = /\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+/g;

/** Returns the numbers, ids, dates and quotations of a query that the values do not contain. */
function listMissingValues(query: string, values: readonly CriterionValue[]): string[] {
  const index = new TextIndex(values.map(String));
  const numbers = new Set(values.flatMap((value) => listNumericReadings(String(value))));
  const quotations = Array.from(query.matchAll(QUOTATION), ([, quoted = ""]) => quoted).filter(
    (quoted) => !containsValue(index, quoted),
  );
  const decimals = Array.from(query.matchAll(DECIMAL), ([decimal]) => decimal);
  const missing = [...decimals, ...listDigitAtoms(query.replaceAll(DECIMAL, " "))].filter(
    (part) => !index.contains([part]) && !listNumericReadings(part).some((number) => numbers.has(number)),
  );
  return [...new Set([...quotations, ...missing])];
}

/** Returns the numbers of a text: the whole as one number, and each group of digits, as in a date. */
function listNumericReadings(text: string): number[] {
  const whole = Number(text.replaceAll(",", ""));
  const groups = text.match(/\d+/g) ?? [];
  return text.includes(".") && Number.isFinite(whole)
    ? [whole]
    : [whole, ...groups.map(Number)].filter(Number.isFinite);
}
