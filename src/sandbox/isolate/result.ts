// Converts the returned value to JSON. Dates become ISO text, BigInts their digits, and undefined members are left out.
// Other values without a JSON form are errors, with the path to them.

import { LIMITS } from "../limits.ts";
import { spend } from "./budget.ts";
import { isDate, timeOf } from "./dates.ts";
import { isError } from "./errors.ts";
import { quoted } from "./json.ts";
import { isPlain } from "./objects.ts";
import { members } from "./operators.ts";
import { Rope } from "./ropes.ts";
import { apply, bigText, isArray, isObject, type Obj } from "./values.ts";

/** Thrown for a value that cannot be a result. It is not an Error, so code cannot produce it. */
export class Refusal {
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
type Writing = { bytes: number; readonly above: object[] };

/**
 * Returns the result as JSON. Throws a `ResultRefusal` for values without a JSON form and for results that are too
 * large.
 */
export function writeResult(value: unknown): string {
  if (value === undefined)
    throw new Refusal("threw", "It returned nothing. The function has to end with return and a value");
  return write({ bytes: 0, above: [] }, value, "The result");
}

/** Formats a value. `path` names it in messages. */
function write(writing: Writing, value: unknown, path: string): string {
  spend(64);
  if (value === null || value === undefined) return counted(writing, "null");
  switch (typeof value) {
    case "boolean":
      return counted(writing, value ? "true" : "false");
    case "number":
      if (value - value !== 0) throw unfit(path, `is ${value}, which is no value in JSON`);
      return counted(writing, `${value === 0 ? 0 : value}`);
    case "string":
      if (value.length > LIMITS.result) throw tooLarge();
      return counted(writing, quoted(value));
    case "bigint":
      return counted(writing, quoted(bigText(value, 10)));
    case "function":
      throw unfit(path, "is a function. Return what it computes");
    default:
      return isObject(value) ? nested(writing, value, path) : fail(path);
  }
}

/** Throws for a symbol, the only type that remains. */
function fail(path: string): never {
  throw unfit(path, "is a symbol");
}

/** Formats an object. Throws for cycles, and for nesting beyond the limit. */
function nested(writing: Writing, value: Obj, path: string): string {
  const { above } = writing;
  if (isDate(value)) {
    const time = timeOf(value);
    if (time !== time) throw unfit(path, "is an invalid date");
    return counted(writing, `"${apply(toISOString, value, [])}"`);
  }
  if (isMap(value)) throw unfit(path, "is a Map or Set. Return Object.fromEntries(map), [...map] or [...set]");
  if (isError(value)) throw unfit(path, "is an error. Throw it, or return its message");
  for (const outer of above) if (outer === value) throw unfit(path, "contains itself");
  if (above.length >= LIMITS.depth) throw unfit(path, `is nested more than ${LIMITS.depth} levels deep`);
  above[above.length] = value;
  const whole = isArray(value) ? list(writing, value, path) : object(writing, value, path);
  above.length -= 1;
  return whole;
}

function list(writing: Writing, value: unknown[], path: string): string {
  const whole = new Rope();
  whole.add(counted(writing, "[]").slice(0, 1));
  for (let at = 0; at < value.length; at += 1) {
    if (at > 0) whole.add(counted(writing, ","));
    whole.add(write(writing, value[at], `${path}[${at}]`));
  }
  whole.add("]");
  return whole.whole();
}

/** Formats a plain object. Built-in objects are refused, because their content is not in their members. */
function object(writing: Writing, value: Obj, path: string): string {
  if (!isPlain(value)) throw unfit(path, "is an object of a built-in kind. Return plain values");
  const whole = new Rope();
  whole.add(counted(writing, "{}").slice(0, 1));
  let isFirst = true;
  for (const name of keys(members(value) as object)) {
    const member = value[name];
    if (member === undefined) continue;
    if (!isFirst) whole.add(counted(writing, ","));
    isFirst = false;
    whole.add(counted(writing, quoted(name)));
    whole.add(counted(writing, ":"));
    whole.add(write(writing, member, `${path}.${name.slice(0, 40)}`));
  }
  whole.add("}");
  return whole.whole();
}

/** Adds the UTF-8 size of a piece to the total and returns the piece. Throws if the result is too large. */
function counted(writing: Writing, piece: string): string {
  let bytes = piece.length;
  for (let at = 0; at < piece.length; at += 1) {
    const code = apply(charCodeAt, piece, [at]) as number;
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  writing.bytes += bytes;
  if (writing.bytes > LIMITS.result) throw tooLarge();
  return piece;
}

function tooLarge(): Refusal {
  return new Refusal("too_large", `The result is larger than ${LIMITS.result} bytes of JSON. Return less`);
}

function unfit(path: string, what: string): Refusal {
  return new Refusal("threw", `${path} ${what}`);
}
