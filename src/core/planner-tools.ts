// The tools of the planner's model and the parser of its completions.

import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import { argumentsOf, correction, said, toolSpec, type Reading, type Tail } from "./converse.ts";
import { proposalSchema, proposalSpec, type Proposal } from "./plan-rules.ts";
import type { ChatMessage, Completion, ToolCall } from "./ports.ts";
import { described } from "./prompts.ts";

const describeSchema = z.object({ agent_name: z.string() });
const askSchema = z.object({
  question: z.string().min(1).max(4_000),
  options: z.array(z.string().min(1)).max(20).nullish(),
});
/** The call that ends planning. */
const CREATE_PLAN = toolSpec("create_plan", "Settles the plan.", proposalSpec);
/** The call that asks the person; the answer becomes its result after the thread resumes. */
const ASK = toolSpec("ask_user", "Asks the person one question; the answer is its result.", askSchema);
/** The call that reads an agent's description; it is answered at once. */
const DESCRIBE = toolSpec("get_agent_description", "Tells what one agent can do.", describeSchema);
/** The tools of a planner request. Their names are part of the interface to models. */
export const PLANNER_TOOLS = [CREATE_PLAN, ASK, DESCRIBE];

/**
 * A usable completion of the planner's model. `transcript` includes that completion and the replies to its other calls.
 */
export type Idea =
  | { readonly kind: "proposal"; readonly proposal: Proposal; readonly callId: string; readonly tail: Tail }
  | {
      readonly kind: "question";
      readonly question: string;
      readonly options?: readonly string[];
      readonly callId: string;
      readonly tail: Tail;
    };

/**
 * Parses one completion of the planner's model. Returns a proposal or a question to the person as the outcome; replies
 * for calls that ask about agents; or a correction. `create_plan` wins over all other calls, and only the first
 * `ask_user` counts.
 */
export function readIdea(completion: Completion, tail: Tail, agents: readonly Agent[]): Reading<Idea> {
  const { toolCalls } = completion;
  const asks = (call: ToolCall, words: z.infer<typeof askSchema>, answers: readonly ChatMessage[]): Reading<Idea> => ({
    kind: "outcome",
    value: {
      kind: "question",
      question: words.question,
      ...(words.options === null || words.options === undefined ? {} : { options: words.options }),
      callId: call.id,
      tail: [...tail, said(completion), ...answers],
    },
  });
  const plan = toolCalls.find((call) => call.name === CREATE_PLAN.name);
  if (plan !== undefined) {
    const read = argumentsOf(proposalSchema, plan);
    if ("mistake" in read) return correction(toolCalls, read.mistake);
    const question = questionIn(read.value);
    const others = toolCalls.filter((call) => call !== plan);
    if (question !== null) return asks(plan, { question }, others.map(postponed));
    const until = [...tail, said(completion), ...others.map(postponed)];
    return { kind: "outcome", value: { kind: "proposal", proposal: read.value, callId: plan.id, tail: until } };
  }
  const answers: ChatMessage[] = [];
  let asked: { call: ToolCall; words: z.infer<typeof askSchema> } | null = null;
  for (const call of toolCalls) {
    if (call.name === ASK.name) {
      const read = argumentsOf(askSchema, call);
      if ("mistake" in read) return correction(toolCalls, read.mistake);
      if (asked === null) asked = { call, words: read.value };
      else answers.push(postponed(call));
      continue;
    }
    const read = argumentsOf(describeSchema, call);
    if (call.name !== DESCRIBE.name || "mistake" in read) {
      return correction(toolCalls, "mistake" in read ? read.mistake : `There is no tool ${call.name}.`);
    }
    const agent = agents.find(({ name }) => name === read.value.agent_name);
    const content =
      agent === undefined ? `There is no agent ${read.value.agent_name}.` : JSON.stringify(described(agent));
    answers.push({ role: "tool", toolCallId: call.id, content });
  }
  if (asked !== null) return asks(asked.call, asked.words, answers);
  if (answers.length === 0) return correction([], "Call create_plan.");
  return { kind: "reply", messages: answers, isMistake: false };
}

/** Creates the result of a call that is not carried out. Each call needs a result before the next completion. */
function postponed(call: ToolCall): ChatMessage {
  return { role: "tool", toolCallId: call.id, content: "Not done: the question to the person comes first." };
}

/** Returns the guidance of a proposal without tasks if it is a question (X4); otherwise null. */
function questionIn({ adequate, tasks, guidance_message: guidance }: Proposal): string | null {
  const isQuestion = (!adequate || tasks.length === 0) && /[?？]\s*$/.test(guidance ?? "");
  return isQuestion ? (guidance ?? null) : null;
}
