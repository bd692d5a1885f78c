// The entry module of the isolate. It hardens the realm when it is loaded, and `run` executes the program.
//
// An isolate serves one call: `run` sets the clock, opens the budget, runs the program, and closes the budget. The
// outcome is decided after the budget is closed: if it was exhausted, neither a value nor an error of the code counts.
// The members of `guards` are the functions that instrumented code calls, by name.

import { closeBudget, EXHAUSTED, isCallOver, more, openBudget, budget } from "./step-budget.ts";
import { setClock } from "./date-builtins.ts";
import { isError, getErrorLine, sealError } from "./sealed-errors.ts";
import { hardenRealm } from "./harden.ts";
import * as operators from "./operators.ts";
import { Pattern } from "./regexp.ts";
import { ResultRefusal, writeResult } from "./result-json.ts";
import { read } from "./ropes.ts";
import { isObject, operand, text, type Obj } from "./conversions.ts";

const { parse, stringify } = JSON;

/** All guards. The operators keep the names that they are exported with. */
const guards = {
  budget,
  more,
  ...operators,
  operand,
  read,
  text,
  pattern: (source: string, flags: string) => new Pattern(source, flags),
};
export type Guards = typeof guards;
/** The default export of a program's module. */
export type ToolModule = (guards: Guards) => (args: unknown) => unknown;

hardenRealm();

/** Runs a program with arguments as JSON. Returns a `SandboxOutcome` as JSON, without `ms`. Never throws. */
export function run(tool: ToolModule, given: string): string {
  setClock();
  openBudget();
  let answer: string;
  try {
    const value = tool(guards)(parse(given));
    answer = `{"kind":"returned","value":${writeResult(value)}}`;
  } catch (thrown) {
    answer = toFailure(thrown);
  }
  const exhausted = closeBudget();
  return exhausted === null ? answer : formatFailure("exhausted", exhausted);
}

/** Formats a failed outcome. */
function formatFailure(reason: string, message: string): string {
  return stringify({ kind: "failed", reason, message });
}

/** Returns the outcome of a thrown value. "" if the budget is exhausted; the caller then uses the reason instead. */
function toFailure(thrown: unknown): string {
  try {
    if (thrown instanceof ResultRefusal) return formatFailure(thrown.reason, thrown.message);
    if (thrown === EXHAUSTED || isCallOver()) return "";
    if (operators.isStackOverflow(thrown)) operators.abortTooDeep();
    return formatFailure("threw", describeError(thrown));
  } catch {
    // Reading the error runs code of the program, which may throw again.
    return isCallOver() ? "" : formatFailure("threw", "It threw something that cannot be read");
  }
}

/** Returns the error as text, with the source line where it was thrown. */
function describeError(thrown: unknown): string {
  if (!isError(thrown)) {
    const what = isObject(thrown) ? (thrown["message"] ?? listKeys(thrown)) : thrown;
    return `It threw a value that is no error: ${text(what).slice(0, 300)}`;
  }
  sealError(thrown);
  const { name, message } = thrown as unknown as Obj;
  const line = getErrorLine(thrown);
  const description = `${text(name).slice(0, 60)}: ${text(message).slice(0, 500)}`;
  return line === null ? description : `${description} (line ${line})`;
}

/** Returns the first names of an object without a message. */
function listKeys(value: Obj): string {
  return Object.keys(value).slice(0, 8).join(", ");
}
