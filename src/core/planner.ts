// The planning stage: creates a plan for chosen agents without a model call, or by the planner's model.
//
// Planning by the model is a loop of steps (`plan`, `plan:2`, …). Each step ends in a plan, a refusal or a question to
// the person. A question ends the step and pauses the thread; the next run of the turn reads the journaled steps and
// continues with the answer. The transcript of the model is part of the journaled question.

import { unreachable } from "../protocol/assert.ts";
import { confirmsSchedule, readConfirmation } from "../protocol/words/confirmation.ts";
import { BudgetExceeded } from "./budget.ts";
import { converse, restarting, type Tail, type Talk } from "./converse.ts";
import { isPlannable, type Proposal } from "./plan-rules.ts";
import {
  confirmationOf,
  decline,
  placeOf,
  planning,
  refuse,
  settle,
  titleOf,
  type Planned,
  type Settled,
} from "./planned.ts";
import { PLANNER_TOOLS, readIdea, type Idea } from "./planner-tools.ts";
import { ModelFault, type ChatMessage, type Memo, type StepOutcome, type StepSpec } from "./ports.ts";
import { plannerPrompt } from "./prompts.ts";
import { askedDraft, expiryWords, question } from "./questions.ts";
import type { Scene } from "./scene.ts";
import { stage } from "./stage.ts";
import { Stop } from "./stop.ts";

/**
 * Creates a plan without a model call: one independent task per agent, all with the same query. `isNamed` is true if
 * the person named the agent, which then need not be plannable and is not a handoff.
 */
export async function planForAgents(
  scene: Scene,
  choice: {
    readonly agents: readonly string[];
    readonly query: string;
    readonly reason: string;
    readonly isNamed: boolean;
  },
): Promise<Planned> {
  const proposal: Proposal = {
    adequate: true,
    reason: choice.reason,
    tasks: choice.agents.map((agent, i) => ({
      id: String(i + 1),
      title: titleOf(choice.query),
      query: choice.query,
      agent_name: agent,
      depends_on: [],
      pattern: "once",
    })),
  };
  return stage(scene, planStep(scene), (emit) => {
    scene.signal.throwIfAborted();
    emit(planning(scene));
    return Promise.resolve(settle(scene, proposal, choice.query, choice.isNamed));
  });
}

/**
 * Plans with the planner's model, which may read agent descriptions and ask the person. Returns `paused` while its
 * question is open. The answer becomes the result of the tool call that asked, and planning continues with it.
 * Returns `refused` if the question expired or the model failed; throws a `StopReason` if the question was cancelled.
 */
export async function planWithModel(scene: Scene, query: string): Promise<Planned> {
  let leg: Leg = { number: 1, isConfirmed: confirmsSchedule(scene.request.message), tail: [] };
  for (;;) {
    const thought = await think(scene, query, leg);
    if (thought.kind !== "asks") return thought;
    const { request_id: continues, call_id: toolCallId, prompt } = thought;
    const standing = scene.standing(continues);
    const number = leg.number + 1;
    switch (standing.state) {
      case "open":
        return { kind: "paused", request_id: continues };
      case "answered": {
        const { message } = standing.answer;
        const decision = readConfirmation(message);
        if (thought.proposal !== undefined && decision !== "other") {
          return conclude(scene, { number, continues }, decision === "yes" ? thought.proposal : null, query);
        }
        const isConfirmed = leg.isConfirmed || (thought.proposal === undefined && decision === "yes");
        leg = {
          number,
          continues,
          isConfirmed,
          tail: [...thought.tail, { role: "tool", toolCallId, content: message }],
        };
        break;
      }
      case "expired":
        return stage(scene, planStep(scene, { number, continues }), () => {
          scene.signal.throwIfAborted();
          return Promise.resolve(refuse(scene, expiryWords(prompt), "question_expired"));
        });
      case "cancelled":
        throw new Stop("person", "You cancelled this.");
      default:
        return unreachable(standing);
    }
  }
}

