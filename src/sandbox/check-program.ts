// Checks code against the policy and compiles it to a module for the isolate.
//
// Order of operations: find the entry, check the syntax tree against the policy, insert the guards, build the module.
// Only checked code is compiled, except in `createUncheckedProgram` for tests.

import { ARGUMENTS_NAME, findEntry, type ProgramEntry } from "./program-entry.ts";
import { instrument } from "./instrument.ts";
import { GUARD_NAMES } from "./guards.ts";
import { findPolicyViolations, type ProgramIssue } from "./policy-violations.ts";
import { LIMITS } from "./sandbox-limits.ts";
import { ALLOWED_GLOBALS } from "./sandbox-policy.ts";
import { parseSource } from "./syntax-tree.ts";

/** A program that passed the check. Only this module creates it. */
export type SandboxProgram = {
  /** The code as its author wrote it. */
  readonly source: string;
  /** The instrumented ES module that the isolate loads. */
  readonly module: string;
};

/** The result of a check: a program, or all violations that were found. */
export type ProgramCheck =
  | { readonly ok: true; readonly program: SandboxProgram }
  | { readonly ok: false; readonly issues: readonly ProgramIssue[] };

/**
 * Checks and compiles a program. `parameters` are the names of the tool's parameters; `name` is the tool's and helps to
 * find the entry function. Never throws for invalid code: too long or deep code and a missing entry are issues, too.
 */
export function checkProgram(source: string, parameters: readonly string[], name = ""): ProgramCheck {
  const entry = parseProgram(source, parameters, name);
  if (!entry.ok) return { ok: false, issues: [{ message: entry.message, line: entry.line }] };
  try {
    const providedNames = listProvidedNames(parameters);
    const issues = findPolicyViolations(entry.tree, entry.source, providedNames);
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, program: { source, module: buildModule(entry, providedNames, parameters) } };
  } catch (thrown) {
    return { ok: false, issues: [toNestingIssue(thrown)] };
  }
}

/**
 * Compiles a program without the policy check, for tests of the guards and the isolate. Throws a `SyntaxError` if it is
 * not JavaScript.
 */
export function createUncheckedProgram(source: string, parameters: readonly string[]): SandboxProgram {
  const entry = parseProgram(source, parameters, "");
  if (!entry.ok) throw new SyntaxError(entry.message);
  return { source, module: buildModule(entry, listProvidedNames(parameters), parameters) };
}

/** Finds the entry of a program of acceptable length. */
function parseProgram(source: string, parameters: readonly string[], name: string): ProgramEntry {
  if (source.length > LIMITS.source)
    return { ok: false, message: `The code is longer than ${LIMITS.source} characters`, line: 1 };
  try {
    return findEntry(source, parameters, name);
  } catch (thrown) {
    return { ok: false, ...toNestingIssue(thrown) };
  }
}

/** Converts a stack overflow to an issue: the parser and the tree walkers are recursive. Rethrows other errors. */
function toNestingIssue(thrown: unknown): ProgramIssue {
  if (thrown instanceof RangeError) return { message: "It is nested too deeply: break it up", line: 1 };
  throw thrown;
}

/**
 * Returns the names that a program may use without declaring them: its parameters, and the usual names of the argument
 * object. Parameters whose names are not identifiers, globals or reserved are available through the object only.
 */
function listProvidedNames(parameters: readonly string[]): string[] {
  const usable = parameters.filter(
    (name) => isValidName(name) && !ALLOWED_GLOBALS.has(name) && !name.startsWith("$g_"),
  );
  return [...new Set([...usable, "args", "input", "params"])];
}

/** True if the name can be declared with `let` in strict mode. */
function isValidName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && parseSource(`let ${name};`).ok;
}

/** Builds the module: a function of the guards that returns a function of the arguments. */
function buildModule(
  entry: Extract<ProgramEntry, { ok: true }>,
  providedNames: readonly string[],
  parameters: readonly string[],
): string {
  const names = providedNames.map(
    (name) => `${name}=${ARGUMENTS_NAME}${parameters.includes(name) ? `[${JSON.stringify(name)}]` : ""}`,
  );
  const guards = GUARD_NAMES.map((name) => `${name}:$g_${name}`).join(",");
  // Everything before the code is on its first line, so line numbers remain those of the source.
  return (
    `export default ({${guards}})=>(${ARGUMENTS_NAME})=>{"use strict";const ${names.join(",")};` +
    `return (()=>{${instrument(entry.source, entry.tree)}\n;return ${entry.call}})()}`
  );
}
