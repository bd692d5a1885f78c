// Number, BigInt and Math.

import { LIMITS } from "../sandbox-limits.ts";
import { abortCall, spend } from "./step-budget.ts";
import { copyNativeMethods, pickMembers, mergeMembers, type MemberTable } from "./intrinsics.ts";
import { read } from "./ropes.ts";
import { apply, formatBigInt, toNumber, operand, payBigInt, toPrimitive, text, type Fn } from "./conversions.ts";

// Saved before the globals are replaced.
const NativeNumber = Number;
const NativeBigInt = BigInt;
const nativeMath = Math as unknown as Record<string, unknown>;
const { valueOf: bigValue } = BigInt.prototype;
const { isFinite: nativeIsFinite } = Number;
const nativeNumber = copyNativeMethods(Number.prototype);

/** Wraps all functions of Math and copies its constants. */
function createMathMembers(): MemberTable {
  const members: Record<string, unknown> = {};
  for (const name of Object.getOwnPropertyNames(Math)) {
    const given = nativeMath[name];
    if (typeof given !== "function") members[name] = given;
    else if (given.length === 1) members[name] = wrapUnary(given as (x: number) => number);
    else if (name !== "sumPrecise" && name !== "f16round") members[name] = wrapVariadic(given as Fn);
  }
  return members;
}

/** Wraps a function of one number. Its cost is constant, so it has no price of its own. */
function wrapUnary(native: (x: number) => number): unknown {
  return { math: (x: unknown) => native(typeof x === "number" ? x : toNumber(x)) }.math;
}

/** Wraps a function of any number of arguments. */
function wrapVariadic(native: Fn): unknown {
  return {
    math: (...args: unknown[]) => {
      spend(16 + args.length * 4);
      for (let at = 0; at < args.length; at += 1) if (typeof args[at] !== "number") args[at] = toNumber(args[at]);
      return apply(native, undefined, args);
    },
  }.math;
}

/** The members of Math. */
export const mathObject: MemberTable = createMathMembers();

/** Wraps a native method that formats a number. */
function wrapNumberMethod(name: string): Fn {
  const method = nativeNumber[name] as Fn;
  return {
    method(this: unknown, digits?: unknown): unknown {
      spend(120);
      const made = apply(method, this, digits === undefined ? [] : [toNumber(digits)]) as string;
      // With a radix, a number may have a thousand digits.
      spend(made.length);
      return made;
    },
  }.method as Fn;
}

/** The members of `Number.prototype`, without locale methods. */
export const numberMembers: MemberTable = {
  ...Object.fromEntries(
    ["toFixed", "toString", "toPrecision", "toExponential"].map((name) => [name, wrapNumberMethod(name)]),
  ),
  valueOf: nativeNumber["valueOf"],
};

const { parseFloat: nativeParseFloat, parseInt: nativeParseInt } = globalThis;

/** The global functions for numbers. */
export const numberGlobals = {
  parseInt: (value: unknown, radix?: unknown) =>
    nativeParseInt(toPaidText(value), radix === undefined ? undefined : toNumber(radix)),
  parseFloat: (value: unknown) => nativeParseFloat(toPaidText(value)),
  isNaN: (value: unknown) => toNumber(value) !== toNumber(value),
  isFinite: (value: unknown) => nativeIsFinite(toNumber(value)),
};

/** Converts a value to text and pays for parsing it. */
function toPaidText(value: unknown): string {
  const given = text(value);
  spend(16 + read(given).length * 2);
  return given;
}

/** The static members of Number. */
export const numberStatics: MemberTable = mergeMembers(
  pickMembers(Number, [
    "EPSILON",
    "MAX_SAFE_INTEGER",
    "MIN_SAFE_INTEGER",
    "MAX_VALUE",
    "MIN_VALUE",
    "NaN",
    "NEGATIVE_INFINITY",
    "POSITIVE_INFINITY",
    "isFinite",
    "isInteger",
    "isNaN",
    "isSafeInteger",
  ]),
  { parseFloat: numberGlobals.parseFloat, parseInt: numberGlobals.parseInt },
);

/** The function Number. */
export function createNumber(...args: unknown[]): number {
  return args.length === 0 ? 0 : NativeNumber(operand(toPrimitive(args[0], "number")));
}

/** The members of `BigInt.prototype`, without locale methods. */
export const bigIntMembers: MemberTable = {
  toString(this: unknown, radix?: unknown) {
    return formatBigInt(apply(bigValue, this, []), radix === undefined ? 10 : toNumber(radix));
  },
  valueOf: BigInt.prototype.valueOf,
};

/** The function BigInt. Parsing digits takes quadratic time. Ends the call if the number is too large. */
export function createBigInt(value: unknown): bigint {
  const given = toPrimitive(value, "number");
  if (typeof given === "string") {
    spend(64 + given.length * given.length * 0.1);
    if (given.length > LIMITS.bits / 3) abortCall(`It makes a BigInt of more than ${LIMITS.bits} bits`);
  }
  const made = NativeBigInt(given as string);
  payBigInt(made);
  return made;
}

/** Wraps `BigInt.asIntN` and `BigInt.asUintN`. */
function wrapBigIntWidth(wrap: (bits: number, value: bigint) => bigint): unknown {
  return (bits: unknown, value: unknown) => {
    const width = toNumber(bits);
    if (!(width <= LIMITS.bits)) abortCall(`It makes a BigInt of more than ${LIMITS.bits} bits`);
    payBigInt(value as bigint);
    const made = wrap(width, value as bigint);
    payBigInt(made);
    return made;
  };
}

/** The static members of BigInt. */
export const bigIntStatics: MemberTable = {
  asIntN: wrapBigIntWidth(BigInt.asIntN),
  asUintN: wrapBigIntWidth(BigInt.asUintN),
};
