// From a request to a plan: tasks with agents and dependencies, validated by code whoever proposed them.

import * as z from "zod";
import type { Agent } from "../protocol/agent.ts";
import { PLANNER } from "../protocol/events.ts";
import { companion } from "../protocol/ids.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { argumentsOf, converse, correction, restarting, toolSpec, type Reading } from "./converse.ts";
import { BudgetExceeded } from "./budget.ts";
import { ModelFault, type ChatMessage, type Completion, type Draft, type StepOutcome } from "./ports.ts";
import { described, plannerPrompt } from "./prompts.ts";
import { isPlannable, problemOf, proposalSchema, type Proposal } from "./plan-rules.ts";
import { stage } from "./stage.ts";
import { stageScope, type Scene } from "./scene.ts";

export type Planned =
  | { readonly kind: "ready"; readonly plan: Plan }
  /** Nothing to carry out; the person was told what is missing. */
  | { readonly kind: "guided" }
  /** No acceptable plan; the person was told why. */
  | { readonly kind: "refused" };

const describeSchema = z.object({ agent_name: z.string() });
const CREATE_PLAN = toolSpec("create_plan", "Settles the plan.", proposalSchema);
const DESCRIBE = toolSpec("get_agent_description", "Tells what one agent can do.", describeSchema);

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
      title: choice.isNamed ? `Run ${agent}` : titleOf(choice.query),
      query: choice.query,
      agent_name: agent,
      depends_on: [],
      pattern: "once",
    })),
  };
  return stage(scene, planStep(scene), (emit) => {
    scene.signal.throwIfAborted();
    emit(progress(scene, "tool_call_started", ""));
    return Promise.resolve(settle(scene, proposal, choice.query, choice.isNamed));
  });
}

/** A plan by the planner's model, which may first look closer at agents. */
export async function planWithModel(scene: Scene, query: string): Promise<Planned> {
  return stage(scene, planStep(scene), async (emit, budget) => {
    const place = { thread_id: scene.threadId, task_id: planStep(scene).scope, agent_name: PLANNER };
    const agents = scene.agents.filter(isPlannable);
    const restart = restarting(emit, place);
    const begin = () => emit(progress(scene, "tool_call_started", ""));
    begin();
    const system = plannerPrompt(agents, { ...scene.request, now: scene.ports.now() }, scene.limits.maxTasks);
    const talk = {
      model: scene.ports.model,
      budget,
      role: "planner",
      messages: [
        { role: "system" as const, content: system },
        ...scene.history(),
        { role: "user" as const, content: query },
      ],
      tools: [CREATE_PLAN, DESCRIBE],
      signal: scene.signal,
      hear: () => {},
      restart: (attempt: number) => {
        restart(attempt);
        begin();
      },
    };
    try {
      return settle(scene, await converse(talk, (completion) => readPlan(completion, agents)), query, false);
    } catch (thrown) {
      if (scene.signal.aborted || !(thrown instanceof ModelFault || thrown instanceof BudgetExceeded)) throw thrown;
      return refuse(scene, thrown.message, thrown instanceof ModelFault ? thrown.code : "budget_exceeded");
    }
  });
}

function planStep(scene: Scene) {
  return { name: "plan", scope: stageScope(scene.threadId, "planner"), agentName: PLANNER };
}

/** One answer of the planner's model: a proposal, a question about agents, or a mistake. */
function readPlan({ toolCalls }: Completion, agents: readonly Agent[]): Reading<Proposal> {
  const plan = toolCalls.find((call) => call.name === CREATE_PLAN.name);
  if (plan !== undefined) {
    const read = argumentsOf(proposalSchema, plan);
    return "mistake" in read ? correction(toolCalls, read.mistake) : { kind: "outcome", value: read.value };
  }
  const messages: ChatMessage[] = [];
  for (const call of toolCalls) {
    const read = argumentsOf(describeSchema, call);
    if (call.name !== DESCRIBE.name || "mistake" in read) {
      return correction(toolCalls, "mistake" in read ? read.mistake : `There is no tool ${call.name}.`);
    }
    const agent = agents.find(({ name }) => name === read.value.agent_name);
    const content =
      agent === undefined ? `There is no agent ${read.value.agent_name}.` : JSON.stringify(described(agent));
    messages.push({ role: "tool", toolCallId: call.id, content });
  }
  if (messages.length === 0) return correction([], "Call create_plan.");
  return { kind: "reply", messages, isMistake: false };
}

