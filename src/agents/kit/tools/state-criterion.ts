// The tool `state_criterion`: the model states how its work can be checked before it calls a tool with an effect.
//
// The messages of the loop are the only state: the result of an accepted call opens the tools with effects.

import * as z from "zod";
import { criterionSchema } from "../../../protocol/plans/criterion.ts";
import { evaluateCriterion, findCriterionProblem } from "../../../protocol/plans/judge-criterion.ts";
import { tryParseJson } from "../../../lib/parse-json.ts";
import type { AgentRequest } from "../../../protocol/agents/agent.ts";
import type { AgentRunEvent } from "../agent.ts";
import { listPersonTexts } from "../request-texts.ts";
import { filterReadOnlyTools } from "../read-only-scope.ts";
import { tool, type AgentTool, type ToolContext } from "./tool.ts";
import { createResultStep, runToolCallStep, selectStep, type ToolCallResult, type ToolCallStep } from "./tool-calls.ts";
import type { AgentToolCall, LoopMessage } from "./tool-loop-state.ts";

const parameters = z.object({
  tool: z.string().optional().describe("The name of one of your read-only tools."),
  arguments: z.record(z.string(), z.unknown()).optional().describe("Its arguments, with the subject of the request."),
  holds: z
    .string()
    .optional()
    .describe(
      'Comparisons of the result joined by "and", true only when the request is fulfilled, for example: result.status == "paid" and result.amount == 5',
    ),
  none: z.string().optional().describe("Only if no read-only tool can show it: the reason."),
});

/** `run` is never used: `runCriterionCall` answers the calls. */
export const stateCriterionTool: AgentTool = tool({
  name: "state_criterion",
  description:
    "Call it once before any tool that changes something. States how to check afterwards, with a read-only tool, that the request is fulfilled. Contains every number, id and quotation of the request.",
  parameters,
  read_only: true,
  run: () => "",
});

/** True if the model can state a criterion: the request wants one, and there are tools to change and to look. */
export function canStateCriterion({ metadata }: AgentRequest, tools: readonly AgentTool[]): boolean {
  return (
    metadata.criterion !== undefined &&
    tools.some(({ has_effect }) => has_effect) &&
    tools.some(({ read_only }) => read_only)
  );
}

const NOTED = "Noted: ";
const REFUSED = "Error: the criterion is not accepted: ";
/** After so many refused criteria the work goes on without one. */
const MAX_REFUSALS = 2;
const DEMAND =
  "Error: this call was not carried out. First call state_criterion, then make this call again. 请先调用 state_criterion。";

/** Replaces a call with an effect by a demand until a criterion, or the lack of one, has been stated. */
export function requireCriterion(step: ToolCallStep, messages: readonly LoopMessage[]): ToolCallStep {
  const hasEffect =
    (step.kind === "run" && step.tool.has_effect) || (step.kind === "ask" && step.asked.kind === "approval");
  return hasEffect && !isStated(messages) ? createResultStep(DEMAND) : step;
}

function isStated(messages: readonly LoopMessage[]): boolean {
  return countAnswers(messages, NOTED) > 0;
}

function countAnswers(messages: readonly LoopMessage[], start: string): number {
  const isAnswer = (message: LoopMessage) =>
    message.role === "tool" && message.by.kind === "kit" && message.content.startsWith(start);
  return messages.filter(isAnswer).length;
}

/**
 * Answers a call of `state_criterion`. An acceptable criterion is checked at once, and a `criterion` event tells the
 * runtime. Yields the events of the check. Throws like `runToolCallStep`.
 */
export async function* runCriterionCall(
  call: AgentToolCall,
  tools: readonly AgentTool[],
  messages: readonly LoopMessage[],
  context: ToolContext,
  resultChars: number,
): AsyncGenerator<AgentRunEvent, ToolCallResult> {
  const tell = (content: string): ToolCallResult => ({ content, by: { kind: "kit" } });
  if (isStated(messages)) return tell("Error: the criterion is already stated.");
  const args = parameters.safeParse(tryParseJson(call.arguments));
  if (!args.success) return tell(`Error: ${z.prettifyError(args.error)}`);
  if (args.data.none !== undefined && args.data.tool === undefined)
    return tell(`${NOTED}nothing can show it. Now do the work.`);
  const parsed = criterionSchema.safeParse(args.data);
  if (!parsed.success) return tell(`Error: ${z.prettifyError(parsed.error)}`);
  const criterion = parsed.data;
  const { request } = context;
  const results = request.metadata.dependencies ?? [];
  const texts = [...listPersonTexts(request), ...results.map(({ result }) => result)];
  const problem = findCriterionProblem(criterion, request.query, texts);
  if (problem !== null) {
    const isLast = countAnswers(messages, REFUSED) >= MAX_REFUSALS;
    return tell(isLast ? `${NOTED}the work is not checked. Now do it.` : `${REFUSED}${problem}`);
  }
  const lookup = { ...call, name: criterion.tool, arguments: JSON.stringify(criterion.arguments) };
  const step = selectStep(filterReadOnlyTools(tools), lookup, undefined);
  if (step.kind !== "run")
    return tell(step.kind === "tell" ? step.result : `Error: ${criterion.tool} asks the person.`);
  const { content: before } = yield* runToolCallStep(step, lookup, context, resultChars);
  yield { type: "criterion", ...criterion, before };
  return tell(
    evaluateCriterion(criterion, before)
      ? `${NOTED}it holds already, so it cannot show your work. Do what is still missing.`
      : `${NOTED}it does not hold yet. Now do the work.`,
  );
}
