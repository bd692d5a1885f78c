// What the rewritten code calls in place of operators that can grow, copy or read without bound.

import { LIMITS } from "../limits.ts";
import { EXHAUSTED, giveUp, isOver, spend } from "./budget.ts";
import { seal } from "./errors.ts";
import {
  bigCost,
  bigText,
  fitsList,
  hasOwn,
  isArray,
  isObject,
  operand,
  payBig,
  primitive,
  text,
  type Obj,
} from "./values.ts";
import { iterated } from "./iterate.ts";
import { joined, payBoth, payCopies, read, Rope, SHORT, TINY } from "./ropes.ts";

type Num = number & bigint;

export function add(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  const left = primitive(a, "default");
  const right = primitive(b, "default");
  if (typeof left === "string" || typeof right === "string") return joined(text(left), text(right));
  return sized((operand(left) as Num) + (operand(right) as Num));
}

export function mul(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a * b;
  return sized((operand(a) as Num) * (operand(b) as Num));
}

export function pow(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return a ** b;
  const base = operand(a);
  const exponent = operand(b);
  if (typeof base === "bigint" && typeof exponent === "bigint" && base !== 0n && base !== 1n && base !== -1n) {
    const bits = BigInt(bigText(base < 0n ? -base : base, 16).length * 4 - 3);
    if (exponent * bits > BigInt(LIMITS.bits)) tooLarge();
  }
  return sized((base as Num) ** (exponent as Num));
}

export function shl(a: unknown, b: unknown): unknown {
  const value = operand(a);
  const count = operand(b);
  if (typeof value === "bigint" && typeof count === "bigint" && count > BigInt(LIMITS.bits)) tooLarge();
  return sized((value as Num) << (count as Num));
}

/** A negative count shifts to the left. */
export function shr(a: unknown, b: unknown): unknown {
  const value = operand(a);
  const count = operand(b);
  if (typeof value === "bigint" && typeof count === "bigint" && count < -BigInt(LIMITS.bits)) tooLarge();
  return sized((value as Num) >> (count as Num));
}

/** An operator that does not grow, where the left operand has to wait for the right one. */
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

function sized(value: number | bigint): number | bigint {
  if (typeof value === "bigint") payBig(value);
  return value;
}

function tooLarge(): never {
  return giveUp(`It makes a BigInt of more than ${LIMITS.bits} bits`);
}

export function eq(a: unknown, b: unknown): boolean {
  if (typeof a === "string" && typeof b === "string" && a.length === b.length) payBoth(a, b);
  else if (typeof a === "bigint" && typeof b === "bigint") spend(bigCost(a));
  return a === b;
}

export function looseEq(a: unknown, b: unknown): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  if (typeof a === typeof b) return eq(a, b);
  if (isObject(a) && isObject(b)) return a === b;
  // oxlint-disable-next-line eslint/eqeqeq -- the operator that the code wrote
  return operand(primitive(a, "default")) == operand(primitive(b, "default"));
}

/** The discriminant of a switch, read once for each case that is not a constant. */
export function chosen(value: unknown, cases: number): unknown {
  if (typeof value === "string" && value.length > SHORT) {
    payCopies(value.length, cases + 1);
    spend(value.length * cases);
  } else if (typeof value === "bigint") spend(bigCost(value) * cases);
  return value;
}

/** A name or position in brackets. */
export function key(value: unknown): PropertyKey {
  if (typeof value === "number") {
    if ((value | 0) !== value) spend(60);
    return value;
  }
  if (typeof value === "string") {
    // As a name the engine keeps a copy of it.
    if (value.length > TINY) spend(read(value).length * 2);
    return value;
  }
  if (typeof value === "symbol") throw new TypeError("A symbol is no name here");
  return key(text(value));
}

/** A name or position in brackets of what it is read from. */
export function at(object: unknown, name: unknown): PropertyKey {
  read(object);
  return key(name);
}

/** A name in brackets of an object that is being written down. */
export function literalKey(value: unknown): PropertyKey {
  const name = key(value);
  const position = typeof name === "string" ? index(name) : (name as number);
  spend(position >= 16 && position < 5_000 ? 64 + position * 12 : 64);
  return name;
}

/** The name or position to assign to, paid for. */
export function place(object: unknown, name: unknown): PropertyKey {
  if (typeof name === "number" && isArray(object) && name >= 0 && name < object.length) return name;
  const found = key(name);
  const position = typeof found === "string" ? index(found) : (found as number);
  if (isArray(object)) {
    if (found === "length") throw new TypeError("Assign to length by itself, not inside a pattern");
    payPosition(object, position);
  } else if (isObject(object) && !hasOwn(object, found)) payMember(object, position);
  return found;
}

