// Checks code against the policy and compiles it to a module for the isolate.
//
// Order of operations: find the entry, check the syntax tree against the policy, insert the guards, build the module.
// Only checked code is compiled, except in `createUncheckedProgram` for tests.

import { ARGUMENTS, readEntry, type Entry } from "./entry.ts";
import { guard } from "./guard.ts";
import { GUARDS } from "./guards.ts";
import { inspect, type Issue } from "./inspect.ts";
import { LIMITS } from "./limits.ts";
import { GLOBALS } from "./policy.ts";
import { parseSource } from "./tree.ts";

/** A program that passed the check. Only this module creates it. */
export type Program = {
  /** The code as its author wrote it. */
  readonly source: string;
  /** The instrumented ES module that the isolate loads. */
  readonly module: string;
};

/** The result of a check: a program, or all violations that were found. */
export type Verdict =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Checks and compiles a program. `parameters` are the names of the tool's parameters; `name` helps to find the entry
 * function. Never throws for invalid code.
 */
export function check(source: string, parameters: readonly string[], name = ""): Verdict {
  const entry = readSource(source, parameters, name);
  if (!entry.ok) return { ok: false, issues: [{ message: entry.message, line: entry.line }] };
  try {
    const given = namesGiven(parameters);
    const issues = inspect(entry.tree, entry.source, given);
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, program: { source, module: moduleFor(entry, given, parameters) } };
  } catch (thrown) {
    return { ok: false, issues: [tooDeep(thrown)] };
  }
}

/**
 * Compiles a program without the policy check, for tests of the guards and the isolate. Throws a `SyntaxError` if it is
 * not JavaScript.
 */
export function unchecked(source: string, parameters: readonly string[]): Program {
  const entry = readSource(source, parameters, "");
  if (!entry.ok) throw new SyntaxError(entry.message);
  return { source, module: moduleFor(entry, namesGiven(parameters), parameters) };
}

/** Finds the entry of a program of acceptable length. */
function readSource(source: string, parameters: readonly string[], name: string): Entry {
  if (source.length > LIMITS.source)
    return { ok: false, message: `The code is longer than ${LIMITS.source} characters`, line: 1 };
  try {
    return readEntry(source, parameters, name);
  } catch (thrown) {
    return { ok: false, ...tooDeep(thrown) };
  }
}

/** Converts a stack overflow to an issue: the parser and the tree walkers are recursive. Rethrows other errors. */
function tooDeep(thrown: unknown): Issue {
  if (thrown instanceof RangeError) return { message: "It is nested too deeply: break it up", line: 1 };
  throw thrown;
}

/**
 * Returns the names that a program may use without declaring them: its parameters, and the usual names of the argument
 * object. Parameters whose names are not identifiers, globals or reserved are available through the object only.
 */
function namesGiven(parameters: readonly string[]): string[] {
  const usable = parameters.filter((name) => isName(name) && !GLOBALS.has(name) && !name.startsWith("$g_"));
  return [...new Set([...usable, "args", "input", "params"])];
}

/** True if the name can be declared with `let` in strict mode. */
function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && parseSource(`let ${name};`).ok;
}

/** Builds the module: a function of the guards that returns a function of the arguments. */
function moduleFor(
  entry: Extract<Entry, { ok: true }>,
  given: readonly string[],
  parameters: readonly string[],
): string {
  const names = given.map(
    (name) => `${name}=${ARGUMENTS}${parameters.includes(name) ? `[${JSON.stringify(name)}]` : ""}`,
  );
  const guards = GUARDS.map((name) => `${name}:$g_${name}`).join(",");
  // Everything before the code is on its first line, so line numbers remain those of the source.
  return (
    `export default ({${guards}})=>(${ARGUMENTS})=>{"use strict";const ${names.join(",")};` +
    `return (()=>{${guard(entry.source, entry.tree)}\n;return ${entry.call}})()}`
  );
}
