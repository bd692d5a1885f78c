// Fills the arguments of a tool from the words of a request, following the tool's JSON Schema.

import { resolveExpressions, readArithmetic } from "./read-arithmetic.ts";
import { formatLocalDate, findDates } from "./spoken-dates.ts";
import { findAskedIdeas, findDescribedIdeas, splitIdentifier } from "./idea-glossary.ts";
import { findNumbers } from "../language/numerals.ts";
import { detectParameterKind, listParameters, type ToolParameter, type ParameterSchema } from "./tool-parameters.ts";
import { findTextPayload, parseReplacement, type TextReplacement } from "./text-payload.ts";
import { findPlaces, findUnknownPlace } from "../language/place-time-zones.ts";
import { parseDrawCount, parseNumberRange, type NumberRange } from "./random-ranges.ts";
import { extractNumber, findReference, extractText } from "./result-references.ts";
import { findUnknownZone } from "./time-zone-request.ts";
import { maskSpans, normalizeCharacters, removePolitePrefixes, findQuotations } from "../language/text-spans.ts";

/** An earlier result and the work that produced it. If it has several numbers, `about` selects one. */
export type EarlierResult = { readonly value: string; readonly about: string };

export type WorkContext = {
  /** The piece of work. */
  readonly text: string;
  /** Earlier results that the text may refer to, oldest first. */
  readonly results: readonly EarlierResult[];
  readonly now: number;
  readonly timezone: string | undefined;
};

export type ToolCallArguments = Readonly<Record<string, unknown>>;

const MAX_CALLS = 10;
/** Longer results are not searched for several numbers. */
const MAX_LIST_CHARS = 2_000;
const DEFAULT_RANGE = { min: 1, max: 100 };

/**
 * Returns one set of arguments per call that the work needs (two cities, three random numbers). Returns null if a
 * required argument is missing, or if the work needs more than `MAX_CALLS` calls.
 */
export function buildToolArguments(schema: ParameterSchema, situation: WorkContext): ToolCallArguments[] | null {
  const parameters = listParameters(schema);
  const reading = parseWork(situation);
  const calls: ToolCallArguments[] = [];
  const count = countCalls(parameters, reading);
  if (count > MAX_CALLS) return null;
  for (let call = 0; call < count; call++) {
    const filled: Record<string, unknown> = {};
    const used = { numbers: 0, dates: 0 };
    for (const parameter of parameters) {
      const value = findArgument(parameter, reading, used, call);
      if (value !== undefined) filled[parameter.name] = value;
      else if (parameter.isRequired) return null;
    }
    const isByLine = Object.values(filled).some((value) => typeof value === "string" && value.endsWith("_lines"));
    const lined = isByLine ? splitPayloadIntoLines(filled, reading.payload) : filled;
    if (lined === null) return null;
    calls.push(lined);
  }
  return calls;
}

/**
 * `sort pear, apple, fig` for a tool that sorts lines: puts each item on its own line. Null if there is only one item.
 */
function splitPayloadIntoLines(filled: ToolCallArguments, payload: string | null): ToolCallArguments | null {
  if (payload === null || payload.includes("\n")) return filled;
  const separator = /[,，、;；]/.test(payload) ? /\s*[,，、;；]\s*(?:and |和)?|\s+and\s+/ : /\s+/;
  const items = payload.split(separator).filter((item) => item !== "");
  if (items.length < 2) return null;
  return Object.fromEntries(
    Object.entries(filled).map(([name, value]) => [name, value === payload ? items.join("\n") : value]),
  );
}

type ParsedWork = {
  readonly situation: WorkContext;
  readonly expressions: readonly string[];
  readonly zones: readonly string[];
  readonly places: readonly string[];
  readonly range: NumberRange | null;
  readonly count: number;
  readonly numbers: readonly number[];
  readonly dates: readonly string[];
  readonly payload: string | null;
  readonly replacement: TextReplacement | null;
};

function parseWork(situation: WorkContext): ParsedWork {
  const { text, results, now, timezone } = situation;
  const folded = normalizeCharacters(text);
  const places = findPlaces(text);
  const unknown = places.length > 0 ? null : (findUnknownPlace(text) ?? findUnknownZone(text));
  const reference = findReference(text);
  const unquoted = maskSpans(folded, findQuotations(folded));
  const found = readArithmetic(unquoted);
  const source = found.length === 0 ? readArithmetic(findQuotations(text)[0]?.inner ?? "") : found;
  const operands = collectResultNumbers(results);
  const numbers = findNumbers(unquoted);
  const replacement = parseReplacement(text);
  return {
    situation,
    expressions: resolveExpressions(source, operands) ?? [],
    zones: unknown === null ? places.map(({ zone }) => zone) : [unknown],
    places: unknown === null ? places.map(({ name }) => name) : [unknown],
    range: parseNumberRange(text),
    count: parseDrawCount(text),
    numbers: numbers.length === 0 && reference !== "none" ? operands.map(Number) : numbers,
    dates: findDates(text, formatLocalDate(now, timezone)),
    payload: replacement?.text ?? findPayload(text, results),
    replacement,
  };
}

