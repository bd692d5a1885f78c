// The guards that replace operators whose cost depends on values: operators that grow, copy, convert or read without
// bound.
//
// The exported names are part of the instrumented code (`GUARD_NAMES`); the instrumentation decides where they are
// called. Each guard pays before it works, evaluates its arguments once, and has the semantics of the operator, except
// that it throws where the policy forbids the operation.

import { LIMITS } from "../sandbox-limits.ts";
import { EXHAUSTED, abortCall, isCallOver, spend } from "./step-budget.ts";
import { sealError } from "./sealed-errors.ts";
import {
  computeBigIntSteps,
  formatBigInt,
  checkListLength,
  hasOwn,
  isArray,
  isObject,
  operand,
  payBigInt,
  toPrimitive,
  text,
  type Obj,
} from "./conversions.ts";
import { collectItems } from "./iterate.ts";
import { joinTexts, payComparison, payCopies, read, Rope, SHORT_TEXT, TINY_TEXT } from "./ropes.ts";

/** Lets the compiler accept mixed operands; at run time, mixing them throws. */
type Num = number & bigint;

/** `a + b`. */
export function add(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  const left = toPrimitive(a, "default");
  const right = toPrimitive(b, "default");
  if (typeof left === "string" || typeof right === "string") return joinTexts(text(left), text(right));
  return paySize((operand(left) as Num) + (operand(right) as Num));
}

/** `a * b`. */
export function mul(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a * b;
  return paySize((operand(a) as Num) * (operand(b) as Num));
}

/** `a ** b`. Ends the call before a BigInt would become too large. */
export function pow(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a ** b;
  const base = operand(a);
  const exponent = operand(b);
  if (typeof base === "bigint" && typeof exponent === "bigint" && base !== 0n && base !== 1n && base !== -1n) {
    const bits = BigInt(formatBigInt(base < 0n ? -base : base, 16).length * 4 - 3);
    if (exponent * bits > BigInt(LIMITS.bits)) abortTooLarge();
  }
  return paySize((base as Num) ** (exponent as Num));
}

/** `a << b`. */
export function shl(a: unknown, b: unknown): unknown {
  const value = operand(a);
  const count = operand(b);
  if (typeof value === "bigint" && typeof count === "bigint" && count > BigInt(LIMITS.bits)) abortTooLarge();
  return paySize((value as Num) << (count as Num));
}

/** `a >> b`. A negative count shifts a BigInt to the left. */
export function shr(a: unknown, b: unknown): unknown {
  const value = operand(a);
  const count = operand(b);
  if (typeof value === "bigint" && typeof count === "bigint" && count < -BigInt(LIMITS.bits)) abortTooLarge();
  return paySize((value as Num) >> (count as Num));
}

/** An operator that does not grow, for operands that must be converted in order. */
export function binary(operator: string, a: unknown, b: unknown): unknown {
  const left = operand(a) as Num;
  const right = operand(b) as Num;
  switch (operator) {
    case "-":
      return left - right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    case ">>>":
      return left >>> right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    case ">=":
      return left >= right;
    default:
      throw new SyntaxError(`There is no operator ${operator}`);
  }
}

/** Pays for a result. */
function paySize(value: number | bigint): number | bigint {
  if (typeof value === "bigint") payBigInt(value);
  return value;
}

/** Ends the call. */
function abortTooLarge(): never {
  return abortCall(`It makes a BigInt of more than ${LIMITS.bits} bits`);
}

/** `a === b`. */
export function eq(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) payComparison(a, b);
  else if (typeof a === "bigint" && typeof b === "bigint") spend(computeBigIntSteps(a));
  return a === b;
}

/** `a == b`. */
export function looseEq(a: unknown, b: unknown): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === typeof b) return eq(a, b);
  if (isObject(a) && isObject(b)) return a === b;
  // oxlint-disable-next-line eslint/eqeqeq -- the operator that the code wrote
  return operand(toPrimitive(a, "default")) == operand(toPrimitive(b, "default"));
}

/** Returns the discriminant of a `switch` and pays for `cases` comparisons with it. */
export function chosen(value: unknown, cases: number): unknown {
  if (typeof value === "string" && value.length > SHORT_TEXT) {
    payCopies(value.length, cases + 1);
    spend(value.length * cases);
  } else if (typeof value === "bigint") spend(computeBigIntSteps(value) * cases);
  return value;
}

/** Returns a computed name or position as a property key. */
export function key(value: unknown): PropertyKey {
  if (typeof value === "number") {
    if ((value | 0) !== value) spend(60);
    return value;
  }
  if (typeof value === "string") {
    // The engine keeps a copy of each text that is used as a name.
    if (value.length > TINY_TEXT) spend(read(value).length * 2);
    return value;
  }
  if (typeof value === "symbol") throw new TypeError("A symbol is no name here");
  return key(text(value));
}

/** Returns a computed key for reading from `object`, which may be a text. */
export function at(object: unknown, name: unknown): PropertyKey {
  read(object);
  return key(name);
}

/** Returns a computed key of an object literal or a class. */
export function literalKey(value: unknown): PropertyKey {
  const name = key(value);
  const position = typeof name === "string" ? parsePosition(name) : (name as number);
  spend(position >= 16 && position < 5_000 ? 64 + position * 12 : 64);
  return name;
}

/**
 * Returns the key for an assignment and pays for the space that it takes. Throws a `TypeError` for the length of a
 * list.
 */
export function place(object: unknown, name: unknown): PropertyKey {
  if (typeof name === "number" && isArray(object) && name >= 0 && name < object.length) return name;
  const found = key(name);
  const position = typeof found === "string" ? parsePosition(found) : (found as number);
  if (isArray(object)) {
    if (found === "length") throw new TypeError("Assign to length by itself, not inside a pattern");
    payPosition(object, position);
  } else if (isObject(object) && !hasOwn(object, found)) payMember(object, position);
  return found;
}

