// Starts an instance: converts its agent listeners to the tasks of a plan and applies the first change.

import { companion } from "../../protocol/ids.ts";
import type { Plan, Task } from "../../protocol/plan.ts";
import type { PlanContext, PlanTemplate } from "../../protocol/plan-template.ts";
import type { StepOutcome } from "../ports.ts";
import type { Scene } from "../scene.ts";
import { advance } from "./advance.ts";
import type { Bounds } from "./change.ts";
import { compile, type Compiled, type CompiledListener } from "./compile.ts";
import { placeIn, shown, told, type Instance } from "./components.ts";
import { reachOf } from "./reach.ts";
import { initial, type State } from "./state.ts";

/** The input of an instance: its id, its template, and the initial values. */
export type Beginning = {
  readonly plan_instance_id: string;
  readonly template: PlanTemplate;
  /** The initial context of the main task. */
  readonly context: PlanContext;
};

/** The context and the first state of an instance. */
type Begun = { readonly instance: Instance; readonly state: State };

/** The maximum number of components per step, because the events of one step are one row of the log. */
const MOST_TOLD = 100;

/**
 * Starts an instance in a few journaled steps and returns its context and first state. A repeated run returns the same
 * ids and bounds from the journal. Throws the signal's reason if it is aborted before the plan is created.
 */
export async function begin(scene: Scene, { plan_instance_id, template, context }: Beginning): Promise<Begun> {
  const compiled = compile(template);
  const { threadId, ports, signal, limits } = scene;
  const { task_id: scope, agent_name: agentName } = placeIn(threadId);
  const once = <T>(name: string, work: () => StepOutcome<T>): Promise<T> =>
    ports.step<T>({ name, scope, agentName, isAtomic: true }, () => Promise.resolve(work()));
  const plan = await once<Plan>("instance", () => {
    signal.throwIfAborted();
    const value = planOf(scene, template, compiled);
    const data = { ...placeIn(threadId), role: "agent", payload: { plan: value } } as const;
    return { value, closing: [{ event: "plan_created", data }] };
  });
  // The bounds must be journaled: with other bounds, the journaled changes would not match the state.
  const bounds = await once<Bounds>("bounds", () => {
    const { maxConcurrentTasks, maxFirings } = limits;
    return { value: { maxConcurrentTasks, maxFirings }, closing: [] };
  });
  const taskIds = new Map(plan.tasks.map(({ task_id, metadata }) => [String(metadata["listener_id"]), task_id]));
  const instance = { plan_instance_id, template, compiled, bounds, plan, taskIds };
  const started = { kind: "started", at: plan.created_at, context } as const;
  const state = advance(compiled, bounds, initial(compiled), started);
  const drafts = told(instance, null, state);
  for (let from = 0; from < drafts.length; from += MOST_TOLD) {
    const closing = drafts.slice(from, from + MOST_TOLD);
    await once<null>(`instance:${from}`, () => ({ value: null, closing: signal.aborted ? [] : closing }));
  }
  return { instance, state };
}

/** Builds the plan of an instance: one task per agent listener. Mints the ids inside a journaled step. */
function planOf(scene: Scene, template: PlanTemplate, compiled: Compiled): Plan {
  const { ports, request, threadId: thread_id } = scene;
  const created_at = ports.now();
  const plan_id = ports.mint("plan");
  const agents = [...compiled.listeners.values()].filter(({ listener }) => listener.listener_type === "agent");
  const ids = new Map(agents.map(({ listener }) => [listener.listener_id, ports.mint("task")]));
  const dependencies = dependenciesOf(compiled);
  const tasks = agents.map(({ listener }): Task => {
    const { listener_id, agent_id, action_prompt, success_output } = listener;
    const task_id = ids.get(listener_id) ?? "";
    const { task_id: target_task_id } = success_output;
    return {
      task_id,
      plan_id,
      conversation_id: companion(task_id, "conv"),
      thread_id,
      title: compiled.tasks.get(target_task_id)?.name ?? listener_id,
      query: shown(action_prompt),
      agent_name: agent_id ?? "",
      depends_on: (dependencies.get(listener_id) ?? []).flatMap((id) => ids.get(id) ?? []),
      pattern: "once",
      handoff_from_super_agent: true,
      metadata: { listener_id, target_task_id },
      status: "pending",
      created_at,
    };
  });
  return {
    plan_id,
    conversation_id: scene.conversationId,
    thread_id,
    user_id: scene.userId,
    orig_query: request.message,
    query: request.message,
    reasoning: shown(template.description),
    created_at,
    tasks,
  };
}

/** The maximum number of listed dependencies per task, so that a dense plan fits into one row. */
const MOST_DEPENDENCIES = 10;

/** Returns the dependencies to display per listener: earlier listeners whose output changes one of its triggers. */
function dependenciesOf(compiled: Compiled): ReadonlyMap<string, readonly string[]> {
  const { rounds } = reachOf(compiled);
  const roundOf = ({ listener }: CompiledListener): number => rounds.get(listener.listener_id) ?? 0;
  const byTarget = Map.groupBy(compiled.listeners.values(), ({ listener }) => listener.success_output.task_id);
  const before = (later: CompiledListener): string[] => {
    const sources = later.triggers.flatMap((id) => byTarget.get(id) ?? []);
    const earlier = sources.filter((source) => roundOf(source) > 0 && roundOf(source) < roundOf(later));
    return [...new Set(earlier.map(({ listener }) => listener.listener_id))].slice(0, MOST_DEPENDENCIES);
  };
  return new Map([...compiled.listeners].map(([id, listener]) => [id, before(listener)]));
}
