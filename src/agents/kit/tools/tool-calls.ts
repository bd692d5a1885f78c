// The steps of one tool call: check the arguments, ask the person if needed, run the tool, report the result.

import type { QuestionAnswer } from "../../../protocol/wire/question.ts";
import { detectRequestLanguage, type Language } from "../../../language/detect-language.ts";
import { describeError, Failure, isFailure } from "../../../protocol/wire/message-error.ts";
import { Fault } from "../../../protocol/wire/fault.ts";
import { createId } from "../../../protocol/wire/ids.ts";
import { truncate } from "../../../lib/truncate.ts";
import type { AgentRunEvent } from "../agent.ts";
import { decideToolCall } from "./tool-call-decision.ts";
import type { ToolQuestion } from "../ask.ts";
import type { OpenToolQuestion, AgentToolCall, ResultAuthor } from "./tool-loop-state.ts";
import type { AgentToolArguments, AgentTool, ToolContext } from "./tool.ts";
import { raceAbort } from "../../../lib/with-timeout.ts";

/** The question about a call, and the person's answer. */
export type AnsweredQuestion = { readonly asked: OpenToolQuestion; readonly answer: QuestionAnswer };

/** The next step of a call. */
export type ToolCallStep =
  /** The run ends with `question`; `asked` is stored with it. */
  | {
      readonly kind: "ask";
      readonly tool: AgentTool;
      readonly question: ToolQuestion;
      readonly asked: OpenToolQuestion;
    }
  /** The tool runs. `remark` precedes the result that the model sees; `argumentsText` is what readers see. */
  | {
      readonly kind: "run";
      readonly tool: AgentTool;
      readonly arguments: AgentToolArguments;
      readonly argumentsText: string;
      readonly remark: string;
    }
  /** The tool does not run. The model sees `result` instead, a text of the kit or of the person. */
  | { readonly kind: "tell"; readonly result: string; readonly by: "kit" | "person" };

/**
 * Selects the step of a call, after the answer if the person was asked. Invalid calls, refused calls and the answer to
 * a question of the model become a result without a run. Never throws: if the check throws, the result tells the model.
 */
export function selectStep(
  tools: readonly AgentTool[],
  call: AgentToolCall,
  answeredQuestion: AnsweredQuestion | undefined,
): ToolCallStep {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined)
    return createResultStep(
      `Error: there is no tool ${call.name}. There are: ${tools.map(({ name }) => name).join(", ")}.`,
    );
  try {
    return answeredQuestion === undefined ? createFirstStep(tool, call) : createStepAfterAnswer(tool, answeredQuestion);
  } catch (thrown) {
    return createResultStep(formatToolError(call, thrown));
  }
}

function createFirstStep(tool: AgentTool, call: AgentToolCall): ToolCallStep {
  const { arguments: args, question } = tool.check(parseArguments(call.arguments));
  if (question === null) return { kind: "run", tool, arguments: args, argumentsText: call.arguments, remark: "" };
  const kind = question.approval === undefined ? "question" : "approval";
  return { kind: "ask", tool, question, asked: { kind, arguments: { ...args } } };
}

function createStepAfterAnswer(tool: AgentTool, { asked, answer }: AnsweredQuestion): ToolCallStep {
  if (asked.kind === "question") return { kind: "tell", result: answer.message, by: "person" };
  const decision = decideToolCall(tool, asked.arguments, answer);
  switch (decision.kind) {
    case "ask":
      return { ...decision, tool, asked: { kind: "approval", arguments: { ...decision.arguments } } };
    case "refused":
      return createResultStep(formatRefusal(decision.answerText));
    case "run": {
      const argumentsText = JSON.stringify(decision.arguments);
      const remark = decision.isEdited ? `The person changed the arguments to ${argumentsText}.\n` : "";
      return { kind: "run", tool, arguments: decision.arguments, argumentsText, remark };
    }
  }
}

function formatRefusal(answerText: string): string {
  const reason =
    /^\W*refuse\W*$/i.test(answerText) || answerText.trim() === "" ? "" : ` Their words: ${JSON.stringify(answerText)}`;
  return `The person refused this call, so it was not carried out. Do not repeat it unless they ask for it.${reason}`;
}

/** Creates the step of a call that does not run; `result` is a text of the kit. */
export function createResultStep(result: string): ToolCallStep {
  return { kind: "tell", result, by: "kit" };
}

/** The result of a call: the text that the model sees, and its author. */
export type ToolCallResult = { readonly content: string; readonly by: ResultAuthor };

/**
 * Runs a step, yields `tool_started` and `tool_completed`, and returns the result, cut to `resultChars` UTF-16 units.
 * Errors of the tool become such a text, so that the model can correct itself. Throws only
 * the terminal `Failure` of a tool (`tool_failed`, `agent_failed`), after both events, and the abort reason of the signal.
 */
export async function* runToolCallStep(
  step: Exclude<ToolCallStep, { kind: "ask" }>,
  call: AgentToolCall,
  context: ToolContext,
  resultChars: number,
): AsyncGenerator<AgentRunEvent, ToolCallResult> {
  const args = step.kind === "run" ? step.argumentsText : call.arguments;
  const toolEvent = { call_id: createId("call"), tool: call.name, arguments: args };
  yield { type: "tool_started", ...toolEvent };
  const outcome = step.kind === "run" ? await runTool(step, call, context) : step.result;
  const result = truncateResult(outcome instanceof Failure ? `Error: ${outcome.message}` : outcome, resultChars);
  yield { type: "tool_completed", ...toolEvent, result, ...(step.kind === "run" ? {} : { ran: false as const }) };
  if (outcome instanceof Failure && !outcome.retryable) throw outcome;
  if (step.kind === "tell") return { content: result, by: { kind: step.by } };
  const { call_id, tool } = toolEvent;
  const by = { kind: "tool", tool, call_id, remark: step.remark } as const;
  if (!(outcome instanceof Failure) || step.tool.read_only) return { content: result, by };
  return { content: result, by: { ...by, failure: describeError(outcome, detectRequestLanguage(context.request)) } };
}

async function runTool(
  { tool, arguments: args }: Extract<ToolCallStep, { kind: "run" }>,
  call: AgentToolCall,
  context: ToolContext,
): Promise<string | Failure> {
  try {
    return await raceAbort(context.signal, tool.call(args, context));
  } catch (thrown) {
    context.signal.throwIfAborted();
    if (isFailure(thrown, "tool_failed", "agent_failed")) return thrown;
    return formatToolError(call, thrown, detectRequestLanguage(context.request));
  }
}

/** Formats an error for the model. The model may repeat the reason of a failed run to the person. */
function formatToolError(call: AgentToolCall, thrown: unknown, language: Language = "en"): string {
  if (thrown instanceof Fault) return `Error: ${describeError(thrown, language)}`;
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

function truncateResult(result: string, limit: number): string {
  return result.length <= limit
    ? result
    : `${truncate(result, limit)}\n[${result.length - limit} more characters were cut]`;
}
