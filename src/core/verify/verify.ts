// The verification of tasks by their own agents. Each agent is asked in words to check its task and to change nothing.

import { must } from "../../protocol/assert.ts";
import { SUPER_AGENT } from "../../protocol/events.ts";
import { companion } from "../../protocol/ids.ts";
import type { Plan, Task } from "../../protocol/plan.ts";
import type { PlanContext } from "../../protocol/plan-template.ts";
import type { Verification } from "../../protocol/verification.ts";
import { languageOf, type Language } from "../../protocol/words/language.ts";
import { execute } from "../executor.ts";
import type { Draft } from "../ports.ts";
import { quietly } from "../quietly.ts";
import { stageScope, type Scene } from "../scene.ts";
import type { TaskEnd } from "../task-end.ts";
import type { Special } from "../task-run.ts";
import { checklistOf, summaryOf } from "./checklist.ts";
import { factsOf } from "./facts.ts";
import { outcomeOf } from "./outcome.ts";
import { requestFor, type Pair } from "./words.ts";

/** The machine-readable action in the context of the request. */
const ACTION = "verify_task_completion";

/**
 * Asks all agents in parallel and returns the checklist with its summary. Readers see the used tools, but not the
 * answers. A failure of one agent is the outcome of its entry. May be called once per thread: its step names are fixed.
 */
export async function verify(
  scene: Scene,
  pairs: readonly Pair[],
  subject: PlanContext,
  language: Language = languageOf(scene.request.message, scene.request.language),
): Promise<Verification> {
  const factsFor = ({ facts = {} }: Pair): PlanContext => factsOf({ ...facts, ...subject });
  const ids = await idsFor(scene, pairs.length);
  const asked = new Map(pairs.map((pair, i) => [must(ids[i], "an id for every pair"), pair]));
  const tasks = Array.from(asked, ([id, pair]) => taskFor(scene, id, pair, requestFor(pair, factsFor(pair), language)));
  const specialOf = ({ task_id }: Task): Special => {
    const pair = must(asked.get(task_id), task_id);
    const about = { task_id: pair.task_id, task_name: pair.task_name, action: ACTION };
    return {
      metadata: { scope: "read_only", current_context: { ...factsFor(pair), ...about } },
      keepsTools: true,
      asksNobody: true,
    };
  };
  const silent = { ...scene, ports: { ...scene.ports, step: quietly(scene.ports.step, isTold) } };
  const executed = await execute(silent, planOf(scene, tasks), specialOf);
  const ends = new Map<string, TaskEnd>(
    executed.kind === "ended" ? executed.tasks.map(({ task, ...end }) => [task.task_id, end]) : [],
  );
  const checklist = checklistOf(Array.from(asked, ([id, pair]) => [pair, outcomeOf(must(ends.get(id), id), language)]));
  return { checklist, summary: summaryOf(checklist), verification_completed: true };
}

/** Mints the task ids in a journaled step, so that an interrupted verification repeats the same requests. */
async function idsFor(scene: Scene, count: number): Promise<readonly string[]> {
  const scope = stageScope(scene.threadId, "verification");
  const spec = { name: "verification", scope, agentName: SUPER_AGENT, isAtomic: true };
  return scene.ports.step(spec, () =>
    Promise.resolve({ value: Array.from({ length: count }, () => scene.ports.mint("task")), closing: [] }),
  );
}

/** True for the tool events that readers receive; the connection to the agent is hidden. */
function isTold({ event, data }: Draft): boolean {
  if (event !== "tool_call_started" && event !== "tool_call_completed") return false;
  return data.payload.tool_name !== "connect_agent";
}

/** Builds a task outside the published plan. It has a new conversation, without the agent's earlier work. */
function taskFor(scene: Scene, task_id: string, { agent_name, task_name }: Pair, query: string): Task {
  return {
    task_id,
    plan_id: companion(task_id, "plan"),
    conversation_id: companion(task_id, "conv"),
    thread_id: scene.threadId,
    title: task_name,
    query,
    agent_name,
    depends_on: [],
    pattern: "once",
    handoff_from_super_agent: false,
    metadata: {},
    status: "pending",
    created_at: scene.ports.now(),
  };
}

/** Builds the unpublished plan of the verification tasks. */
function planOf(scene: Scene, tasks: Task[]): Plan {
  const { conversationId: conversation_id, threadId: thread_id, userId: user_id, request } = scene;
  return {
    plan_id: companion(stageScope(thread_id, "verification"), "plan"),
    conversation_id,
    thread_id,
    user_id,
    orig_query: request.message,
    query: request.message,
    reasoning: "",
    created_at: scene.ports.now(),
    tasks,
  };
}
