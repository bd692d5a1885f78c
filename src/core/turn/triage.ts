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
import type { ChatMessage, ModelCompletion, ToolCall } from "../ports.ts";
import type { TurnRequest } from "../models/answer-options.ts";
import { findFormatMistake, MAX_FORMAT_MISTAKES } from "../models/answer-format.ts";
import { buildTriagePrompt, formatAnswerFormat } from "../models/prompts.ts";
import { matchToolMessages } from "../models/match-tool-messages.ts";
import { createClientCallEvent, parseClientCalls } from "./client-tools.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { isCancelledByPerson } from "./stop-reason.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";
import { DeltaWriter } from "../models/delta-writer.ts";

const handoffSchema = z.object({
  strategy: triageStrategySchema.exclude(["direct_response"]),
  selected_agents: z.array(z.string()).default([]),
  enriched_query: z.string().default(""),
  reason: z.string().default(""),
});

/** The only tool of triage itself. Its name is part of the interface to models. */
export const HANDOFF_TOOL = createToolSpec(
  "handoff_to_planner",
  "Hands the request to the agents that can carry it out.",
  handoffSchema,
);

/** The decision with the calls of client tools; if there are any, they are the answer, or its end. */
type TriageOutcome = { readonly result: TriageResult; readonly clientCalls: readonly ToolCall[] };

/**
 * Runs triage as the step `triage` and returns its decision. For the decision `answer`, the answer and the calls of
 * client tools have been published when the promise resolves. Selected agents are unique but not validated. Rejects with a model `Failure`, with
 * a `Failure` (`budget_exceeded`), or with the signal's reason.
 */
export async function runTriage(turn: TurnContext): Promise<TriageResult> {
  const { ports, threadId, request } = turn;
  const eventScope = getStageScope(threadId, "triage");
  const messages = buildTriageMessages(turn);
  const step = { name: "triage", scope: eventScope.task_id, agentName: eventScope.agent_name };
  let failure: unknown;
  const decided = await runBudgetedStep<TriageResult | null, CompletionTranscript>(
    turn,
    step,
    async (emit, budget, memo) => {
      const writer = new DeltaWriter(eventScope, emit);
      const publishRetry = createRetryHandler(ports, emit, eventScope);
      writer.startReasoning();
      const onRetry = (attempt: number): void => {
        writer.reset();
        publishRetry(attempt);
        writer.startReasoning();
      };
      const modelRequest = { ...buildTriageRequest(turn, messages), budget, onDelta: writer.write, onRetry };
      try {
        const { result, clientCalls } = await completeUntilValid(modelRequest, memo, (completion) =>
          parseTriage(completion, request),
        );
        const calls = clientCalls.map((call) => createClientCallEvent(eventScope, call));
        const decision = { ...eventScope, role: "agent", payload: result } as const;
        return {
          value: result,
          closing: [...writer.close(), { event: "triage_completed", data: decision }, ...calls],
          isLast: result.decision === "answer",
        };
      } catch (thrown) {
        failure = thrown;
        // The failure ends the thread, and its reasoning is closed with it, also if the time has run out meanwhile.
        return { value: null, closing: isCancelledByPerson(turn.signal) ? [] : writer.close(), isLast: true };
      }
    },
  );
  if (decided === null) throw failure;
  return decided;
}

/** Builds the prompt, the earlier messages and the new one. */
function buildTriageMessages(turn: TurnContext): ChatMessage[] {
  const { ports, request } = turn;
  const disabledAgents = turn.agents.filter(({ enabled, hidden }) => !enabled && !hidden);
  const { input = [{ role: "user", content: request.message }], format } = request.answer ?? {};
  const prompt = buildTriagePrompt(turn.agents.filter(isPlannable), disabledAgents, { ...request, now: ports.now() });
  const system = [prompt, ...(format === undefined ? [] : [formatAnswerFormat(format)])].join("\n\n");
  return [{ role: "system", content: system }, ...matchToolMessages([...turn.history(), ...input])];
}

function buildTriageRequest(
  { ports, request, signal }: TurnContext,
  messages: readonly ChatMessage[],
): Omit<RepeatableRequest, "budget" | "onDelta" | "onRetry"> {
  const { clientTools, format } = request.answer ?? {};
  return {
    model: ports.model,
    role: "triage",
    messages,
    tools: [...(clientTools?.mustCall === true ? [] : [HANDOFF_TOOL]), ...(clientTools?.tools ?? [])],
    ...(clientTools === undefined ? {} : { mustCall: clientTools.mustCall, callsOnce: clientTools.callsOnce }),
    ...(format === undefined ? {} : { format, maxMistakes: MAX_FORMAT_MISTAKES }),
    signal,
    allowsEmpty: true,
  };
}

/**
 * Parses the decision of a completion. Calls of client tools win over a handoff. An empty completion is a handoff with
 * the person's own words (F11), unless triage must call a client tool.
 */
function parseTriage(completion: ModelCompletion, { message, answer = {} }: TurnRequest): ParseResult<TriageOutcome> {
  const { text, toolCalls } = completion;
  const { clientTools, format } = answer;
  const clientCalls = clientTools === undefined ? null : parseClientCalls(completion, clientTools);
  if (clientCalls !== null) {
    if (clientCalls.kind === "reply") return clientCalls;
    return { kind: "outcome", value: { result: DIRECT_ANSWER, clientCalls: clientCalls.value } };
  }
  const [call] = toolCalls;
  if (call !== undefined) return parseHandoff(call, toolCalls, message);
  if (text.trim() === "") return createHandoffOutcome("needs_planning", [], message, "");
  const mistake = format === undefined ? null : findFormatMistake(format, text);
  if (mistake !== null) return createCorrection([], mistake);
  return { kind: "outcome", value: { result: DIRECT_ANSWER, clientCalls: [] } };
}

/** Parses a call of the handoff tool. */
function parseHandoff(call: ToolCall, toolCalls: readonly ToolCall[], message: string): ParseResult<TriageOutcome> {
  if (call.name !== HANDOFF_TOOL.name)
    return createCorrection(toolCalls, `There is no tool ${call.name}; use ${HANDOFF_TOOL.name}.`);
  const parsed = parseToolArguments(handoffSchema, call);
  if ("mistake" in parsed) return createCorrection(toolCalls, parsed.mistake);
  const { strategy, enriched_query: enriched, reason } = parsed.value;
  const selected = [...new Set(parsed.value.selected_agents)];
  const finalStrategy = selected.length === 0 ? "needs_planning" : strategy;
  return createHandoffOutcome(finalStrategy, selected, enriched.trim() === "" ? message : enriched, reason);
}

/** The decision of a completion that contains text and no call. */
const DIRECT_ANSWER: TriageResult = {
  decision: "answer",
  strategy: "direct_response",
  reason: "",
  selected_agents: [],
};

/** Creates the decision to hand off to agents or, without agents, to the planner. */
function createHandoffOutcome(
  strategy: TriageResult["strategy"],
  selected: string[],
  query: string,
  reason: string,
): ParseResult<TriageOutcome> {
  const decision = "handoff_to_planner";
  const result: TriageResult = { decision, strategy, reason, selected_agents: selected, enriched_query: query };
  return { kind: "outcome", value: { result, clientCalls: [] } };
}
