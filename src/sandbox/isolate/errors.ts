// Errors as the code may see them: without the engine's stack and without the guards' names, which both tell of what is
// not the code's.

import { spend } from "./budget.ts";
import { apply, hasOwn, type Fn } from "./values.ts";

const NativeError = Error;
const nativeExec = RegExp.prototype.exec as Fn;
const { defineProperty } = Object;
const { deleteProperty } = Reflect;
/** The lines of the source that errors were thrown from, as digits. */
const lines = new WeakMap<object, string | null>();

const FRAME = /tool\.js:(\d+):/;
/** The engine's own messages are shorter; the code's cost time to read. */
const LONG = 2_000;
const GUARD = /\$g_(\w+)(?:\(\.\.\.\))?/;

export function isError(value: unknown): value is Error {
  return value instanceof NativeError;
}

/** To be done with every error before the code gets it. */
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

/** The line of a sealed error. */
export function lineOf(error: object): string | null {
  return lines.get(error) ?? null;
}

/** `Object[$g_key(...)] is not a function` as `Object[…] is not a function`. */
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
