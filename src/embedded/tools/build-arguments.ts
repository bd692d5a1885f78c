// Fills the arguments of a tool that belongs to no kind of work: from the known facts and from the words.

import { findNumbers } from "../../language/numerals.ts";
import { findPlaces } from "../../language/place-time-zones.ts";
import { findQuotations, maskSpans, normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";
import type { KnownValues } from "../prompt-context.ts";
import { findLiteralSpans } from "../work/literal-text.ts";
import { splitIdentifier } from "../work/words.ts";
import { EMAIL, findKnownValue, findLabelledValue, isPersonName } from "./known-values.ts";
import { listParameters, type ParameterSchema, type ToolParameter } from "./tool-parameters.ts";

export type ToolCallArguments = Readonly<Record<string, unknown>>;
export type FilledArguments = { readonly arguments: ToolCallArguments } | { readonly missing: string };

export type ArgumentSources = {
  readonly text: string;
  readonly facts: KnownValues;
  readonly timezone: string | undefined;
  /** True for a configured agent, whose whole request may be the text of a message. */
  readonly isApp: boolean;
  /** False for a verification, which uses known values only. */
  readonly mayGuess: boolean;
};

/** Returns the arguments, or the name of a required parameter that has no value. */
export function buildArguments(schema: ParameterSchema, sources: ArgumentSources): FilledArguments {
  const filled: Record<string, unknown> = {};
  const numbers = findNumbers(maskSpans(normalizeCharacters(sources.text), findQuotations(sources.text)));
  for (const parameter of listParameters(schema)) {
    const value =
      findKnownArgument(parameter, sources) ??
      (sources.mayGuess ? readArgument(parameter, sources, numbers) : undefined);
    if (value !== undefined) filled[parameter.name] = value;
    else if (parameter.isRequired) return { missing: parameter.name };
  }
  return { arguments: filled };
}

function findKnownArgument({ name, schema, kind }: ToolParameter, { text, facts, mayGuess }: ArgumentSources): unknown {
  const said = mayGuess ? findLabelledValue(text, name) : undefined;
  const fact = findKnownValue(name, facts);
  // The words may name another known value; otherwise they only label the fact.
  const meant = [...facts.values()].filter(
    (value) =>
      String(value) !== "" &&
      said?.startsWith(String(value)) === true &&
      !/^[\w-]/.test(said.slice(String(value).length)),
  );
  const known = fact === undefined ? said : (meant.toSorted((a, b) => String(b).length - String(a).length)[0] ?? fact);
  if (known !== undefined) return convertToType(known, schema["type"]);
  if (kind !== "email") return undefined;
  const address = [...facts.values()].find((value) => typeof value === "string" && EMAIL.test(value));
  return EMAIL.exec(text)?.[0] ?? EMAIL.exec(String(address ?? ""))?.[0];
}

function convertToType(value: unknown, type: unknown): unknown {
  if (type === "string") return String(value);
  const number = Number(value);
  const isNumber = (type === "number" || type === "integer") && String(value).trim() !== "" && !Number.isNaN(number);
  return isNumber ? number : value;
}

function readArgument(
  { name, schema, kind, isRequired }: ToolParameter,
  { text, timezone, isApp }: ArgumentSources,
  numbers: number[],
): unknown {
  switch (kind) {
    case "choice":
      return pickOption(text, schema["enum"]);
    case "flag":
      return isRequired ? false : undefined;
    case "number":
    case "min":
    case "max": {
      const number = numbers.shift();
      return schema["type"] === "integer" && !Number.isInteger(number) ? undefined : number;
    }
    case "numbers":
      return numbers.length > 0 ? numbers : undefined;
    case "zone":
      return findPlaces(text)[0]?.zone ?? timezone ?? (isRequired ? "UTC" : undefined);
    case "place":
      return (
        findPlaces(text)[0]?.name ??
        /\b(?:in|at|for|of) ((?:\p{Lu}[\p{L}'.-]*)(?: \p{Lu}[\p{L}'.-]*){0,3})/u.exec(text)?.[1]
      );
    case "url":
      return /https?:\/\/[^\s"'<>，。）]+/.exec(text)?.[0];
    case "date":
      return /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/.exec(text)?.[0];
    case "question":
      return isRequired ? removePolitePrefixes(text) : undefined;
    case "subject":
      return isRequired ? [...(text.split(/[\n。！？]|[.!?](?=\s|$)/, 1)[0] ?? text)].slice(0, 60).join("") : undefined;
    case "text":
      return findLiteral(text) ?? (isRequired && isApp ? text : undefined);
    case "name":
      return (
        (isPersonName(name) ? findCapitalisedName(text) : undefined) ??
        findQuotations(text)[0]?.inner ??
        /\b[A-Z]{1,6}[-_]?\d{2,}\b/.exec(text)?.[0]
      );
    default:
      return undefined;
  }
}

/** Returns the only literal text: quoted, or behind a colon. */
function findLiteral(text: string): string | undefined {
  const [span, ...others] = findLiteralSpans(text);
  const quoted = findQuotations(text);
  if (quoted.length > 0) return quoted.length === 1 ? quoted[0]?.inner : undefined;
  return span === undefined || others.length > 0 ? undefined : text.slice(span.start, span.end).trim();
}

/** Two or more words that are written like a name, apart from the first word. */
function findCapitalisedName(text: string): string | undefined {
  return /(?<![\p{L}\d])\p{Lu}\p{Ll}+(?: \p{Lu}[\p{L}'-]+){1,3}/u.exec(text.replace(/^\p{Lu}\p{Ll}+\s+/u, ""))?.[0];
}

function pickOption(text: string, options: unknown): unknown {
  const folded = normalizeCharacters(text).toLowerCase();
  return Array.isArray(options)
    ? options.find(
        (option) => String(option).length > 1 && folded.includes(splitIdentifier(String(option)).toLowerCase()),
      )
    : undefined;
}
