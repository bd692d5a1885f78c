// JSON. `stringify` is implemented here, because the native function creates a text of any size in a single step.

import { spend } from "./step-budget.ts";
import { key, members } from "./operators.ts";
import { checkTextLength, joinTexts, Rope } from "./ropes.ts";
import { apply, isArray, isObject, text, type Fn, type Obj } from "./conversions.ts";

const { parse: nativeParse, stringify: nativeStringify } = JSON;
const { keys } = Object;

/**
 * The state of one `stringify` call. `above` are the objects around the current value, for the detection of cycles;
 * `only` are the allowed names.
 */
type StringifyState = {
  readonly replacer: Fn | null;
  readonly only: readonly string[] | null;
  readonly gap: string;
  readonly above: object[];
};

/** `JSON.stringify` (ECMA-262, section 25.5.2). Undefined for values without a JSON form. */
export function stringify(value: unknown, replacer?: unknown, space?: unknown): string | undefined {
  const only = isArray(replacer) ? replacer.map((name) => key(text(name)) as string) : null;
  const gap =
    typeof space === "number" && space > 0
      ? " ".repeat(space < 10 ? space : 10)
      : typeof space === "string"
        ? space
        : "";
  const state = {
    replacer: typeof replacer === "function" ? (replacer as Fn) : null,
    only,
    gap: gap.slice(0, 10),
    above: [],
  };
  return writeValue(state, { "": value }, "", "");
}

/** Formats the member `name` of `holder`; undefined if it has no JSON form. */
function writeValue(state: StringifyState, holder: Obj, name: string, indent: string): string | undefined {
  spend(64);
  let value = holder[name];
  if ((isObject(value) || typeof value === "bigint") && typeof (value as unknown as Obj)["toJSON"] === "function")
    value = apply((value as unknown as Obj)["toJSON"] as Fn, value, [name]);
  if (state.replacer !== null) value = apply(state.replacer, holder, [name, value]);
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return nativeStringify(value);
    case "string":
      return quoteText(value);
    case "bigint":
      throw new TypeError("Do not know how to serialize a BigInt");
    case "object":
      return writeNested(state, value as Obj, indent);
    default:
      return undefined;
  }
}

/** Formats a text as a JSON string. */
export function quoteText(value: string): string {
  spend(32 + value.length * 2);
  const made = nativeStringify(value);
  checkTextLength(made.length);
  // Escapes may make it six times as long.
  spend(made.length * 2);
  return made;
}

/** Formats a list or an object. Throws a `TypeError` for a cycle. */
function writeNested(state: StringifyState, value: Obj, indent: string): string {
  const { above, gap, only } = state;
  for (const outer of above) {
    spend(1);
    if (outer === value) throw new TypeError("Converting circular structure to JSON");
  }
  above[above.length] = value;
  const inside = indent + gap;
  const parts = isArray(value) ? writeElements(state, value, inside) : writePairs(state, value, inside, only);
  above.length -= 1;
  const [open, close] = isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return `${open}${close}`;
  const rope = new Rope();
  rope.add(open as string);
  for (let at = 0; at < parts.length; at += 1) {
    if (at > 0) rope.add(",");
    if (gap !== "") rope.add(`\n${inside}`);
    rope.add(parts[at] as string);
  }
  rope.add(gap === "" ? (close as string) : `\n${indent}${close}`);
  return rope.toText();
}

function writeElements(state: StringifyState, value: unknown[], inside: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < value.length; at += 1)
    parts[at] = writeValue(state, value as unknown as Obj, String(at), inside) ?? "null";
  return parts;
}

function writePairs(state: StringifyState, value: Obj, inside: string, only: readonly string[] | null): string[] {
  const parts: string[] = [];
  for (const name of only ?? keys(members(value) as object)) {
    const written = writeValue(state, value, name, inside);
    if (written === undefined) continue;
    parts[parts.length] = joinTexts(joinTexts(quoteText(name), state.gap === "" ? ":" : ": "), written);
  }
  return parts;
}

/** The members of JSON. */
export const jsonObject = {
  parse: (source: unknown, reviver?: unknown): unknown => {
    const given = text(source);
    spend(64 + given.length * 32);
    return typeof reviver === "function" ? nativeParse(given, reviver as never) : nativeParse(given);
  },
  stringify,
};
