// Decides whether an existing tool does a sub-task: it must be for the same operation, and each value needs a matching
// parameter.

import { kindOf, parametersOf, type Parameter, type Schema } from "../parameters.ts";
import { spaced } from "../glossary.ts";
import { CATALOGUE, type Fitting } from "./catalogue.ts";
import type { Args, Template } from "./template.ts";

export type KeptTool = { readonly name: string; readonly description: string; readonly parameters: Schema };

/** Returns the tool and its arguments; null if none fits. */
export function chosen(
  fitting: readonly Fitting[],
  tools: readonly KeptTool[],
): { readonly tool: KeptTool; readonly args: Args } | null {
  for (const one of fitting) {
    const known = [...tools].sort((a, b) => Number(isOwn(b, one)) - Number(isOwn(a, one)));
    for (const tool of known) {
      const args = isOwn(tool, one) ? one.args : isSame(tool, one) ? placed(one, tool) : null;
      if (args !== null) return { tool, args };
    }
  }
  return null;
}

/** True if the tool was written from this template. */
function isOwn({ name, parameters }: KeptTool, { template }: Fitting): boolean {
  const names = (schema: Schema) =>
    parametersOf(schema)
      .map((parameter) => parameter.name)
      .sort()
      .join();
  return name === template.name && names(parameters) === names(template.parameters);
}

/** True if the tool's name, or else its description, matches this template only. */
function isSame(tool: KeptTool, { template }: Fitting): boolean {
  if (template.name === "evaluate_expression") {
    const required = parametersOf(tool.parameters).filter(({ isRequired }) => isRequired);
    return required.length === 1 && required.every((parameter) => kindOf(parameter) === "expression");
  }
  const named = meanings(spaced(tool.name).toLowerCase());
  const meant = named.length > 0 ? named : meanings(tool.description.toLowerCase());
  return meant.includes(template.name) && (meant.length === 1 || hasChoice(tool));
}

function meanings(words: string): string[] {
  return CATALOGUE.filter((template) => meaningOf(template).test(words)).map(({ name }) => name);
}

const NOTHING = /(?!)/;

function meaningOf({ asked, means }: Template): RegExp {
  return means ?? asked ?? NOTHING;
}

function hasChoice({ parameters }: KeptTool): boolean {
  return parametersOf(parameters).some((parameter) => kindOf(parameter) === "choice");
}

/** Parameter names with the same meaning as the template's own. */
const ALIASES: Readonly<Record<string, RegExp>> = {
  text: /^(?:text|input|string|str|s|sentence|content|word|phrase|message|value)\b/,
  part: /^(?:part|sub ?string|target|letter|char|word|search|pattern|find|needle)\b/,
  find: /^(?:find|old|search|target|pattern|from)\b/,
  replacement: /^(?:replacement|replace|new|with|to)\b/,
  timezone: /zone|^tz\b/,
  date: /\bdate|^day\b/,
  birth_date: /birth|^dob\b|^date\b/,
  from: /^(?:from|start|begin|first|earlier|source|old|initial)|1$|^[ax]$/,
  to: /^(?:to|end|until|second|later|target|new|final|stop)|2$|^[by]$/,
  base: /^(?:base|number|x|n|a)\b/,
  exponent: /^(?:exponent|exp|power|y|b|p|n)\b/,
  percent: /percent|^(?:rate|p|pct)\b/,
  value: /^(?:value|number|num|amount|total|whole|x|n)\b/,
  n: /^(?:n|num|number|value|x|k|index|position)\b/,
  number: /^(?:n|num|number|value|x)\b/,
  count: /^(?:n|count|length|size|terms|number)\b/,
  dividend: /^(?:dividend|numerator|a|x)\b|1$/,
  divisor: /^(?:divisor|denominator|modulus|b|y)\b|2$/,
  min: /^(?:min|low|from|start|a)/,
  max: /^(?:max|high|to|end|upper|b)/,
  year: /^(?:year|y)\b/,
  month: /^(?:month|m)\b/,
  items: /items|options|choices|list|values/,
  expression: /expr|formula/,
  digits: /digits|places|precision|decimals/,
};