/** One step of planning, from the start or from an answer, to a plan or the next question. */
type Leg = {
  readonly number: number;
  readonly continues?: string;
  /** True if the person has already confirmed; schedules then need no further question (F36). */
  readonly isConfirmed: boolean;
  readonly tail: Tail;
};

/** The journaled value of one planning step. */
type Thought =
  | Settled
  | {
      readonly kind: "asks";
      readonly request_id: string;
      readonly prompt: string;
      /** The plan to confirm, if the question asks for a confirmation. */
      readonly proposal?: Proposal;
      /** The id of the tool call whose result is the answer. */
      readonly call_id: string;
      readonly tail: Tail;
    };

/** Runs one planning step with the model. Model faults and an exhausted budget become a refusal, not a rejection. */
function think(scene: Scene, query: string, leg: Leg): Promise<Thought> {
  return stage<Thought, Tail>(scene, planStep(scene, leg), async (emit, budget, memo) => {
    const agents = scene.agents.filter(isPlannable);
    const restart = restarting(emit, placeOf(scene));
    const begin = () => emit(planning(scene));
    begin();
    const system = plannerPrompt(agents, { ...scene.request, now: scene.ports.now() }, scene.limits.maxTasks);
    const opening: readonly ChatMessage[] = [
      { role: "system", content: system },
      ...scene.history(),
      { role: "user", content: query },
    ];
    const talk: Talk = {
      model: scene.ports.model,
      budget,
      role: "planner",
      messages: opening,
      tools: PLANNER_TOOLS,
      signal: scene.signal,
      hear: () => {},
      restart: (attempt: number) => {
        restart(attempt);
        begin();
      },
    };
    try {
      const told: Memo<Tail> = { ...memo, kept: memo.kept ?? leg.tail };
      const idea = await converse(talk, told, (completion, tail) => readIdea(completion, tail, agents));
      scene.signal.throwIfAborted();
      if (idea.kind === "question") return pose(scene, idea, query);
      const question = leg.isConfirmed ? null : confirmationOf(scene, idea.proposal);
      if (question === null) return settle(scene, idea.proposal, query, false);
      return pose(scene, { ...idea, ...question }, query, idea.proposal);
    } catch (thrown) {
      if (scene.signal.aborted || !(thrown instanceof ModelFault || thrown instanceof BudgetExceeded)) throw thrown;
      return refuse(scene, thrown.message, thrown instanceof ModelFault ? thrown.code : "budget_exceeded");
    }
  });
}

/** Builds the step of a planning segment. Its name is stored in the journal and must not change. */
function planStep(scene: Scene, leg: Pick<Leg, "number" | "continues"> = { number: 1 }): StepSpec {
  const { number, continues } = leg;
  const name = number === 1 ? "plan" : `plan:${number}`;
  const { task_id: scope, agent_name: agentName } = placeOf(scene);
  return { name, scope, agentName, ...(continues === undefined ? {} : { continues }) };
}

/** Applies the person's answer to a confirmation: accepts the proposal, or declines if it is null. */
function conclude(
  scene: Scene,
  leg: Pick<Leg, "number" | "continues">,
  proposal: Proposal | null,
  query: string,
): Promise<Settled> {
  return stage(scene, planStep(scene, leg), () => {
    scene.signal.throwIfAborted();
    return Promise.resolve(proposal === null ? decline(scene) : settle(scene, proposal, query, false));
  });
}

/** Creates the outcome of a step that asks the person. The thread pauses after the step is stored. */
function pose(
  scene: Scene,
  idea: Omit<Extract<Idea, { kind: "question" }>, "kind">,
  query: string,
  proposal?: Proposal,
): StepOutcome<Thought> {
  const { question: prompt, options, callId: call_id, tail } = idea;
  const asks = question(scene, placeOf(scene), { stage: "planning", prompt, options, query });
  return {
    value: {
      kind: "asks",
      request_id: asks.request_id,
      prompt,
      call_id,
      tail,
      ...(proposal === undefined ? {} : { proposal }),
    },
    closing: [askedDraft(asks)],
    asks,
  };
}
