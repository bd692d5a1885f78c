// Converts the returned value to JSON. Dates become ISO text, BigInts their digits, and undefined members are left out.
// Other values without a JSON form are errors, with the path to them.

import { LIMITS } from "../sandbox-limits.ts";
import { spend } from "./step-budget.ts";
import { isDate, getTimestamp } from "./date-builtins.ts";
import { isError } from "./sealed-errors.ts";
import { quoteText } from "./json-stringify.ts";
import { isPlainObject } from "./object-builtins.ts";
import { members } from "./operators.ts";
import { Rope } from "./ropes.ts";
import { apply, formatBigInt, isArray, isObject, type Obj } from "./conversions.ts";

/** Thrown for a value that cannot be a result. It is not an Error, so code cannot produce it. */
export class ResultRefusal {
  readonly reason: "threw" | "too_large";
  readonly message: string;
  constructor(reason: "threw" | "too_large", message: string) {
    this.reason = reason;
    this.message = message;
  }
}

const { keys } = Object;
const { toISOString } = Date.prototype;
const { charCodeAt } = String.prototype;
const isMap = (value: unknown): boolean => value instanceof Map_ || value instanceof Set_;
const Map_ = Map;
const Set_ = Set;

/** The state of one conversion to JSON: the bytes so far, and the objects around the current value. */
type ResultState = { bytes: number; readonly above: object[] };

/**
 * Returns the result as JSON. Throws a `ResultRefusal` for values without a JSON form and for results that are too
 * large.
 */
export function writeResult(value: unknown): string {
  if (value === undefined)
    throw new ResultRefusal("threw", "It returned nothing. The function has to end with return and a value");
  return writeValue({ bytes: 0, above: [] }, value, "The result");
}

/** Formats a value. `path` names it in messages. */
function writeValue(state: ResultState, value: unknown, path: string): string {
  spend(64);
  if (value === null || value === undefined) return countBytes(state, "null");
  switch (typeof value) {
    case "boolean":
      return countBytes(state, value ? "true" : "false");
    case "number":
      if (value - value !== 0) throw createRefusal(path, `is ${value}, which is no value in JSON`);
      return countBytes(state, `${value === 0 ? 0 : value}`);
    case "string":
      if (value.length > LIMITS.result) throw createTooLargeRefusal();
      return countBytes(state, quoteText(value));
    case "bigint":
      return countBytes(state, quoteText(formatBigInt(value, 10)));
    case "function":
      throw createRefusal(path, "is a function. Return what it computes");
    default:
      return isObject(value) ? writeNested(state, value, path) : rejectSymbol(path);
  }
}

/** Throws for a symbol, the only type that remains. */
function rejectSymbol(path: string): never {
  throw createRefusal(path, "is a symbol");
}

/** Formats an object. Throws for cycles, and for nesting beyond the limit. */
function writeNested(state: ResultState, value: Obj, path: string): string {
  const { above } = state;
  if (isDate(value)) {
    const time = getTimestamp(value);
    if (time !== time) throw createRefusal(path, "is an invalid date");
    return countBytes(state, `"${apply(toISOString, value, [])}"`);
  }
  if (isMap(value)) throw createRefusal(path, "is a Map or Set. Return Object.fromEntries(map), [...map] or [...set]");
  if (isError(value)) throw createRefusal(path, "is an error. Throw it, or return its message");
  for (const outer of above) if (outer === value) throw createRefusal(path, "contains itself");
  if (above.length >= LIMITS.depth) throw createRefusal(path, `is nested more than ${LIMITS.depth} levels deep`);
  above[above.length] = value;
  const rope = isArray(value) ? writeList(state, value, path) : writeObject(state, value, path);
  above.length -= 1;
  return rope;
}

function writeList(state: ResultState, value: unknown[], path: string): string {
  const rope = new Rope();
  rope.add(countBytes(state, "[]").slice(0, 1));
  for (let at = 0; at < value.length; at += 1) {
    if (at > 0) rope.add(countBytes(state, ","));
    rope.add(writeValue(state, value[at], `${path}[${at}]`));
  }
  rope.add("]");
  return rope.toText();
}

/** Formats a plain object. Built-in objects are refused, because their content is not in their members. */
function writeObject(state: ResultState, value: Obj, path: string): string {
  if (!isPlainObject(value)) throw createRefusal(path, "is an object of a built-in kind. Return plain values");
  const rope = new Rope();
  rope.add(countBytes(state, "{}").slice(0, 1));
  let isFirst = true;
  for (const name of keys(members(value) as object)) {
    const member = value[name];
    if (member === undefined) continue;
    if (!isFirst) rope.add(countBytes(state, ","));
    isFirst = false;
    rope.add(countBytes(state, quoteText(name)));
    rope.add(countBytes(state, ":"));
    rope.add(writeValue(state, member, `${path}.${name.slice(0, 40)}`));
  }
  rope.add("}");
  return rope.toText();
}

/** Adds the UTF-8 size of a piece to the total and returns the piece. Throws if the result is too large. */
function countBytes(state: ResultState, piece: string): string {
  let bytes = piece.length;
  for (let at = 0; at < piece.length; at += 1) {
    const code = apply(charCodeAt, piece, [at]) as number;
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  state.bytes += bytes;
  if (state.bytes > LIMITS.result) throw createTooLargeRefusal();
  return piece;
}

function createTooLargeRefusal(): ResultRefusal {
  return new ResultRefusal("too_large", `The result is larger than ${LIMITS.result} bytes of JSON. Return less`);
}

function createRefusal(path: string, what: string): ResultRefusal {
  return new ResultRefusal("threw", `${path} ${what}`);
}
