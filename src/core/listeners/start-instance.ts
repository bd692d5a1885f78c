// Starts an instance: converts its agent listeners to the tasks of a plan and applies the first change.

import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import type { WorkflowTaskContext, WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { buildPlan, buildTask } from "../turn/build-plan.ts";
import { getStageScope, runAtomicStep, type TurnContext } from "../turn/turn-context.ts";
import { applyChange } from "./apply-change.ts";
import type { InstanceBounds } from "./instance-state-builder.ts";
import { compileTemplate, type CompiledTemplate, type CompiledListener } from "./compile-template.ts";
import { truncateForDisplay, createUpdateEvents, type WorkflowInstance } from "./instance-components.ts";
import { computeReachability } from "./reachability.ts";
import { createInitialState, type InstanceState } from "./instance-state.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";

/** The input of an instance: its id, its template, and the initial values. */
export type InstanceInput = {
  readonly plan_instance_id: string;
  readonly template: WorkflowTemplate;
  /** The initial context of the main task. */
  readonly context: WorkflowTaskContext;
};

/** The constant data and the first state of an instance. */
type InitialInstance = { readonly instance: WorkflowInstance; readonly state: InstanceState };

/** The maximum number of components per step, because the events of one step are one row of the log. */
const MAX_EVENTS_PER_STEP = 100;

/**
 * Starts an instance in a few journaled steps, which publish the plan and the first components. Returns its constant
 * data and first state. A repeated run returns the same ids and bounds from the journal. Rejects with the signal's
 * reason if it is aborted before the plan is created; later it only stops publishing.
 */
export async function startInstance(
  turn: TurnContext,
  { plan_instance_id, template, context }: InstanceInput,
): Promise<InitialInstance> {
  const compiled = compileTemplate(template);
  const { threadId, ports, signal, limits } = turn;
  const plan = await runAtomicStep<Plan>(turn, "planner", "instance", () => {
    signal.throwIfAborted();
    const value = buildInstancePlan(turn, template, compiled);
    const data = { ...getStageScope(threadId, "planner"), role: "agent", payload: { plan: value } } as const;
    return { value, closing: [{ event: "plan_created", data }] };
  });
  // The bounds must be journaled: with other bounds, the journaled changes would not match the state.
  const bounds = await runAtomicStep<InstanceBounds>(turn, "planner", "bounds", () => {
    const { maxConcurrentTasks, maxFirings } = limits;
    return { value: { maxConcurrentTasks, maxFirings }, closing: [] };
  });
  const taskIds = new Map(plan.tasks.map(({ task_id, metadata }) => [String(metadata["listener_id"]), task_id]));
  const { formatMessage } = ports;
  const instance = { plan_instance_id, template, startValues: context, compiled, bounds, formatMessage, plan, taskIds };
  const started = { kind: "started", at: plan.created_at, context } as const;
  const state = applyChange(instance, createInitialState(compiled), started);
  const drafts = createUpdateEvents(instance, null, state);
  for (let from = 0; from < drafts.length; from += MAX_EVENTS_PER_STEP) {
    const closing = drafts.slice(from, from + MAX_EVENTS_PER_STEP);
    await runAtomicStep<null>(turn, "planner", `instance:${from}`, () => ({
      value: null,
      closing: signal.aborted ? [] : closing,
    }));
  }
  return { instance, state };
}

/** Builds the plan of an instance: one task per agent listener. Mints the ids inside a journaled step. */
function buildInstancePlan(turn: TurnContext, template: WorkflowTemplate, compiled: CompiledTemplate): Plan {
  const { ports } = turn;
  const created_at = ports.now();
  const plan_id = ports.mint("plan");
  const agents = [...compiled.listeners.values()].filter(({ listener }) => listener.listener_type === "agent");
  const ids = new Map(agents.map(({ listener }) => [listener.listener_id, ports.mint("task")]));
  const dependencies = listDependencies(compiled);
  const tasks = agents.map(({ listener }): Task => {
    const { listener_id, agent_id, action_prompt, success_output } = listener;
    const { task_id: target_task_id } = success_output;
    return buildTask(turn, {
      task_id: ids.get(listener_id) ?? "",
      plan_id,
      title: compiled.tasks.get(target_task_id)?.name ?? listener_id,
      query: truncateForDisplay(action_prompt),
      agent_name: agent_id ?? "",
      depends_on: (dependencies.get(listener_id) ?? []).flatMap((id) => ids.get(id) ?? []),
      handoff_from_super_agent: true,
      metadata: { listener_id, target_task_id },
      created_at,
    });
  });
  return buildPlan(turn, { plan_id, reasoning: truncateForDisplay(template.description), created_at, tasks });
}

/** The maximum number of listed dependencies per task, so that a dense plan fits into one row. */
const MAX_LISTED_DEPENDENCIES = 10;

/** Returns the dependencies to display per listener: earlier listeners whose output changes one of its triggers. */
function listDependencies(compiled: CompiledTemplate): ReadonlyMap<string, readonly string[]> {
  const { rounds } = computeReachability(compiled);
  const getRound = ({ listener }: CompiledListener): number => rounds.get(listener.listener_id) ?? 0;
  const byTarget = Map.groupBy(compiled.listeners.values(), ({ listener }) => listener.success_output.task_id);
  const listEarlier = (later: CompiledListener): string[] => {
    const sources = later.triggers.flatMap((id) => byTarget.get(id) ?? []);
    const earlier = sources.filter((source) => getRound(source) > 0 && getRound(source) < getRound(later));
    return [...new Set(earlier.map(({ listener }) => listener.listener_id))].slice(0, MAX_LISTED_DEPENDENCIES);
  };
  return new Map([...compiled.listeners].map(([id, listener]) => [id, listEarlier(listener)]));
}

/** Returns the requested language; detects it from the message only if none was requested. */
export function resolveInstanceLanguage({ message, language }: TurnContext["request"]): Language {
  return language === undefined ? detectLanguage(message) : detectLanguage("", language);
}
