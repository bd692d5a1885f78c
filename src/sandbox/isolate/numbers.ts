// Numbers and BigInts.

import { LIMITS } from "../limits.ts";
import { giveUp, spend } from "./budget.ts";
import { natives, pick, together, type Members } from "./members.ts";
import { read } from "./ropes.ts";
import { apply, bigText, number, operand, payBig, primitive, text, type Fn } from "./values.ts";

const NativeNumber = Number;
const NativeBigInt = BigInt;
const nativeMath = Math as unknown as Record<string, unknown>;
const { valueOf: bigValue } = BigInt.prototype;
const { isFinite: nativeIsFinite } = Number;
const nativeNumber = natives(Number.prototype);

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

function ofOne(native: (x: number) => number): unknown {
  return { math: (x: unknown) => native(typeof x === "number" ? x : number(x)) }.math;
}

function ofSeveral(native: Fn): unknown {
  return {
    math: (...args: unknown[]) => {
      spend(16 + args.length * 4);
      for (let at = 0; at < args.length; at += 1) if (typeof args[at] !== "number") args[at] = number(args[at]);
      return apply(native, undefined, args);
    },
  }.math;
}

export const mathObject: Members = mathMembers();

/** A native method of numbers whose arguments are numbers. */
function numberMethod(name: string): Fn {
  const method = nativeNumber[name] as Fn;
  return {
    method(this: unknown, digits?: unknown): unknown {
      spend(120);
      const made = apply(method, this, digits === undefined ? [] : [number(digits)]) as string;
      // With a radix there may be a thousand digits.
      spend(made.length);
      return made;
    },
  }.method as Fn;
}

export const numberMembers: Members = {
  ...Object.fromEntries(
    ["toFixed", "toString", "toPrecision", "toExponential"].map((name) => [name, numberMethod(name)]),
  ),
  valueOf: nativeNumber["valueOf"],
};

const { parseFloat: nativeParseFloat, parseInt: nativeParseInt } = globalThis;

export const numberGlobals = {
  parseInt: (value: unknown, radix?: unknown) =>
    nativeParseInt(payed(value), radix === undefined ? undefined : number(radix)),
  parseFloat: (value: unknown) => nativeParseFloat(payed(value)),
  isNaN: (value: unknown) => number(value) !== number(value),
  isFinite: (value: unknown) => nativeIsFinite(number(value)),
};

function payed(value: unknown): string {
  const given = text(value);
  spend(16 + read(given).length * 2);
  return given;
}

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

export function makeNumber(...args: unknown[]): number {
  return args.length === 0 ? 0 : NativeNumber(operand(primitive(args[0], "number")));
}

export const bigMembers: Members = {
  toString(this: unknown, radix?: unknown) {
    return bigText(apply(bigValue, this, []), radix === undefined ? 10 : number(radix));
  },
  valueOf: BigInt.prototype.valueOf,
};

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

export const bigStatics: Members = { asIntN: within(BigInt.asIntN), asUintN: within(BigInt.asUintN) };
