// What the isolate answers: runs the code once with its arguments.

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
export type Tool = (guards: Guards) => (args: unknown) => unknown;

harden();

/** Calls the code with arguments as JSON. Answers an `Outcome` as JSON, without `ms`. Never throws. */
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

function failure(reason: string, message: string): string {
  return stringify({ kind: "failed", reason, message });
}

function failed(thrown: unknown): string {
  try {
    if (thrown instanceof Refusal) return failure(thrown.reason, thrown.message);
    if (thrown === EXHAUSTED || isOver()) return "";
    if (operators.isOverflow(thrown)) operators.tooDeep();
    return failure("threw", described(thrown));
  } catch {
    // It threw again while its error was read.
    return isOver() ? "" : failure("threw", "It threw something that cannot be read");
  }
}

/** The error in words, with the line of the source that it was thrown from. */
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

function stringifyShort(value: Obj): string {
  return Object.keys(value).slice(0, 8).join(", ");
}
