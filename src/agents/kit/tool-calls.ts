// The steps of one tool call: check the arguments, ask the person if needed, run the tool, report the result.

import type { Answer } from "../../protocol/question.ts";
import { Fault } from "../../protocol/fault.ts";
import { mint } from "../../protocol/ids.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Said } from "./agent.ts";
import { rule } from "./ruling.ts";
import type { Question } from "./ask.ts";
import { RunFailed } from "./failure.ts";
import type { Asked, ToolCall } from "./standing.ts";
import type { Arguments, Tool, ToolContext } from "./tool.ts";
import { until } from "./until.ts";

/** The question about a call, and the person's answer. */
export type Answered = { readonly asked: Asked; readonly answer: Answer };

/** The next step of a call. */
export type Step =
  | { readonly kind: "ask"; readonly question: Question; readonly asked: Asked }
  /** The tool runs. `remark` precedes the result that the model sees; `argumentsText` is what readers see. */
  | {
      readonly kind: "run";
      readonly tool: Tool;
      readonly arguments: Arguments;
      readonly shown: string;
      readonly remark: string;
    }
  /** The tool does not run. The model sees `result` instead. */
  | { readonly kind: "tell"; readonly result: string };

/**
 * Selects the step of a call, after the answer if the person was asked. Invalid calls become a result that explains
 * the error to the model.
 */
export function stepFor(tools: readonly Tool[], call: ToolCall, answered: Answered | undefined): Step {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined)
    return tell(`Error: there is no tool ${call.name}. There are: ${tools.map(({ name }) => name).join(", ")}.`);
  try {
    return answered === undefined ? firstStep(tool, call) : stepAfter(tool, answered);
  } catch (thrown) {
    return tell(errorOf(call, thrown));
  }
}

function firstStep(tool: Tool, call: ToolCall): Step {
  const { arguments: args, question } = tool.check(parseArguments(call.arguments));
  if (question === null) return { kind: "run", tool, arguments: args, shown: call.arguments, remark: "" };
  const kind = question.approval === undefined ? "question" : "approval";
  return { kind: "ask", question, asked: { kind, arguments: { ...args } } };
}

function stepAfter(tool: Tool, { asked, answer }: Answered): Step {
  if (asked.kind === "question") return tell(answer.message);
  const ruling = rule(tool, asked.arguments, answer);
  switch (ruling.kind) {
    case "ask":
      return { ...ruling, asked: { kind: "approval", arguments: { ...ruling.arguments } } };
    case "refused":
      return tell(refusal(ruling.words));
    case "run": {
      const shown = JSON.stringify(ruling.arguments);
      const remark = ruling.isEdited ? `The person changed the arguments to ${shown}.\n` : "";
      return { kind: "run", tool, arguments: ruling.arguments, shown, remark };
    }
  }
}

function refusal(words: string): string {
  const reason = /^\W*refuse\W*$/i.test(words) || words.trim() === "" ? "" : ` Their words: ${JSON.stringify(words)}`;
  return `The person refused this call, so it was not carried out. Do not repeat it unless they ask for it.${reason}`;
}

function tell(result: string): Step {
  return { kind: "tell", result };
}

/**
 * Runs a step, yields its tool events and returns the text that the model sees. Errors become such a text, so that
 * the model can correct itself. Throws only the `RunFailed` of a tool, after its events, and the abort reason of the
 * signal.
 */
export async function* take(
  step: Exclude<Step, { kind: "ask" }>,
  call: ToolCall,
  context: ToolContext,
  resultChars: number,
): AsyncGenerator<Said, string> {
  const args = step.kind === "run" ? step.shown : call.arguments;
  const said = { call_id: mint("call"), tool: call.name, arguments: args };
  yield { type: "tool_started", ...said };
  const outcome = step.kind === "run" ? await resultOf(step, call, context) : step.result;
  const result = bounded(outcome instanceof RunFailed ? `Error: ${outcome.message}` : outcome, resultChars);
  yield { type: "tool_completed", ...said, result, ...(step.kind === "run" ? {} : { ran: false as const }) };
  if (outcome instanceof RunFailed) throw outcome;
  return step.kind === "run" ? step.remark + result : result;
}

async function resultOf(
  { tool, arguments: args }: Extract<Step, { kind: "run" }>,
  call: ToolCall,
  context: ToolContext,
): Promise<string | RunFailed> {
  try {
    return await until(context.signal, tool.call(args, context));
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (thrown instanceof RunFailed) return thrown;
    return errorOf(call, thrown);
  }
}

function errorOf(call: ToolCall, thrown: unknown): string {
  if (thrown instanceof Fault) return `Error: ${thrown.message}`;
  console.error(`tool ${call.name} failed`, thrown);
  return "Error: the tool failed.";
}

function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("invalid_request", "The arguments are not JSON.", { cause });
  }
}

function bounded(result: string, limit: number): string {
  return result.length <= limit ? result : `${cut(result, limit)}\n[${result.length - limit} more characters were cut]`;
}
