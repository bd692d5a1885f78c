// The planning stage: creates a plan for chosen agents without a model call, or by the planner's model.
//
// Planning by the model is a loop of steps (`plan`, `plan:2`, …). Each step ends in a plan, a refusal or a question to
// the person. A question ends the step and pauses the thread; the next run of the turn reads the journaled steps and
// continues with the answer. The transcript of the model is part of the journaled question.

import { assertNever } from "../../lib/assert.ts";
import type { Agent } from "../../protocol/agents/agent.ts";
import { createMessage } from "../../language/messages.ts";
import { confirmsSchedule, parseConfirmation } from "../../language/schedules/schedule-confirmation.ts";
import {
  completeUntilValid,
  createRetryHandler,
  type CompletionTranscript,
  type RepeatableRequest,
} from "../models/complete-until-valid.ts";
import { findProposalProblem, isPlannable, type PlanProposal } from "./plan-proposal.ts";
import {
  createConfirmationQuestion,
  createDeclinedOutcome,
  createPlanningStarted,
  createRefusedOutcome,
  evaluateProposal,
  createTitle,
  type PlanningOutcome,
  type PlanningDecision,
} from "./planning-outcome.ts";
import { PLANNER_TOOLS, parsePlannerCompletion, readsSchedules, type PlannerOutput } from "./planner-tools.ts";
import { createOrderQuestion, type ScheduleOrder } from "../schedules/schedule-order.ts";
import { refuseNewSchedule, runOrderStep } from "./planner-order.ts";
import { type ChatMessage, type Memo, type StepOutcome, type StepSpec } from "../ports.ts";
import { matchToolMessages } from "../models/match-tool-messages.ts";
import { buildPlannerPrompt } from "../models/prompts.ts";
import { createQuestionEvent, createExpiryMessage, createQuestion } from "./questions.ts";
import { getStageScope, type TurnContext } from "./turn-context.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import { resolveAgentName } from "./find-agent.ts";
import { StopReason } from "./stop-reason.ts";
import { formatUntrusted } from "../../protocol/provenance/untrusted-block.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/**
 * Creates a plan without a model call: one independent task per agent, all with the same query. Resolves with `ready`,
 * `refused`, or `guided` (no agents). `isNamed` is true if the person named the agent: it then need not be plannable,
 * and its task is not a handoff. Rejects with the signal's reason if it is aborted.
 */
export async function planForAgents(
  turn: TurnContext,
  choice: {
    readonly agents: readonly string[];
    readonly query: string;
    readonly reason: string;
    readonly isNamed: boolean;
  },
): Promise<PlanningOutcome> {
  const agents = turn.agents.filter((agent) => choice.isNamed || isPlannable(agent));
  const names = new Set(choice.agents.map((name) => resolveAgentName(agents, name)));
  const proposal: PlanProposal = {
    adequate: true,
    reason: choice.reason,
    tasks: [...names].map((agent, i) => ({
      id: String(i + 1),
      title: createTitle(choice.query),
      query: choice.query,
      agent_name: agent,
      depends_on: [],
      pattern: "once",
    })),
  };
  return runBudgetedStep(turn, buildPlanningStep(turn), (emit) => {
    turn.signal.throwIfAborted();
    emit(createPlanningStarted(turn));
    return Promise.resolve(evaluateProposal(turn, proposal, choice.query, choice.isNamed));
  });
}

/**
 * Plans with the planner's model, which may read agent descriptions and ask the person. Recurring tasks need the
 * person's confirmation (F36). Returns `paused` while a question is open. The answer becomes the result of the tool
 * call that asked, and planning continues with it. Returns `refused` if the question expired, the model failed or the
 * budget is exhausted; rejects with a `StopReason` if the question was cancelled.
 */