export function set(object: unknown, name: unknown, value: unknown): unknown {
  if (name === "length" && isArray(object)) resize(object, value);
  else {
    const at = place(object, name);
    (object as Obj)[at] = value;
  }
  return value;
}

function resize(list: unknown[], value: unknown): void {
  const length = Number(operand(value));
  if (length > list.length) {
    fitsList(length);
    spend((length - list.length) * 12);
  }
  list.length = length;
}

/** -1 for a name that is no position. */
function index(name: string): number {
  if (name.length > 10) return -1;
  const position = Number(name);
  return position >= 0 && Number.isInteger(position) && String(position) === name ? position : -1;
}

function payPosition(list: unknown[], position: number): void {
  if (!(position >= list.length) || !Number.isInteger(position)) return spend(100);
  fitsList(position + 1);
  spend(16 + (position - list.length) * 12);
}

/** How far an object's positions reach. The engine sets room aside for those that are close enough together. */
const reach = new WeakMap<object, number>();

function payMember(object: object, position: number): void {
  // Going through many names is slow in itself.
  spend(250);
  if (!(position >= 16)) return;
  const room = reach.get(object) ?? 16;
  if (position < room) return;
  if (position - room >= 1_024) reach.set(object, Infinity);
  else if (position >= 5_000) spend(200);
  else {
    reach.set(object, position * 1.5 + 16);
    spend(position * 24);
  }
}

/** `object[name] op= …`, when both take more than looking at. */
export function alter(object: unknown, name: unknown, change: (old: unknown) => unknown): unknown {
  const at = key(name);
  return set(object, at, change((read(object) as Obj)[at]));
}

export function alterIf(kind: string, object: unknown, name: unknown, value: () => unknown): unknown {
  const at = key(name);
  const old = (read(object) as Obj)[at];
  const keeps = kind === "||=" ? Boolean(old) : kind === "&&=" ? !old : old !== null && old !== undefined;
  return keeps ? old : set(object, at, value());
}

/** `++` and `--` of a member. */
export function bump(object: unknown, name: unknown, by: 1 | -1, isPrefix: boolean): unknown {
  const at = key(name);
  const given = operand((read(object) as Obj)[at]);
  const old = typeof given === "bigint" ? given : Number(given);
  const next = typeof old === "bigint" ? sized(old + BigInt(by)) : old + by;
  set(object, at, next);
  return isPrefix ? next : old;
}

/** What is spread into a list or a call, or taken apart with a rest: always a list whose length is paid for. */
export function spread(value: unknown): unknown[] {
  if (isArray(value)) {
    spend(32 + value.length * 16);
    return value;
  }
  return iterated(value);
}

/** `a?.b[0]` as `chain(a, (it) => it.b[0])`: whose member is read has to be looked at on the way. */
export function chain(start: unknown, rest: (start: unknown) => unknown): unknown {
  spend(64);
  return start === null || start === undefined ? undefined : rest(start);
}

/** A computed name in a pattern, where nobody sees what is taken apart. */
export function nameOnly(value: unknown): PropertyKey {
  const name = key(value);
  if (typeof name === "number" || index(name as string) >= 0)
    throw new TypeError(`Take the position ${text(name)} apart by itself, outside the pattern`);
  return name;
}

/** An object whose members are about to be copied or gone through. */
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

/** What is taken apart with a rest, as a list or as an object. */
export function takenApart(value: unknown): unknown {
  return isArray(value) || !isObject(value) || Symbol_iterator in value ? spread(value) : members(value);
}
const Symbol_iterator = Symbol.iterator;

export function cat(...parts: unknown[]): string {
  const whole = new Rope();
  for (let at = 0; at < parts.length; at += 1) whole.add(text(parts[at]));
  return whole.whole();
}

/** First thing in every `catch`: the end of the budget is not for the code to catch, and errors are dear. */
export function caught(thrown: unknown): void {
  if (thrown === EXHAUSTED || isOver()) throw EXHAUSTED;
  if (isOverflow(thrown)) tooDeep();
  spend(4_000);
  seal(thrown);
}

/** First thing in every `finally`. */
export function lastly(): void {
  if (isOver()) throw EXHAUSTED;
  spend(1_000);
}

const NativeRangeError = RangeError;

/** Whether the engine ran out of stack. */
export function isOverflow(thrown: unknown): boolean {
  if (!(thrown instanceof NativeRangeError)) return false;
  const { message } = thrown;
  return typeof message === "string" && message.includes("call stack");
}

export function tooDeep(): never {
  return giveUp("It calls itself too deeply");
}
