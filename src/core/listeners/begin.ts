// The first step of an instance: its agent listeners become the tasks of a plan, and it starts.

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

/** What an instance begins with. */
export type Beginning = {
  readonly plan_instance_id: string;
  readonly template: PlanTemplate;
  /** What is known of the main task. */
  readonly context: PlanContext;
};

type Begun = { readonly instance: Instance; readonly state: State };

/** Most components that are told at once: what is told at once is one row of the log. */
const MOST_TOLD = 100;

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
  // Kept: under other bounds, what is in the journal would not be what happens next.
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

/** Of one task: plans in which everything depends on everything have to fit into a row. */
const MOST_DEPENDENCIES = 10;

/** The listeners that a listener comes after: those that change what it listens to, and can fire before it does. */
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