/** Returns the text to work on; null if several are quoted, as one alone would be half of the work. */
function findPayload(text: string, results: readonly EarlierResult[]): string | null {
  const last = results.at(-1);
  const payload = findTextPayload(text) ?? (last === undefined ? null : extractText(last.value, last.about));
  const quoted = findQuotations(text).map(({ inner }) => inner);
  return payload !== null && quoted.length > 1 && quoted.includes(payload) ? null : payload;
}

/** Returns `2` of `11 characters, 2 words` if the words were asked for. */
function findRequestedCount(value: string, about: string): string | null {
  const unit = UNITS.find(([, asked]) => asked.test(about))?.[0];
  if (unit === undefined) return null;
  const pairs = [
    ...value.slice(0, MAX_LIST_CHARS).matchAll(/(\d+)\s*([a-z\u4e00-\u9fff]+)|([a-z\u4e00-\u9fff]+)\s*[:：]\s*(\d+)/gi),
  ];
  const found = pairs.find(([, , after, before]) => unit.test(after ?? before ?? ""));
  return found?.[1] ?? found?.[4] ?? null;
}

/** Returns the numbers of earlier results; a single result may contain several. */
export function collectResultNumbers(results: readonly EarlierResult[]): string[] {
  const [first, ...others] = results;
  const only = first?.value;
  const isList =
    only !== undefined &&
    others.length === 0 &&
    only.length <= MAX_LIST_CHARS &&
    !only.includes("=") &&
    /^[^\d]*-?[\d.]+(?:\s*[,，、;；\n和]+[^\d]*-?[\d.]+)+\D*$/.test(only);
  if (isList) return findNumbers(only).map(String);
  const listed = others.length > 0 ? undefined : /\[(-?\d[^[\]]*)\]$/.exec(only ?? "")?.[1];
  if (listed !== undefined) return listed.split(",").map((one) => one.trim());
  const sums = others.length > 0 || only === undefined ? [] : only.slice(0, MAX_LIST_CHARS).split("\n");
  // Several equations of one task, one per line.
  if (sums.length > 1 && sums.every((line) => /[=≈]/.test(line)))
    return sums.flatMap((line) => extractNumber(line) ?? []);
  return results.flatMap(({ value, about }) => findRequestedCount(value, about) ?? extractNumber(value) ?? []);
}

function countCalls(parameters: readonly ToolParameter[], reading: ParsedWork): number {
  const kinds = new Set(parameters.map(detectParameterKind));
  const isChance = kinds.has("min") && kinds.has("max") && !kinds.has("count");
  const wanted = kinds.has("expression")
    ? reading.expressions.length
    : kinds.has("zone") || kinds.has("place")
      ? reading.zones.length
      : isChance
        ? reading.count
        : 1;
  return Math.max(1, wanted);
}

type UsedValues = { numbers: number; dates: number };

function findArgument(parameter: ToolParameter, reading: ParsedWork, used: UsedValues, call: number): unknown {
  const { schema, isRequired, words } = parameter;
  const kind = detectParameterKind(parameter);
  const { text, results } = reading.situation;
  switch (kind) {
    case "choice":
      return pickEnumOption(text, schema["enum"], words);
    case "expression":
      return reading.expressions[call];
    case "zone":
      return reading.zones[call] ?? reading.situation.timezone ?? (isRequired ? "UTC" : undefined);
    case "place":
      return reading.places[call];
    case "min":
    case "max":
      return reading.range?.[kind] ?? (isRequired ? DEFAULT_RANGE[kind] : undefined);
    case "count":
      return reading.count > 1 || isRequired ? reading.count : undefined;
    case "number":
      return schema["type"] === "integer"
        ? toInteger(reading.numbers[used.numbers++])
        : reading.numbers[used.numbers++];
    case "numbers":
      return reading.numbers.length > 0 ? reading.numbers : undefined;
    case "date":
      return reading.dates[used.dates++];
    case "text":
      return reading.payload ?? undefined;
    case "texts":
      return reading.payload?.split(/\s*[,，、;；\n]\s*/).filter((part) => part !== "");
    case "find":
    case "replacement":
      return reading.replacement?.[kind];
    case "question":
      return appendLastResult(removePolitePrefixes(text), results);
    case "language":
      return findTargetLanguage(text);
    case "email":
      return /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/.exec(text)?.[0];
    case "url":
      return /https?:\/\/[^\s"'<>，。）]+/.exec(text)?.[0];
    case "flag":
      return isRequired ? false : undefined;
    case "object":
      return undefined;
    case "name":
      return findName(text);
  }
}

function toInteger(value: number | undefined): number | undefined {
  return Number.isInteger(value) ? value : undefined;
}

/** Appends the result that a question refers to. */
function appendLastResult(question: string, results: readonly EarlierResult[]): string | undefined {
  if (question === "") return undefined;
  const last = findReference(question) === "none" ? undefined : results.at(-1)?.value;
  return last === undefined ? question : `${question} (${last})`;
}

const OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:add|plus|sum|\+|加)/i, " + "],
  [/^(?:sub|minus|-|减)/i, " - "],
  [/^(?:mul|times|product|\*|乘)/i, " * "],
  [/^(?:div|\/|除)/i, " / "],
  [/^(?:pow|exp|\^)/i, " ^ "],
];

