// The entry module of the isolate. It hardens the realm when it is loaded, and `run` executes the program.
//
// An isolate serves one call: `run` sets the clock, opens the budget, runs the program, and closes the budget. The
// outcome is decided after the budget is closed: if it was exhausted, neither a value nor an error of the code counts.
// The members of `guards` are the functions that instrumented code calls, by name.

import { close, EXHAUSTED, isOver, more, open, budget } from "./budget.ts";
import { setClock } from "./dates.ts";
import { isError, lineOf, seal } from "./errors.ts";
import { harden } from "./harden.ts";
import * as operators from "./operators.ts";
import { Pattern } from "./pattern.ts";
import { Refusal, writeResult } from "./result.ts";
import { read } from "./ropes.ts";
import { isObject, operand, text, type Obj } from "./values.ts";

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
export type Tool = (guards: Guards) => (args: unknown) => unknown;

harden();

/** Runs a program with arguments as JSON. Returns a `SandboxOutcome` as JSON, without `ms`. Never throws. */
export function run(tool: Tool, given: string): string {
  setClock();
  open();
  let answer: string;
  try {
    const value = tool(guards)(parse(given));
    answer = `{"kind":"returned","value":${writeResult(value)}}`;
  } catch (thrown) {
    answer = failed(thrown);
  }
  const exhausted = close();
  return exhausted === null ? answer : failure("exhausted", exhausted);
}

/** Formats a failed outcome. */
function failure(reason: string, message: string): string {
  return stringify({ kind: "failed", reason, message });
}

/** Returns the outcome of a thrown value. "" if the budget is exhausted; the caller then uses the reason instead. */
function failed(thrown: unknown): string {
  try {
    if (thrown instanceof Refusal) return failure(thrown.reason, thrown.message);
    if (thrown === EXHAUSTED || isOver()) return "";
    if (operators.isOverflow(thrown)) operators.tooDeep();
    return failure("threw", described(thrown));
  } catch {
    // Reading the error runs code of the program, which may throw again.
    return isOver() ? "" : failure("threw", "It threw something that cannot be read");
  }
}

/** Returns the error as text, with the source line where it was thrown. */
function described(thrown: unknown): string {
  if (!isError(thrown)) {
    const what = isObject(thrown) ? (thrown["message"] ?? stringifyShort(thrown)) : thrown;
    return `It threw a value that is no error: ${text(what).slice(0, 300)}`;
  }
  seal(thrown);
  const { name, message } = thrown as unknown as Obj;
  const line = lineOf(thrown);
  const said = `${text(name).slice(0, 60)}: ${text(message).slice(0, 500)}`;
  return line === null ? said : `${said} (line ${line})`;
}

/** Returns the first names of an object without a message. */
function stringifyShort(value: Obj): string {
  return Object.keys(value).slice(0, 8).join(", ");
}
