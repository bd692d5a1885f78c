// What may run: the written policy, on the syntax tree.

import { ARGUMENTS, readEntry, type Entry } from "./entry.ts";
import { guard } from "./guard.ts";
import { GUARDS } from "./guards.ts";
import { inspect, type Issue } from "./inspect.ts";
import { LIMITS } from "./limits.ts";
import { GLOBALS } from "./policy.ts";
import { parseSource } from "./tree.ts";

/** Code that has passed the check, ready to run. Only `check` makes one. */
export type Program = {
  /** As it was written. */
  readonly source: string;
  /** With its guards: the module that the engine loads. */
  readonly module: string;
};

export type Verdict =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** `parameters` are the names of what the tool takes; `name`, if it has one, may be that of its function. */
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
 * The module without asking the policy, for tests that show that the guards and the isolate hold by themselves.
 * Throws if it is not JavaScript.
 */
export function unchecked(source: string, parameters: readonly string[]): Program {
  const entry = readSource(source, parameters, "");
  if (!entry.ok) throw new SyntaxError(entry.message);
  return { source, module: moduleFor(entry, namesGiven(parameters), parameters) };
}

function readSource(source: string, parameters: readonly string[], name: string): Entry {
  if (source.length > LIMITS.source)
    return { ok: false, message: `The code is longer than ${LIMITS.source} characters`, line: 1 };
  try {
    return readEntry(source, parameters, name);
  } catch (thrown) {
    return { ok: false, ...tooDeep(thrown) };
  }
}

/** The readers are recursive, and so is what they read. */
function tooDeep(thrown: unknown): Issue {
  if (thrown instanceof RangeError) return { message: "It is nested too deeply: break it up", line: 1 };
  throw thrown;
}

/** What the code finds under these names although it does not declare them: all arguments, and each by its name. */
function namesGiven(parameters: readonly string[]): string[] {
  const usable = parameters.filter((name) => isName(name) && !GLOBALS.has(name) && !name.startsWith("$g_"));
  return [...new Set([...usable, "args", "input", "params"])];
}

function isName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && parseSource(`let ${name};`).ok;
}

function moduleFor(
  entry: Extract<Entry, { ok: true }>,
  given: readonly string[],
  parameters: readonly string[],
): string {
  const names = given.map(
    (name) => `${name}=${ARGUMENTS}${parameters.includes(name) ? `[${JSON.stringify(name)}]` : ""}`,
  );
  const guards = GUARDS.map((name) => `${name}:$g_${name}`).join(",");
  // All on one line before the code, so that its lines keep their numbers.
  return (
    `export default ({${guards}})=>(${ARGUMENTS})=>{"use strict";const ${names.join(",")};` +
    `return (()=>{${guard(entry.source, entry.tree)}\n;return ${entry.call}})()}`
  );
}
