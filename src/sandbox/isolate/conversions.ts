// Type conversions with payment. Native conversions may call methods of the code, or read a long text in one step.

import { LIMITS } from "../sandbox-limits.ts";
import { abortCall, spend } from "./step-budget.ts";
import { payText } from "./ropes.ts";

export type PrimitiveValue = string | number | bigint | boolean | symbol | null | undefined;
export type Fn = (this: unknown, ...args: unknown[]) => unknown;
export type Obj = Record<PropertyKey, unknown>;

// Saved before the globals are replaced.
export const apply = Reflect.apply;
export const isArray = Array.isArray as (value: unknown) => value is unknown[];
const toPrimitiveKey = Symbol.toPrimitive;
const nativeString = String;
const nativeNumber = Number;
const hasOwnProperty = Object.prototype.hasOwnProperty as Fn;
const nativeTest = RegExp.prototype.test as Fn;
const { charCodeAt } = String.prototype;
const { fromCharCode } = String;
const bigToString = BigInt.prototype.toString;

/** The first BigInt that is too large. */
const MAX_BIGINT = 1n << BigInt(LIMITS.bits);

const { create, freeze } = Object;
/** The empty prototype of bare objects. */
const emptyPrototype = freeze(create(null) as object);

/**
 * Returns an object that inherits no members. With a null prototype the engine would store it as a table, which takes
 * much more space.
 */
export function createBareObject(): Obj {
  return create(emptyPrototype) as Obj;
}

/** True for objects and functions. */
export function isObject(value: unknown): value is Obj {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function hasOwn(object: unknown, key: PropertyKey): boolean {
  return apply(hasOwnProperty, object, [key]) as boolean;
}

/**
 * Converts a value to a primitive value (ECMA-262, ToPrimitive). The hints "default" and "number" differ for dates
 * only.
 */
export function toPrimitive(value: unknown, hint: "default" | "number" | "string"): PrimitiveValue {
  if (!isObject(value)) return value as PrimitiveValue;
  const exotic = value[toPrimitiveKey];
  if (exotic !== undefined && exotic !== null) return assertPrimitive(apply(exotic as Fn, value, [hint]));
  const order = hint === "string" ? (["toString", "valueOf"] as const) : (["valueOf", "toString"] as const);
  for (const name of order) {
    const method = value[name];
    if (typeof method !== "function") continue;
    const result = apply(method as Fn, value, []);
    if (!isObject(result)) return result as PrimitiveValue;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

/** Throws a `TypeError` if a conversion returned an object. */
function assertPrimitive(value: unknown): PrimitiveValue {
  if (isObject(value)) throw new TypeError("Cannot convert object to primitive value");
  return value as PrimitiveValue;
}

/** Returns a value as an operand of arithmetic or of a comparison, and pays for reading it. */
export function operand(value: unknown): PrimitiveValue {
  if (typeof value === "number") return value;
  if (typeof value === "string") return (payText(value), value);
  if (typeof value === "bigint") return (payBigInt(value), value);
  return isObject(value) ? operand(toPrimitive(value, "number")) : (value as PrimitiveValue);
}

/** Converts a value to a number (ECMA-262, ToNumber), with payment. */
export function toNumber(value: unknown): number {
  return typeof value === "number" ? value : nativeNumber(rejectBigInt(operand(value)));
}

/** Throws a `TypeError` for a BigInt where the language requires a number. */
function rejectBigInt(value: PrimitiveValue): PrimitiveValue {
  if (typeof value === "bigint") throw new TypeError("Cannot convert a BigInt value to a number");
  return value;
}

/** Converts a position or a count to an integer; `otherwise` is the value of undefined. NaN becomes 0. */
export function toInteger(value: unknown, otherwise: number): number {
  if (value === undefined) return otherwise;
  const given = toNumber(value);
  return given !== given ? 0 : given < 0 ? -Math_floor(-given) : Math_floor(given);
}
const Math_floor = Math.floor;

/** Converts a value to text (ECMA-262, ToString). Throws a `TypeError` for symbols. */
export function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return formatBigInt(value, 10);
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  if (isObject(value)) return text(toPrimitive(value, "string"));
  // Formatting a number takes constant time.
  spend(32);
  return nativeString(value);
}

/** Formats a BigInt. The price grows with its size. */
export function formatBigInt(value: bigint, radix: number): string {
  spend(8 * computeBigIntSteps(value));
  return apply(bigToString, value, [radix]);
}

export function payBigInt(value: bigint): void {
  spend(computeBigIntSteps(value));
}

/** Returns the price of one operation on a BigInt. Ends the call if the number is too large. */
export function computeBigIntSteps(value: bigint): number {
  const size = value < 0n ? -value : value;
  if (size < 0x1_0000_0000_0000_0000n) return 24;
  if (size < STEPS_1K) return 200;
  if (size < STEPS_8K) return 2_500;
  if (size < MAX_BIGINT) return 60_000;
  return abortCall(`It makes a BigInt of more than ${LIMITS.bits} bits`);
}
const STEPS_1K = 1n << 1024n;
const STEPS_8K = 1n << 8192n;

/**
 * Pays for the normalization of a text. The engine sorts adjacent combining marks in quadratic time, so a long run of
 * them would take minutes.
 */
export function payCombiningMarks(value: string): void {
  spend(value.length * 2);
  let run = 0;
  for (let at = 0; at <= value.length; at += 1) {
    const code = at < value.length ? (apply(charCodeAt, value, [at]) as number) : 0;
    if (code >= 0x300 && isCombiningMark(code)) run += 1;
    else if (run > 0) {
      spend((run * run) / 16);
      run = 0;
    }
  }
}

/** True for combining marks, and for surrogates, which may be part of a mark. */
function isCombiningMark(code: number): boolean {
  const known = combiningMarkCache[code] as number;
  if (known !== 0) return known === 1;
  const is = (code >= 0xd800 && code < 0xe000) || (apply(nativeTest, COMBINING_MARK, [fromCharCode(code)]) as boolean);
  combiningMarkCache[code] = is ? 1 : 2;
  return is;
}
// Cached answers by code unit: 0 unknown, 1 mark, 2 no mark.
const combiningMarkCache = new Uint8Array(65_536);
const COMBINING_MARK = /\p{M}/u;

/** Ends the call if a list is longer than the limit. NaN counts as too long. */
export function checkListLength(length: number): void {
  if (!(length <= LIMITS.items)) abortCall(`It makes a list of more than ${LIMITS.items} elements`);
}

/** Returns the value if it is a function. `what` names it in the error. */
export function assertCallable(value: unknown, what: string): Fn {
  if (typeof value !== "function") throw new TypeError(`${what} is not a function`);
  return value as Fn;
}
