// Hides internals in errors before the code sees them: the engine's stack and the names of guards.
//
// Module state: the source line of each sealed error, kept weakly. An error must be sealed before the code can read it:
// in `catch`, at creation, and when the call ends with it. Sealing twice has no effect.

import { spend } from "./budget.ts";
import { apply, hasOwn, type Fn } from "./values.ts";

const NativeError = Error;
const nativeExec = RegExp.prototype.exec as Fn;
const { defineProperty } = Object;
const { deleteProperty } = Reflect;
/** Source lines by error, as digits; null if unknown. */
const lines = new WeakMap<object, string | null>();

/** A stack frame in the program's module. */
const FRAME = /tool\.js:(\d+):/;
/**
 * The minimum length of messages that are not searched. The engine's own messages are shorter; longer messages come
 * from the code and would be expensive.
 */
const LONG = 2_000;
/** A guard in a message of the engine. */
const GUARD = /\$g_(\w+)(?:\(\.\.\.\))?/;

/** True for instances of the native Error class. */
export function isError(value: unknown): value is Error {
  return value instanceof NativeError;
}

/**
 * Removes the stack from an error, remembers its source line, and removes guards from its message. Ignores values that
 * are not errors.
 */
export function seal(error: unknown): void {
  if (!isError(error) || lines.has(error)) return;
  const { stack, message } = error as { stack?: unknown; message: unknown };
  const found = typeof stack === "string" ? (apply(nativeExec, FRAME, [stack]) as string[] | null) : null;
  lines.set(error, found?.[1] ?? null);
  if (typeof message === "string") spend(message.length * 2);
  deleteProperty(error, "stack");
  if (typeof message === "string" && message.length < LONG && hasOwn(error, "message") && message.includes("$g_"))
    defineProperty(error, "message", { value: withoutGuards(message), writable: true, configurable: true });
}

/** Returns the source line of a sealed error as digits; null if unknown. */
export function lineOf(error: object): string | null {
  return lines.get(error) ?? null;
}

/** Replaces guards in a message: `Object[$g_key(...)] is not a function` becomes `Object[…] is not a function`. */
export function withoutGuards(message: string): string {
  let whole = "";
  let rest = message;
  for (;;) {
    const found = apply(nativeExec, GUARD, [rest]) as (string[] & { index: number }) | null;
    if (found === null) return whole + rest;
    const [all = "", name] = found;
    whole += rest.slice(0, found.index) + (name === "args" ? "args" : "…");
    rest = rest.slice(found.index + all.length);
  }
}