/** Judges a proposal: zero tasks and the reason, or the plan. */
function settle(scene: Scene, proposal: Proposal, query: string, isNamed: boolean): StepOutcome<Planned> {
  if (!proposal.adequate || proposal.tasks.length === 0) {
    const guidance = proposal.guidance_message ?? "";
    return guide(scene, guidance !== "" ? guidance : proposal.reason !== "" ? proposal.reason : NO_PLAN);
  }
  const candidates = scene.agents.filter((agent) => isNamed || isPlannable(agent));
  const problem = problemOf(proposal.tasks, candidates, scene);
  if (problem !== null) return refuse(scene, problem, "plan_refused");
  const plan = planOf(scene, proposal, query, !isNamed);
  const closing: Draft[] = [progress(scene, "tool_call_completed", "Completed")];
  if (plan.guidance_message !== undefined) closing.push(guidanceChunk(scene, plan.guidance_message));
  closing.push({ event: "plan_created", data: { ...placeOf(scene), role: "agent", payload: { plan } } });
  return { value: { kind: "ready", plan }, closing };
}

const NO_PLAN = "I could not find a way to carry this out with the agents at hand.";

function guide(scene: Scene, guidance: string): StepOutcome<Planned> {
  return {
    value: { kind: "guided" },
    closing: [progress(scene, "tool_call_completed", `Reason: ${guidance}`), guidanceChunk(scene, guidance)],
  };
}

function refuse(scene: Scene, reason: string, code: string): StepOutcome<Planned> {
  const { thread_id } = placeOf(scene);
  return {
    value: { kind: "refused" },
    closing: [
      progress(scene, "tool_call_completed", `Reason: ${reason}`),
      { event: "plan_failed", data: { thread_id, role: "system", payload: { content: reason, code } } },
    ],
  };
}

function planOf(scene: Scene, proposal: Proposal, query: string, isHandoff: boolean): Plan {
  const { ports, request, threadId } = scene;
  const now = ports.now();
  const planId = ports.mint("plan");
  const ids = new Map(proposal.tasks.map((task) => [task.id, ports.mint("task")]));
  const idOf = (id: string): string => ids.get(id) ?? id;
  const tasks = proposal.tasks.map((brief): Task => {
    const taskId = idOf(brief.id);
    return {
      task_id: taskId,
      plan_id: planId,
      conversation_id: isHandoff ? companion(taskId, "conv") : scene.conversationId,
      thread_id: threadId,
      title: brief.title === "" ? titleOf(brief.query) : brief.title,
      query: brief.query,
      agent_name: brief.agent_name,
      depends_on: brief.depends_on.map(idOf),
      pattern: brief.pattern,
      ...(brief.schedule_config === null || brief.schedule_config === undefined
        ? {}
        : { schedule_config: brief.schedule_config }),
      handoff_from_super_agent: isHandoff,
      metadata: {},
      status: "pending",
      created_at: now,
    };
  });
  const guidance = proposal.guidance_message ?? "";
  return {
    plan_id: planId,
    conversation_id: scene.conversationId,
    thread_id: threadId,
    user_id: scene.userId,
    orig_query: request.message,
    query,
    reasoning: proposal.reason,
    ...(guidance === "" ? {} : { guidance_message: guidance }),
    created_at: now,
    tasks,
  };
}

function titleOf(query: string): string {
  const line = query.trim().split("\n", 1)[0] ?? "";
  const isCjk = /[\u3400-\u9fff]/.test(line);
  return isCjk ? [...line].slice(0, 20).join("") : line.split(/\s+/).slice(0, 10).join(" ");
}

function placeOf(scene: Scene) {
  return { thread_id: scene.threadId, task_id: planStep(scene).scope, agent_name: PLANNER };
}

/** Planning, shown as a tool call of the planner. */
function progress(scene: Scene, event: "tool_call_started" | "tool_call_completed", result: string): Draft {
  const call = { tool_call_id: companion(scene.threadId, "call"), tool_name: "generate_execution_plan" };
  const data = { ...placeOf(scene), role: "agent", item_id: call.tool_call_id } as const;
  if (event === "tool_call_started") return { event, data: { ...data, payload: call } };
  return { event, data: { ...data, payload: { ...call, tool_result: JSON.stringify([{ content: result }]) } } };
}

function guidanceChunk(scene: Scene, content: string): Draft {
  return { event: "message_chunk", data: { ...placeOf(scene), role: "agent", payload: { content } } };
}
