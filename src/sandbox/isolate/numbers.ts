// Number, BigInt and Math.

import { LIMITS } from "../limits.ts";
import { giveUp, spend } from "./budget.ts";
import { natives, pick, together, type Members } from "./members.ts";
import { read } from "./ropes.ts";
import { apply, bigText, number, operand, payBig, primitive, text, type Fn } from "./values.ts";

// Saved before the globals are replaced.
const NativeNumber = Number;
const NativeBigInt = BigInt;
const nativeMath = Math as unknown as Record<string, unknown>;
const { valueOf: bigValue } = BigInt.prototype;
const { isFinite: nativeIsFinite } = Number;
const nativeNumber = natives(Number.prototype);

/** Wraps all functions of Math and copies its constants. */
function mathMembers(): Members {
  const members: Record<string, unknown> = {};
  for (const name of Object.getOwnPropertyNames(Math)) {
    const given = nativeMath[name];
    if (typeof given !== "function") members[name] = given;
    else if (given.length === 1) members[name] = ofOne(given as (x: number) => number);
    else if (name !== "sumPrecise" && name !== "f16round") members[name] = ofSeveral(given as Fn);
  }
  return members;
}

/** Wraps a function of one number. Its cost is constant, so it has no price of its own. */
function ofOne(native: (x: number) => number): unknown {
  return { math: (x: unknown) => native(typeof x === "number" ? x : number(x)) }.math;
}

/** Wraps a function of any number of arguments. */
function ofSeveral(native: Fn): unknown {
  return {
    math: (...args: unknown[]) => {
      spend(16 + args.length * 4);
      for (let at = 0; at < args.length; at += 1) if (typeof args[at] !== "number") args[at] = number(args[at]);
      return apply(native, undefined, args);
    },
  }.math;
}

/** The members of Math. */
export const mathObject: Members = mathMembers();

/** Wraps a native method that formats a number. */
function numberMethod(name: string): Fn {
  const method = nativeNumber[name] as Fn;
  return {
    method(this: unknown, digits?: unknown): unknown {
      spend(120);
      const made = apply(method, this, digits === undefined ? [] : [number(digits)]) as string;
      // With a radix, a number may have a thousand digits.
      spend(made.length);
      return made;
    },
  }.method as Fn;
}

/** The members of `Number.prototype`, without locale methods. */
export const numberMembers: Members = {
  ...Object.fromEntries(
    ["toFixed", "toString", "toPrecision", "toExponential"].map((name) => [name, numberMethod(name)]),
  ),
  valueOf: nativeNumber["valueOf"],
};

const { parseFloat: nativeParseFloat, parseInt: nativeParseInt } = globalThis;

/** The global functions for numbers. */
export const numberGlobals = {
  parseInt: (value: unknown, radix?: unknown) =>
    nativeParseInt(payed(value), radix === undefined ? undefined : number(radix)),
  parseFloat: (value: unknown) => nativeParseFloat(payed(value)),
  isNaN: (value: unknown) => number(value) !== number(value),
  isFinite: (value: unknown) => nativeIsFinite(number(value)),
};

/** Converts a value to text and pays for parsing it. */
function payed(value: unknown): string {
  const given = text(value);
  spend(16 + read(given).length * 2);
  return given;
}

/** The static members of Number. */
export const numberStatics: Members = together(
  pick(Number, [
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
export function makeNumber(...args: unknown[]): number {
  return args.length === 0 ? 0 : NativeNumber(operand(primitive(args[0], "number")));
}

/** The members of `BigInt.prototype`, without locale methods. */
export const bigMembers: Members = {
  toString(this: unknown, radix?: unknown) {
    return bigText(apply(bigValue, this, []), radix === undefined ? 10 : number(radix));
  },
  valueOf: BigInt.prototype.valueOf,
};

/** The function BigInt. Parsing digits takes quadratic time. Ends the call if the number is too large. */
export function makeBig(value: unknown): bigint {
  const given = primitive(value, "number");
  if (typeof given === "string") {
    spend(64 + given.length * given.length * 0.1);
    if (given.length > LIMITS.bits / 3) giveUp(`It makes a BigInt of more than ${LIMITS.bits} bits`);
  }
  const made = NativeBigInt(given as string);
  payBig(made);
  return made;
}

/** Wraps `BigInt.asIntN` and `BigInt.asUintN`. */
function within(wrap: (bits: number, value: bigint) => bigint): unknown {
  return (bits: unknown, value: unknown) => {
    const width = number(bits);
    if (!(width <= LIMITS.bits)) giveUp(`It makes a BigInt of more than ${LIMITS.bits} bits`);
    payBig(value as bigint);
    const made = wrap(width, value as bigint);
    payBig(made);
    return made;
  };
}

/** The static members of BigInt. */
export const bigStatics: Members = { asIntN: within(BigInt.asIntN), asUintN: within(BigInt.asUintN) };
