// From a request to a plan: by choice of agents without a model call, or by the planner's model, which may ask the person.

import { unreachable } from "../protocol/assert.ts";
import { confirmsSchedule, readConfirmation } from "../protocol/words/confirmation.ts";
import { BudgetExceeded } from "./budget.ts";
import { converse, restarting, type Tail } from "./converse.ts";
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
import { ModelFault, type ChatMessage, type StepOutcome, type StepSpec } from "./ports.ts";
import { plannerPrompt } from "./prompts.ts";
import { askedDraft, expiryWords, question } from "./questions.ts";
import type { Scene } from "./scene.ts";
import { stage } from "./stage.ts";
import { Stop } from "./stop.ts";

/** A plan without a model call: one independent task for each of the agents. */
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
 * A plan by the planner's model, which may first look closer at agents and ask the person. A question pauses
 * the thread; its answer is the result of the tool call that asked, and planning goes on from there.
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

/** A stretch of planning up to a plan or a question: what was said since the opening, and the question it goes on from. */
type Leg = {
  readonly number: number;
  readonly continues?: string;
  /** Whether the person has said yes to what they asked for: schedules need no further question then (F36). */
  readonly isConfirmed: boolean;
  readonly tail: Tail;
};

type Thought =
  | Settled
  | {
      readonly kind: "asks";
      readonly request_id: string;
      readonly prompt: string;
      /** The plan that the person is asked to confirm, if that is the question. */
      readonly proposal?: Proposal;
      /** The tool call that the answer is the result of. */
      readonly call_id: string;
      readonly tail: Tail;
    };

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
    const talk = {
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
      const told = { ...memo, kept: memo.kept ?? leg.tail };
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

function planStep(scene: Scene, leg: Pick<Leg, "number" | "continues"> = { number: 1 }): StepSpec {
  const { number, continues } = leg;
  const name = number === 1 ? "plan" : `plan:${number}`;
  const { task_id: scope, agent_name: agentName } = placeOf(scene);
  return { name, scope, agentName, ...(continues === undefined ? {} : { continues }) };
}

/** What the person has decided about a plan that recurs: it is carried out, or nothing is. */
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

/** Puts a question to the person; the thread pauses once the step is stored. */
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
