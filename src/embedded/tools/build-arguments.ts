// Builds the arguments of a tool that belongs to no kind of work: from the known facts and from the words.

import { findQuotations, removePolitePrefixes } from "../../language/text-spans.ts";
import type { KnownValues } from "../prompt-context.ts";
import { findLiteralSpans } from "../work/literal-text.ts";
import { EMAIL, findKnownValue, findLabelledValue, findPersonName, isPersonName } from "./known-values.ts";
import { listParameters, type ParameterSchema, type ToolParameter } from "./tool-parameters.ts";

export type ToolCallArguments = Readonly<Record<string, unknown>>;
type FilledArguments = { readonly arguments: ToolCallArguments } | { readonly missing: string };

type ArgumentSources = {
  readonly text: string;
  readonly facts: KnownValues;
  /** True for a configured agent, whose whole request may be the text of a message. */
  readonly isApp: boolean;
  /** False for a verification, which uses known values only. */
  readonly mayGuess: boolean;
};

/** Returns the arguments, or the name of a required parameter that has no value. */
export function buildArguments(schema: ParameterSchema, sources: ArgumentSources): FilledArguments {
  const filled: Record<string, unknown> = {};
  for (const parameter of listParameters(schema)) {
    const known = findKnownArgument(parameter, sources);
    const value = known ?? (sources.mayGuess ? readArgument(parameter, sources) : undefined);
    if (value !== undefined) filled[parameter.name] = value;
    else if (parameter.isRequired) return { missing: parameter.name };
  }
  return { arguments: filled };
}

function findKnownArgument({ name, schema, kind }: ToolParameter, { text, facts, mayGuess }: ArgumentSources): unknown {
  const said = mayGuess ? findLabelledValue(text, name) : undefined;
  const fact = findKnownValue(name, facts);
  // The words may name another known value; otherwise they only label the fact.
  const [longest] = [...facts.values()]
    .map(String)
    .filter((value) => value !== "" && said?.startsWith(value) === true)
    .toSorted((a, b) => b.length - a.length);
  const isWhole = longest !== undefined && !/^[\w-]/.test(said?.slice(longest.length) ?? "");
  const known = fact === undefined ? said : isWhole ? longest : fact;
  if (known !== undefined) return schema["type"] === "string" ? String(known) : known;
  const address = [text, ...[...facts.values()].map(String)].find((value) => EMAIL.test(value)) ?? "";
  return kind === "email" ? EMAIL.exec(address)?.[0] : undefined;
}

function readArgument({ name, kind, isRequired }: ToolParameter, { text, isApp }: ArgumentSources): unknown {
  switch (kind) {
    case "question":
      return isRequired ? removePolitePrefixes(text) : undefined;
    case "subject":
      return isRequired ? (text.split(/[\n。！？]|[.!?](?=\s|$)/, 1)[0] ?? text).slice(0, 60) : undefined;
    case "text":
      return findLiteral(text) ?? (isRequired && isApp ? text : undefined);
    case "name":
      return (isPersonName(name) ? findPersonName(text) : undefined) ?? findQuotations(text)[0]?.inner;
    default:
      return undefined;
  }
}

/** Returns the only literal text: quoted, or behind a colon. */
function findLiteral(text: string): string | undefined {
  const [span, ...others] = findLiteralSpans(text);
  return span === undefined || others.length > 0
    ? undefined
    : (findQuotations(text)[0]?.inner ?? text.slice(span.start, span.end).trim());
}
