// Decides whether an existing tool does a sub-task: it must be for the same operation, and each value needs a matching
// parameter.

import { detectParameterKind, listParameters, type ToolParameter, type ParameterSchema } from "../tool-parameters.ts";
import { splitIdentifier } from "../idea-glossary.ts";
import { ALL_TEMPLATES, type FittingTemplate } from "./template-catalogue.ts";
import type { TemplateArgs, ToolTemplate } from "./tool-template.ts";

export type ExistingTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParameterSchema;
};

/** Returns the tool and its arguments; null if none fits. */
export function chooseExistingTool(
  fitting: readonly FittingTemplate[],
  tools: readonly ExistingTool[],
): { readonly tool: ExistingTool; readonly args: TemplateArgs } | null {
  for (const one of fitting) {
    const known = [...tools].sort((a, b) => Number(isFromTemplate(b, one)) - Number(isFromTemplate(a, one)));
    for (const tool of known) {
      const args = isFromTemplate(tool, one) ? one.args : hasSameMeaning(tool, one) ? assignArguments(one, tool) : null;
      if (args !== null) return { tool, args };
    }
  }
  return null;
}

/** True if the tool was written from this template. */
function isFromTemplate({ name, parameters }: ExistingTool, { template }: FittingTemplate): boolean {
  const names = (schema: ParameterSchema) =>
    listParameters(schema)
      .map((parameter) => parameter.name)
      .sort()
      .join();
  return name === template.name && names(parameters) === names(template.parameters);
}

/** True if the tool's name, or else its description, matches this template only. */
function hasSameMeaning(tool: ExistingTool, { template }: FittingTemplate): boolean {
  if (template.name === "evaluate_expression") {
    const required = listParameters(tool.parameters).filter(({ isRequired }) => isRequired);
    return required.length === 1 && required.every((parameter) => detectParameterKind(parameter) === "expression");
  }
  const named = findMeanings(splitIdentifier(tool.name).toLowerCase());
  const meant = named.length > 0 ? named : findMeanings(tool.description.toLowerCase());
  return meant.includes(template.name) && (meant.length === 1 || hasEnumParameter(tool));
}

function findMeanings(words: string): string[] {
  return ALL_TEMPLATES.filter((template) => getMeaningPattern(template).test(words)).map(({ name }) => name);
}

const NOTHING = /(?!)/;

function getMeaningPattern({ requestPattern, equivalentPattern }: ToolTemplate): RegExp {
  return equivalentPattern ?? requestPattern ?? NOTHING;
}

function hasEnumParameter({ parameters }: ExistingTool): boolean {
  return listParameters(parameters).some((parameter) => detectParameterKind(parameter) === "choice");
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

function assignArguments({ template, args }: FittingTemplate, { parameters }: ExistingTool): TemplateArgs | null {
  const own = listParameters(template.parameters).filter(({ name }) => args[name] !== undefined);
  const filled: Record<string, unknown> = {};
  const free = () => listParameters(parameters).filter(({ name }) => filled[name] === undefined);
  for (const parameter of free()) {
    if (detectParameterKind(parameter) !== "choice") continue;
    const options = parameter.schema["enum"] as unknown[];
    const fitting = options.filter((option) =>
      getMeaningPattern(template).test(splitIdentifier(String(option)).toLowerCase()),
    );
    if (fitting.length === 1) filled[parameter.name] = fitting[0];
  }
  for (const { name } of own) {
    const value = args[name];
    const target = Array.isArray(value) ? findListParameter(free(), value) : findParameter(name, value, free());
    if (target === "spread") {
      const spread = spreadList(free(), value as unknown[]);
      if (spread === null) return null;
      Object.assign(filled, spread);
    } else if (target !== null) filled[target.name] = toParameterType(target, value);
    else if (!DISPENSABLE.has(name) && !isDefaultZone(name, args)) return null;
  }
  return free().some(({ isRequired }) => isRequired) ? null : filled;
}

/** A clock without a zone parameter still works. */
function isDefaultZone(name: string, args: TemplateArgs): boolean {
  return name === "timezone" && Object.keys(args).some((other) => other !== name);
}

function findListParameter(free: readonly ToolParameter[], value: readonly unknown[]): ToolParameter | "spread" | null {
  const lists = free.filter(({ schema }) => schema["type"] === "array");
  return lists[0] ?? (value.length > 0 ? "spread" : null);
}

/** Spreads a list over as many generic parameters, in order. */
function spreadList(free: readonly ToolParameter[], values: readonly unknown[]): TemplateArgs | null {
  const numeric = free.filter((parameter) => isNumericParameter(parameter) && parameter.isRequired);
  if (numeric.length !== values.length || !numeric.every(({ words }) => NEUTRAL.test(words))) return null;
  const ordered = REVERSED.test(numeric[0]?.words ?? "") ? [...numeric].reverse() : numeric;
  return Object.fromEntries(ordered.map((parameter, i) => [parameter.name, toParameterType(parameter, values[i])]));
}

function findParameter(name: string, value: unknown, free: readonly ToolParameter[]): ToolParameter | null {
  const typed = free.filter((parameter) => takesValue(parameter, value) && detectParameterKind(parameter) !== "choice");
  const same = typed.find((parameter) => parameter.name === name);
  const alike = typed.filter(({ words }) => ALIASES[name]?.test(words) === true);
  return same ?? alike[0] ?? (typed.length === 1 && free.length === 1 ? (typed[0] ?? null) : null);
}

function takesValue(parameter: ToolParameter, value: unknown): boolean {
  const { type } = parameter.schema;
  if (Array.isArray(value)) return type === "array";
  return isNumericParameter(parameter)
    ? typeof value === "number"
    : typeof value === "string" && (type === "string" || type === undefined);
}

function isNumericParameter({ schema: { type } }: ToolParameter): boolean {
  return type === "number" || type === "integer" || (Array.isArray(type) && type.includes("number"));
}

function toParameterType({ schema }: ToolParameter, value: unknown): unknown {
  return schema["type"] === "string" && typeof value === "number" ? String(value) : value;
}