export async function planWithModel(turn: TurnContext, query: string): Promise<PlanningOutcome> {
  let segment: PlanningSegment = { number: 1, isConfirmed: confirmsSchedule(turn.request.message), transcript: [] };
  for (;;) {
    const step = await runPlanningStep(turn, query, segment);
    if (step.kind === "order") return runOrderStep(turn, step.order);
    if (step.kind !== "asks") return step;
    const { request_id: continues, call_id: toolCallId, prompt } = step;
    const questionState = turn.getQuestionState(continues);
    const number = segment.number + 1;
    switch (questionState.state) {
      case "open":
        return { kind: "paused", request_id: continues };
      case "answered": {
        const { message } = questionState.answer;
        const decision = parseConfirmation(message);
        if (step.proposal !== undefined && decision !== "other") {
          return applyConfirmation(turn, { number, continues }, decision === "yes" ? step.proposal : null, query);
        }
        if (step.order !== undefined && decision !== "other")
          return runOrderStep(turn, decision === "yes" ? step.order : null, continues);
        const isConfirmed =
          segment.isConfirmed || (step.proposal === undefined && step.order === undefined && decision === "yes");
        segment = {
          number,
          continues,
          isConfirmed,
          transcript: [...step.tail, { role: "tool", toolCallId, content: message }],
        };
        break;
      }
      case "expired":
        return runBudgetedStep(turn, buildPlanningStep(turn, { number, continues }), () => {
          turn.signal.throwIfAborted();
          return Promise.resolve(createRefusedOutcome(turn, createExpiryMessage(prompt), "question_expired"));
        });
      case "cancelled":
        throw new StopReason("person", createMessage("turn.cancelled"));
      default:
        return assertNever(questionState);
    }
  }
}

/** One step of planning, from the start or from an answer, to a plan or the next question. */
type PlanningSegment = {
  readonly number: number;
  readonly continues?: string;
  /** True if the person has already confirmed; schedules then need no further question (F36). */
  readonly isConfirmed: boolean;
  readonly transcript: CompletionTranscript;
};

/** The journaled value of one planning step. */
type PlanningStepValue =
  | PlanningDecision
  /** An order about schedules that needs no question. */
  | { readonly kind: "order"; readonly order: ScheduleOrder }
  | {
      readonly kind: "asks";
      readonly request_id: string;
      readonly prompt: string;
      /** The plan to confirm, if the question asks for a confirmation. */
      readonly proposal?: PlanProposal;
      /** The order to confirm, if the question asks for that. */
      readonly order?: ScheduleOrder;
      /** The id of the tool call whose result is the answer. */
      readonly call_id: string;
      readonly tail: CompletionTranscript;
    };

/** Runs one planning step with the model. Model faults and an exhausted budget become a refusal, not a rejection. */
function runPlanningStep(turn: TurnContext, query: string, segment: PlanningSegment): Promise<PlanningStepValue> {
  return runBudgetedStep<PlanningStepValue, CompletionTranscript>(
    turn,
    buildPlanningStep(turn, segment),
    async (emit, budget, memo) => {
      const agents = turn.agents.filter(isPlannable);
      const publishRetry = createRetryHandler(turn.ports, emit, getStageScope(turn.threadId, "planner"));
      const publishStart = () => emit(createPlanningStarted(turn));
      publishStart();
      const system = buildPlannerPrompt(agents, { ...turn.request, now: turn.ports.now() }, turn.limits.maxTasks);
      const opening: readonly ChatMessage[] = [
        { role: "system", content: system },
        ...matchToolMessages([...turn.history(), ...listToolMessages(turn)]).map(markEarlierAnswer),
        { role: "user", content: query },
      ];
      const modelRequest: RepeatableRequest = {
        model: turn.ports.model,
        budget,
        role: "planner",
        messages: opening,
        tools: PLANNER_TOOLS,
        signal: turn.signal,
        onDelta: () => {},
        onRetry: (attempt: number) => {
          publishRetry(attempt);
          publishStart();
        },
      };
      try {
        const resumedMemo: Memo<CompletionTranscript> = { ...memo, saved: memo.saved ?? segment.transcript };
        const output = await completeUntilValid(modelRequest, resumedMemo, async (completion, transcript) => {
          const schedules = readsSchedules(completion) ? await turn.ports.schedules.list() : [];
          const { conversationId, request } = turn;
          const findRefusal = (proposal: PlanProposal) => formatRefusal(turn, agents, proposal);
          const { timezone } = request;
          const facts = { agents, schedules, conversationId, timezone, now: turn.ports.now(), findRefusal };
          return refuseNewSchedule(turn, completion, parsePlannerCompletion(completion, transcript, facts));
        });
        turn.signal.throwIfAborted();
        return await settlePlannerOutput(turn, output, query, segment.isConfirmed);
      } catch (thrown) {
        if (turn.signal.aborted || !(thrown instanceof Failure)) throw thrown;
        return createRefusedOutcome(turn, thrown.text, thrown.code);
      }
    },
  );
}

