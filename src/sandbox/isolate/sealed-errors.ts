// Hides internals in errors before the code sees them: the engine's stack and the names of guards.
//
// Module state: the source line of each sealed error, kept weakly. An error must be sealed before the code can read it:
// in `catch`, at creation, and when the call ends with it. Sealing twice has no effect.

import { spend } from "./step-budget.ts";
import { apply, hasOwn, type Fn } from "./conversions.ts";

const NativeError = Error;
const nativeExec = RegExp.prototype.exec as Fn;
const { defineProperty } = Object;
const { deleteProperty } = Reflect;
/** Source lines by error, as digits; null if unknown. */
const errorLines = new WeakMap<object, string | null>();

/** A stack frame in the program's module. */
const STACK_FRAME = /tool\.js:(\d+):/;
/**
 * The minimum length of messages that are not searched. The engine's own messages are shorter; longer messages come
 * from the code and would be expensive.
 */
const MAX_SCANNED_MESSAGE = 2_000;
/** A guard in a message of the engine. */
const GUARD_REFERENCE = /\$g_(\w+)(?:\(\.\.\.\))?/;

/** True for instances of the native Error class. */
export function isError(value: unknown): value is Error {
  return value instanceof NativeError;
}

/**
 * Removes the stack from an error, remembers its source line, and removes guards from its message. Ignores values that
 * are not errors.
 */
export function sealError(error: unknown): void {
  if (!isError(error) || errorLines.has(error)) return;
  const { stack, message } = error as { stack?: unknown; message: unknown };
  const found = typeof stack === "string" ? (apply(nativeExec, STACK_FRAME, [stack]) as string[] | null) : null;
  errorLines.set(error, found?.[1] ?? null);
  if (typeof message === "string") spend(message.length * 2);
  deleteProperty(error, "stack");
  if (
    typeof message === "string" &&
    message.length < MAX_SCANNED_MESSAGE &&
    hasOwn(error, "message") &&
    message.includes("$g_")
  )
    defineProperty(error, "message", { value: removeGuardNames(message), writable: true, configurable: true });
}

/** Returns the source line of a sealed error as digits; null if unknown. */
export function getErrorLine(error: object): string | null {
  return errorLines.get(error) ?? null;
}

/** Replaces guards in a message: `Object[$g_key(...)] is not a function` becomes `Object[…] is not a function`. */
export function removeGuardNames(message: string): string {
  let cleaned = "";
  let remaining = message;
  for (;;) {
    const found = apply(nativeExec, GUARD_REFERENCE, [remaining]) as (string[] & { index: number }) | null;
    if (found === null) return cleaned + remaining;
    const [all = "", name] = found;
    cleaned += remaining.slice(0, found.index) + (name === "args" ? "args" : "…");
    remaining = remaining.slice(found.index + all.length);
  }
}