/** Optional arguments: the tool may have its own default. */
const DISPENSABLE = new Set(["locale", "descending", "degree"]);

/** Generic parameter names; only their order assigns values. */
const NEUTRAL =
  /^(?:[a-dx-z]|n|(?:num|number|value|val|arg|operand|factor|addend|term|n)s?(?: ?(?:\d|one|two|three|[a-c]))?|first|second|third|(?:first|second|third) (?:number|value|operand|factor|addend)|multiplicand|multiplier|minuend|subtrahend|dividend|divisor|numerator|denominator)$/;
const REVERSED = /^(?:subtrahend|divisor|denominator)$/;

function placed({ template, args }: Fitting, { parameters }: KeptTool): Args | null {
  const own = parametersOf(template.parameters).filter(({ name }) => args[name] !== undefined);
  const filled: Record<string, unknown> = {};
  const free = () => parametersOf(parameters).filter(({ name }) => filled[name] === undefined);
  for (const parameter of free()) {
    if (kindOf(parameter) !== "choice") continue;
    const options = parameter.schema["enum"] as unknown[];
    const fitting = options.filter((option) => meaningOf(template).test(spaced(String(option)).toLowerCase()));
    if (fitting.length === 1) filled[parameter.name] = fitting[0];
  }
  for (const { name } of own) {
    const value = args[name];
    const target = Array.isArray(value) ? listFor(free(), value) : oneFor(name, value, free());
    if (target === "spread") {
      const spread = spreadOver(free(), value as unknown[]);
      if (spread === null) return null;
      Object.assign(filled, spread);
    } else if (target !== null) filled[target.name] = fittedTo(target, value);
    else if (!DISPENSABLE.has(name) && !isDefaultZone(name, args)) return null;
  }
  return free().some(({ isRequired }) => isRequired) ? null : filled;
}

/** A clock without a zone parameter still works. */
function isDefaultZone(name: string, args: Args): boolean {
  return name === "timezone" && Object.keys(args).some((other) => other !== name);
}

function listFor(free: readonly Parameter[], value: readonly unknown[]): Parameter | "spread" | null {
  const lists = free.filter(({ schema }) => schema["type"] === "array");
  return lists[0] ?? (value.length > 0 ? "spread" : null);
}

/** Spreads a list over as many generic parameters, in order. */
function spreadOver(free: readonly Parameter[], values: readonly unknown[]): Args | null {
  const numeric = free.filter((parameter) => isNumeric(parameter) && parameter.isRequired);
  if (numeric.length !== values.length || !numeric.every(({ words }) => NEUTRAL.test(words))) return null;
  const ordered = REVERSED.test(numeric[0]?.words ?? "") ? [...numeric].reverse() : numeric;
  return Object.fromEntries(ordered.map((parameter, i) => [parameter.name, fittedTo(parameter, values[i])]));
}

function oneFor(name: string, value: unknown, free: readonly Parameter[]): Parameter | null {
  const typed = free.filter((parameter) => takesValue(parameter, value) && kindOf(parameter) !== "choice");
  const same = typed.find((parameter) => parameter.name === name);
  const alike = typed.filter(({ words }) => ALIASES[name]?.test(words) === true);
  return same ?? alike[0] ?? (typed.length === 1 && free.length === 1 ? (typed[0] ?? null) : null);
}

function takesValue(parameter: Parameter, value: unknown): boolean {
  const { type } = parameter.schema;
  if (Array.isArray(value)) return type === "array";
  return isNumeric(parameter)
    ? typeof value === "number"
    : typeof value === "string" && (type === "string" || type === undefined);
}

function isNumeric({ schema: { type } }: Parameter): boolean {
  return type === "number" || type === "integer" || (Array.isArray(type) && type.includes("number"));
}

function fittedTo({ schema }: Parameter, value: unknown): unknown {
  return schema["type"] === "string" && typeof value === "number" ? String(value) : value;
}