/** Turns the output of the planner's model into a plan, an order, or a question to the person. */
async function settlePlannerOutput(
  turn: TurnContext,
  output: PlannerOutput,
  query: string,
  isConfirmed: boolean,
): Promise<StepOutcome<PlanningStepValue>> {
  switch (output.kind) {
    case "question":
      return buildPlannerQuestion(turn, output, query);
    case "order": {
      const { order } = output;
      const question = createOrderQuestion(turn, order, await turn.ports.schedules.list());
      if (question === null) return { value: { kind: "order", order }, closing: [] };
      return buildPlannerQuestion(turn, { ...output, ...question }, query, { order });
    }
    case "proposal": {
      const { proposal } = output;
      const question = createConfirmationQuestion(turn, proposal, isConfirmed);
      if (question === null) return evaluateProposal(turn, proposal, query, false);
      return buildPlannerQuestion(turn, { ...output, ...question }, query, { proposal });
    }
    default:
      return assertNever(output);
  }
}

/** Returns the sentence with which the runtime refuses a proposal; null if it is acceptable or has no tasks. */
function formatRefusal(turn: TurnContext, agents: readonly Agent[], { adequate, tasks }: PlanProposal): string | null {
  const problem = adequate ? findProposalProblem(tasks, agents, turn) : null;
  return problem === null ? null : turn.ports.formatMessage(problem);
}

/** Returns the results of client tools that came with the message, with their calls. */
function listToolMessages({ request }: TurnContext): readonly ChatMessage[] {
  return (request.answer?.input ?? []).filter(({ role }) => role === "assistant" || role === "tool");
}

/** Marks an earlier answer as untrusted, because it may quote tools and agents. */
function markEarlierAnswer(message: ChatMessage): ChatMessage {
  if (message.role !== "assistant" || message.content === "") return message;
  return { ...message, content: formatUntrusted("Earlier answer", message.content) };
}

/** Builds the step of a planning segment. Its name is stored in the journal and must not change. */
function buildPlanningStep(
  turn: TurnContext,
  segment: Pick<PlanningSegment, "number" | "continues"> = { number: 1 },
): StepSpec {
  const { number, continues } = segment;
  const name = number === 1 ? "plan" : `plan:${number}`;
  const { task_id: scope, agent_name: agentName } = getStageScope(turn.threadId, "planner");
  return { name, scope, agentName, ...(continues === undefined ? {} : { continues }) };
}

/** Applies the person's answer to a confirmation: accepts the proposal, or declines if it is null. */
function applyConfirmation(
  turn: TurnContext,
  segment: Pick<PlanningSegment, "number" | "continues">,
  proposal: PlanProposal | null,
  query: string,
): Promise<PlanningDecision> {
  return runBudgetedStep(turn, buildPlanningStep(turn, segment), () => {
    turn.signal.throwIfAborted();
    return Promise.resolve(
      proposal === null ? createDeclinedOutcome(turn) : evaluateProposal(turn, proposal, query, false),
    );
  });
}

/** Creates the outcome of a step that asks the person. The thread pauses after the step is stored. */
function buildPlannerQuestion(
  turn: TurnContext,
  output: Omit<Extract<PlannerOutput, { kind: "question" }>, "kind">,
  query: string,
  confirmed: { readonly proposal?: PlanProposal; readonly order?: ScheduleOrder } = {},
): StepOutcome<PlanningStepValue> {
  const { question: prompt, options, callId: call_id, transcript } = output;
  const threadQuestion = createQuestion(turn, getStageScope(turn.threadId, "planner"), {
    stage: "planning",
    prompt,
    options,
    query,
  });
  return {
    value: {
      kind: "asks",
      request_id: threadQuestion.request_id,
      prompt,
      call_id,
      tail: transcript,
      ...confirmed,
    },
    closing: [createQuestionEvent(threadQuestion)],
    question: threadQuestion,
  };
}
