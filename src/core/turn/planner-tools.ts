// The tools of the planner's model and the parser of its completions.

import * as z from "zod";
import type { Agent } from "../../protocol/agents/agent.ts";
import {
  parseToolArguments,
  createCorrection,
  toAssistantMessage,
  createToolSpec,
  type ParseResult,
  type CompletionTranscript,
} from "../models/complete-until-valid.ts";
import { findAgentByName } from "./find-agent.ts";
import { proposalSchema, proposalToolSchema, resolveProposedAgents, type PlanProposal } from "./plan-proposal.ts";
import type { ChatMessage, ModelCompletion, ToolCall } from "../ports.ts";
import { toAgentDescription } from "../models/prompts.ts";
import {
  formatScheduleList,
  LIST_SCHEDULES_TOOL,
  MANAGE_SCHEDULES_TOOL,
  parseScheduleOrder,
} from "./planner-schedule-tools.ts";
import type { ScheduleOrder } from "../schedules/schedule-order.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { formatUntrusted } from "../../protocol/provenance/untrusted-block.ts";

const describeAgentSchema = z.object({ agent_name: z.string() });
const askUserSchema = z.object({
  question: z.string().min(1).max(4_000),
  options: z.array(z.string().min(1)).max(20).nullish(),
});
/** The call that ends planning. */
const CREATE_PLAN_TOOL = createToolSpec("create_plan", "Settles the plan.", proposalToolSchema);
/** The call that asks the person; the answer becomes its result after the thread resumes. */
const ASK_USER_TOOL = createToolSpec(
  "ask_user",
  "Asks the person one question; the answer is its result.",
  askUserSchema,
);
/** The call that reads an agent's description; it is answered at once. */
const DESCRIBE_AGENT_TOOL = createToolSpec(
  "get_agent_description",
  "Tells what one agent can do.",
  describeAgentSchema,
);
/** The tools of a planner request. Their names are part of the interface to models. */
export const PLANNER_TOOLS = [
  CREATE_PLAN_TOOL,
  ASK_USER_TOOL,
  DESCRIBE_AGENT_TOOL,
  LIST_SCHEDULES_TOOL,
  MANAGE_SCHEDULES_TOOL,
];

/**
 * A usable completion of the planner's model. `transcript` includes that completion and the replies to its other calls.
 */
export type PlannerOutput =
  | {
      readonly kind: "proposal";
      readonly proposal: PlanProposal;
      readonly callId: string;
      readonly transcript: CompletionTranscript;
    }
  | {
      readonly kind: "order";
      readonly order: ScheduleOrder;
      readonly callId: string;
      readonly transcript: CompletionTranscript;
    }
  | {
      readonly kind: "question";
      readonly question: string;
      readonly options?: readonly string[];
      readonly callId: string;
      readonly transcript: CompletionTranscript;
    };

/** The agents and schedules to which a completion of the planner may refer. `schedules` need not be read if `readsSchedules` is false. */
export type PlannerFacts = {
  readonly agents: readonly Agent[];
  readonly schedules: readonly Schedule[];
  readonly conversationId: string;
  readonly timezone: string | undefined;
  /** In ms since the epoch. */
  readonly now: number;
  /** Returns the sentence with which the runtime refuses a proposal, or null. */
  readonly findRefusal: (proposal: PlanProposal) => string | null;
};

/** True if a completion calls a tool about the person's schedules. */
export function readsSchedules({ toolCalls }: ModelCompletion): boolean {
  return toolCalls.some(({ name }) => name === LIST_SCHEDULES_TOOL.name || name === MANAGE_SCHEDULES_TOOL.name);
}

/**
 * Parses one completion of the planner's model. Returns a proposal, an order about schedules or a question to the person
 * as the outcome (also a question in the guidance of a proposal without tasks, X4); replies for calls that read agents or
 * schedules; or a correction. `create_plan` wins over all other calls, then `manage_schedules`, and only the first
 * `ask_user` counts. The first proposal that the runtime refuses goes back to the model with the reason; a second one is
 * the outcome.
 */
