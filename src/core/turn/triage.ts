// Triage, the first stage of a message: one streamed model call answers directly or hands off to agents.
// The plain text of the call is the answer and reaches readers from the first token.

import * as z from "zod";
import { triageStrategySchema, type TriageResult } from "../../protocol/wire/events.ts";
import {
  parseToolArguments,
  completeUntilValid,
  createCorrection,
  createRetryHandler,
  createToolSpec,
  type ParseResult,
  type CompletionTranscript,
  type RepeatableRequest,
} from "../models/complete-until-valid.ts";
import { isPlannable } from "./plan-proposal.ts";
import type { ModelCompletion } from "../ports.ts";
import { buildTriagePrompt } from "../models/prompts.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";
import { DeltaWriter } from "../models/delta-writer.ts";

const handoffSchema = z.object({
  strategy: triageStrategySchema.exclude(["direct_response"]),
  selected_agents: z.array(z.string()).default([]),
  enriched_query: z.string().default(""),
  reason: z.string().default(""),
});

/** The only tool of triage. Its name is part of the interface to models. */
const HANDOFF_TOOL = createToolSpec(
  "handoff_to_planner",
  "Hands the request to the agents that can carry it out.",
  handoffSchema,
);

/**
 * Runs triage as the step `triage` and returns its decision. For the decision `answer`, the answer has been published
 * when the promise resolves. Selected agents are unique but not validated. Rejects with a model `Failure`, with
 * a `Failure` (`budget_exceeded`), or with the signal's reason.
 */
export async function runTriage(turn: TurnContext): Promise<TriageResult> {
  const { ports, threadId, request } = turn;
  const eventScope = getStageScope(threadId, "triage");
  const disabledAgents = turn.agents.filter(({ enabled, hidden }) => !enabled && !hidden);
  const system = buildTriagePrompt(turn.agents.filter(isPlannable), disabledAgents, { ...request, now: ports.now() });
  const step = { name: "triage", scope: eventScope.task_id, agentName: eventScope.agent_name };
  return runBudgetedStep<TriageResult, CompletionTranscript>(turn, step, async (emit, budget, memo) => {
    const writer = new DeltaWriter(eventScope, emit);
    const publishRetry = createRetryHandler(ports, emit, eventScope);
    writer.startReasoning();
    const modelRequest: RepeatableRequest = {
      model: ports.model,
      budget,
      role: "triage",
      messages: [{ role: "system", content: system }, ...turn.history(), { role: "user", content: request.message }],
      tools: [HANDOFF_TOOL],
      signal: turn.signal,
      allowsEmpty: true,
      onDelta: writer.write,
      onRetry: (attempt: number) => {
        writer.reset();
        publishRetry(attempt);
        writer.startReasoning();
      },
    };
    const outcome = await completeUntilValid(modelRequest, memo, (completion) =>
      parseTriage(completion, request.message),
    );
    return {
      value: outcome,
      closing: [
        ...writer.close(),
        { event: "triage_completed", data: { ...eventScope, role: "agent", payload: outcome } },
      ],
      isLast: outcome.decision === "answer",
    };
  });
}

/** Parses the decision of a completion. An empty completion is a handoff with the person's own words (F11). */
function parseTriage({ text, toolCalls }: ModelCompletion, message: string): ParseResult<TriageResult> {
  const [call] = toolCalls;
  if (call === undefined) {
    return {
      kind: "outcome",
      value: text.trim() === "" ? createHandoff("needs_planning", [], message, "") : DIRECT_ANSWER,
    };
  }
  if (call.name !== HANDOFF_TOOL.name)
    return createCorrection(toolCalls, `There is no tool ${call.name}; use ${HANDOFF_TOOL.name}.`);
  const parsed = parseToolArguments(handoffSchema, call);
  if ("mistake" in parsed) return createCorrection(toolCalls, parsed.mistake);
  const { strategy, enriched_query: enriched, reason } = parsed.value;
  const selected = [...new Set(parsed.value.selected_agents)];
  const finalStrategy = selected.length === 0 ? "needs_planning" : strategy;
  return {
    kind: "outcome",
    value: createHandoff(finalStrategy, selected, enriched.trim() === "" ? message : enriched, reason),
  };
}

/** The decision of a completion that contains text and no call. */
const DIRECT_ANSWER: TriageResult = {
  decision: "answer",
  strategy: "direct_response",
  reason: "",
  selected_agents: [],
};

/** Creates the decision to hand off to agents or, without agents, to the planner. */
function createHandoff(
  strategy: TriageResult["strategy"],
  selected: string[],
  query: string,
  reason: string,
): TriageResult {
  return { decision: "handoff_to_planner", strategy, reason, selected_agents: selected, enriched_query: query };
}