/** `object[name] = value`. Returns the value. */
export function set(object: unknown, name: unknown, value: unknown): unknown {
  if (name === "length" && isArray(object)) resizeList(object, value);
  else {
    const at = place(object, name);
    (object as Obj)[at] = value;
  }
  return value;
}

/** Assigns to the length of a list. */
function resizeList(list: unknown[], value: unknown): void {
  const length = Number(operand(value));
  if (length > list.length) {
    checkListLength(length);
    spend((length - list.length) * 12);
  }
  list.length = length;
}

/** Returns the position that a name stands for, or -1. */
function parsePosition(name: string): number {
  if (name.length > 10) return -1;
  const position = Number(name);
  return position >= 0 && Number.isInteger(position) && String(position) === name ? position : -1;
}

/** Pays for an element beyond the end of a list. */
function payPosition(list: unknown[], position: number): void {
  if (!(position >= list.length) || !Number.isInteger(position)) return spend(100);
  checkListLength(position + 1);
  spend(16 + (position - list.length) * 12);
}

/**
 * The upper bound of the positions for which the engine has reserved space, by object. Positions that are close
 * together are stored like a list.
 */
const reservedPositions = new WeakMap<object, number>();

/** Pays for a new member of an object. */
function payMember(object: object, position: number): void {
  // Listing an object with many names is slow in itself.
  spend(250);
  if (!(position >= 16)) return;
  const room = reservedPositions.get(object) ?? 16;
  if (position < room) return;
  if (position - room >= 1_024) reservedPositions.set(object, Infinity);
  else if (position >= 5_000) spend(200);
  else {
    reservedPositions.set(object, position * 1.5 + 16);
    spend(position * 24);
  }
}

/** `object[name] op= …`, for operands that must be evaluated once. */
export function alter(object: unknown, name: unknown, change: (old: unknown) => unknown): unknown {
  const at = key(name);
  return set(object, at, change((read(object) as Obj)[at]));
}

/** `object[name] ||= …`, `&&=` and `??=`. `value` is evaluated only if it is assigned. */
export function alterIf(kind: string, object: unknown, name: unknown, value: () => unknown): unknown {
  const at = key(name);
  const old = (read(object) as Obj)[at];
  const keepsOld = kind === "||=" ? Boolean(old) : kind === "&&=" ? !old : old !== null && old !== undefined;
  return keepsOld ? old : set(object, at, value());
}

/** `++` and `--` of a member. */
export function bump(object: unknown, name: unknown, by: 1 | -1, isPrefix: boolean): unknown {
  const at = key(name);
  const given = operand((read(object) as Obj)[at]);
  const old = typeof given === "bigint" ? given : Number(given);
  const next = typeof old === "bigint" ? paySize(old + BigInt(by)) : old + by;
  set(object, at, next);
  return isPrefix ? next : old;
}

/** Returns the elements of a spread or a rest as a list and pays for its length. An array is returned itself. */
export function spread(value: unknown): unknown[] {
  if (isArray(value)) {
    spend(32 + value.length * 16);
    return value;
  }
  return collectItems(value);
}

/**
 * Continues an optional chain: `a?.b[0]` is `chain(a, (it) => it.b[0])`, so that a guard can check the object in
 * between.
 */
export function chain(start: unknown, rest: (start: unknown) => unknown): unknown {
  spend(64);
  return start === null || start === undefined ? undefined : rest(start);
}

/**
 * Returns a computed name in a pattern whose value no guard has checked. Throws a `TypeError` for positions, which
 * could read a text.
 */
export function nameOnly(value: unknown): PropertyKey {
  const name = key(value);
  if (typeof name === "number" || parsePosition(name as string) >= 0)
    throw new TypeError(`Take the position ${text(name)} apart by itself, outside the pattern`);
  return name;
}

/** Pays for listing or copying the members of a value, and returns it. */
export function members(value: unknown): unknown {
  if (typeof value === "string") spend(32 * value.length);
  else if (isArray(value)) spend(32 + value.length * 32);
  else if (isObject(value)) {
    let count = 0;
    for (const name in value) if (name !== "") count += 1;
    spend(32 + count * 64);
  }
  return value;
}

/** Pays for destructuring with a rest, and returns the value as a list or an object. */
export function takenApart(value: unknown): unknown {
  return isArray(value) || !isObject(value) || Symbol_iterator in value ? spread(value) : members(value);
}
const Symbol_iterator = Symbol.iterator;

/** A template literal. */
export function cat(...parts: unknown[]): string {
  const rope = new Rope();
  for (let at = 0; at < parts.length; at += 1) rope.add(text(parts[at]));
  return rope.toText();
}

/**
 * The first statement of each `catch`. Rethrows the end of the budget, ends the call after a stack overflow, and seals
 * errors. The price is high because errors are expensive for the engine.
 */
export function caught(thrown: unknown): void {
  if (thrown === EXHAUSTED || isCallOver()) throw EXHAUSTED;
  if (isStackOverflow(thrown)) abortTooDeep();
  spend(4_000);
  sealError(thrown);
}

/** The first statement of each `finally`. */
export function lastly(): void {
  if (isCallOver()) throw EXHAUSTED;
  spend(1_000);
}

const NativeRangeError = RangeError;

/** True if the engine ran out of stack. */
export function isStackOverflow(thrown: unknown): boolean {
  if (!(thrown instanceof NativeRangeError)) return false;
  const { message } = thrown;
  return typeof message === "string" && message.includes("call stack");
}

/** Ends the call after a stack overflow. */
export function abortTooDeep(): never {
  return abortCall("It calls itself too deeply");
}