export function parsePlannerCompletion(
  completion: ModelCompletion,
  transcript: CompletionTranscript,
  facts: PlannerFacts,
): ParseResult<PlannerOutput> {
  const { toolCalls } = completion;
  const createOutcome = (
    call: ToolCall,
    args: z.infer<typeof askUserSchema>,
    answers: readonly ChatMessage[],
  ): ParseResult<PlannerOutput> => ({
    kind: "outcome",
    value: {
      kind: "question",
      question: args.question,
      ...(args.options === null || args.options === undefined ? {} : { options: args.options }),
      callId: call.id,
      transcript: [...transcript, toAssistantMessage(completion), ...answers],
    },
  });
  const plan = toolCalls.find((call) => call.name === CREATE_PLAN_TOOL.name);
  if (plan !== undefined) {
    const parsed = parseToolArguments(proposalSchema, plan);
    if ("mistake" in parsed) return createCorrection(toolCalls, parsed.mistake);
    const question = getGuidanceQuestion(parsed.value);
    const others = toolCalls.filter((call) => call !== plan);
    if (question !== null) return createOutcome(plan, { question }, others.map(createPostponedResult));
    const proposal = resolveProposedAgents(parsed.value, facts.agents);
    const refusal = hasRefusal(transcript) ? null : facts.findRefusal(proposal);
    if (refusal !== null) return createRefusal(toolCalls, refusal);
    const extended = [...transcript, toAssistantMessage(completion), ...others.map(createPostponedResult)];
    return { kind: "outcome", value: { kind: "proposal", proposal, callId: plan.id, transcript: extended } };
  }
  const order = toolCalls.find((call) => call.name === MANAGE_SCHEDULES_TOOL.name);
  if (order !== undefined) {
    const parsed = parseScheduleOrder(order, facts.schedules, facts);
    if ("mistake" in parsed) return createCorrection(toolCalls, parsed.mistake);
    const others = toolCalls.filter((call) => call !== order).map(createPostponedResult);
    const extended = [...transcript, toAssistantMessage(completion), ...others];
    return { kind: "outcome", value: { kind: "order", order: parsed.order, callId: order.id, transcript: extended } };
  }
  const answers: ChatMessage[] = [];
  let questionCall: { call: ToolCall; args: z.infer<typeof askUserSchema> } | null = null;
  for (const call of toolCalls) {
    if (call.name === ASK_USER_TOOL.name) {
      const parsed = parseToolArguments(askUserSchema, call);
      if ("mistake" in parsed) return createCorrection(toolCalls, parsed.mistake);
      if (questionCall === null) questionCall = { call, args: parsed.value };
      else answers.push(createPostponedResult(call));
      continue;
    }
    if (call.name === LIST_SCHEDULES_TOOL.name) {
      const content = formatScheduleList(facts.schedules, facts.conversationId);
      answers.push({ role: "tool", toolCallId: call.id, content });
      continue;
    }
    const parsed = parseToolArguments(describeAgentSchema, call);
    if (call.name !== DESCRIBE_AGENT_TOOL.name || "mistake" in parsed) {
      return createCorrection(toolCalls, "mistake" in parsed ? parsed.mistake : `There is no tool ${call.name}.`);
    }
    const match = findAgentByName(facts.agents, parsed.value.agent_name);
    const content =
      match.kind === "found"
        ? formatUntrusted(`Description of ${match.agent.name}`, toAgentDescription(match.agent))
        : `There is no agent ${parsed.value.agent_name}.`;
    answers.push({ role: "tool", toolCallId: call.id, content });
  }
  if (questionCall !== null) return createOutcome(questionCall.call, questionCall.args, answers);
  if (answers.length === 0) return createCorrection([], "Call create_plan.");
  return { kind: "reply", messages: answers, isMistake: false };
}

const REFUSAL_PREFIX = "Error: The plan is refused: ";

/** True if a plan of this transcript was refused. The transcript is stored, so this holds after a crash as well (T4). */
function hasRefusal(transcript: CompletionTranscript): boolean {
  return transcript.some(({ role, content }) => role === "tool" && content.startsWith(REFUSAL_PREFIX));
}

/** Creates the reply to a plan that the runtime refuses. It is no mistake of form: the planner may plan once more. */
function createRefusal(calls: readonly ToolCall[], problem: string): ParseResult<never> {
  const content = `${REFUSAL_PREFIX}${problem} Call create_plan once more with a plan without this problem, or with adequate false.`;
  const messages = calls.map(({ id }): ChatMessage => ({ role: "tool", toolCallId: id, content }));
  return { kind: "reply", messages, isMistake: false };
}

/** Creates the result of a call that is not carried out. Each call needs a result before the next completion. */
function createPostponedResult(call: ToolCall): ChatMessage {
  return { role: "tool", toolCallId: call.id, content: "Not done: the question to the person comes first." };
}

/** Returns the guidance of a proposal without tasks if it is a question (X4); otherwise null. */
function getGuidanceQuestion({ adequate, tasks, guidance_message: guidance }: PlanProposal): string | null {
  const isQuestion = (!adequate || tasks.length === 0) && /[?？]\s*$/.test(guidance ?? "");
  return isQuestion ? (guidance ?? null) : null;
}