/** Returns the enum option that the text asks for, by its own words or by a shared idea. */
function pickEnumOption(text: string, options: unknown, words: string): unknown {
  if (!Array.isArray(options)) return undefined;
  const asked = findAskedIdeas(text);
  const folded = normalizeCharacters(text).toLowerCase();
  const expression = readArithmetic(folded)[0]?.template;
  const ranked = options.map((option) => {
    const name = splitIdentifier(String(option)).toLowerCase();
    const isSaid = name.length > 1 && (folded.includes(name) || folded.includes(name.replaceAll(" ", "")));
    const shared = [...findDescribedIdeas(name)].filter((idea) => asked.has(idea)).length;
    const isOperation = OPERATIONS.some(([pattern, sign]) => pattern.test(name) && expression?.includes(sign) === true);
    return {
      option: option as unknown,
      score:
        (isSaid ? 3 : 0) +
        shared * 2 +
        (isOperation ? 2 : 0) +
        (matchesUnit(name, folded) && /unit|what|mode|measure/.test(words) ? 1 : 0),
    };
  });
  const best = ranked.reduce((a, b) => (b.score > a.score ? b : a), { option: undefined as unknown, score: 0 });
  return best.option;
}

/** Units: the names in tools, and the words in requests. */
const UNITS: readonly (readonly [RegExp, RegExp])[] = [
  [/word|词/i, /词|\bwords?\b/i],
  [/line|行/i, /行数|几行|多少行|\blines?\b/i],
  [/sentence|句/i, /句数|几句|多少句|\bsentences?\b/i],
  [/char|letter|字/i, /字|\bcharacters?\b|\bletters?\b|\blength\b/i],
];

function matchesUnit(option: string, text: string): boolean {
  return UNITS.some(([name, said]) => name.test(option) && said.test(text));
}

const LANGUAGES: readonly (readonly [string, RegExp])[] = [
  ["English", /english|英[文语]/i],
  ["Chinese", /chinese|mandarin|中文|汉语|普通话/i],
  ["Japanese", /japanese|日[文语]/i],
  ["Korean", /korean|韩[文语]/i],
  ["French", /french|法[文语]/i],
  ["German", /german|德[文语]/i],
  ["Spanish", /spanish|西班牙[文语]/i],
  ["Russian", /russian|俄[文语]/i],
  ["Italian", /italian|意大利[文语]/i],
  ["Portuguese", /portuguese|葡萄牙[文语]/i],
];

function findTargetLanguage(text: string): string | undefined {
  return LANGUAGES.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Returns a quoted name, an identifier, or a capitalised name inside the sentence. */
function findName(text: string): string | undefined {
  const quoted = findQuotations(text)[0]?.inner;
  if (quoted !== undefined) return quoted;
  const identifier = /\b[A-Z]{1,6}[-_]?\d{2,}\b|\b\w{1,40}_\w{0,40}\d\b/.exec(text)?.[0];
  if (identifier !== undefined) return identifier;
  const capitalised = /(?<=[a-z,\u3400-\u9fff] ?)[A-Z][a-z]+(?: [A-Z][a-z]+)*/.exec(text)?.[0];
  return (
    capitalised ??
    /(?:员工|同事|用户|客户|名叫|叫做|叫)\s*([\u4e00-\u9fff]{2,3}?)(?=的|已|是|$|[，,。])/.exec(text)?.[1]
  );
}
