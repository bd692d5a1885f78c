// Finds templates that can never end: listeners that wait for one another, and a main task that no listener completes.

import type { WorkflowConfig } from "../../protocol/workflows/workflow-template.ts";
import { findCycle, type DependencyGraph } from "../../lib/graph.ts";
import { truncate } from "../../lib/truncate.ts";
import type { CompiledTemplate, CompiledListener } from "./compile-template.ts";
import { findBlockers, computeReachability, type Reachability } from "./reachability.ts";

/** Returns the problems: at most one wait cycle, and a main task that cannot become `Done`. */
export function findDeadlocks(compiled: CompiledTemplate, config: WorkflowConfig): TemplateProblem[] {
  const reach = computeReachability(compiled);
  const cycle = findCycle(buildWaitGraph(compiled, reach));
  const problems = cycle === null ? [] : [toCycleProblem(cycle, config)];
  return [...problems, ...findMainTaskProblems(compiled, reach)];
}

/**
 * Builds the wait graph of the listeners that can never fire: each depends on the listeners of this set that set a task
 * that blocks it.
 */
function buildWaitGraph({ listeners }: CompiledTemplate, reach: Reachability): DependencyGraph {
  const unreachable = [...listeners.values()].filter(({ listener }) => !reach.rounds.has(listener.listener_id));
  const byTarget = Map.groupBy(unreachable, ({ listener }) => listener.success_output.task_id);
  const sources = (compiled: CompiledListener): string[] =>
    findBlockers(compiled, reach).flatMap((id) => (byTarget.get(id) ?? []).map(({ listener }) => listener.listener_id));
  return new Map(unreachable.map((compiled) => [compiled.listener.listener_id, sources(compiled)]));
}

/** Converts a cycle, with its first id repeated at the end, to a problem at the trigger condition of that listener. */
function toCycleProblem(cycle: readonly string[], { listeners }: WorkflowConfig): TemplateProblem {
  const [first = ""] = cycle;
  const path = `listeners.${listeners.findIndex(({ listener_id: id }) => id === first)}.trigger_condition`;
  if (cycle.length === 2) return { path, message: `${first} waits for what it alone would do: it can never fire.` };
  const message = `These listeners wait for one another in a circle, so that none can ever fire: ${cycle.join(" → ")}.`;
  return { path, message };
}

/** Returns a problem if no listener that can fire sets the main task to `Done`. */
function findMainTaskProblems(
  { mainTaskId, listeners }: CompiledTemplate,
  { rounds }: Reachability,
): TemplateProblem[] {
  const path = "main_task_id";
  const finishers = [...listeners.values()].filter(
    ({ listener: { success_output: success, failure_output: failure } }) =>
      [success, failure].some((output) => output?.task_id === mainTaskId && output.status === "Done"),
  );
  if (finishers.length === 0) return [{ path, message: `No listener makes the main task ${mainTaskId} Done.` }];
  if (finishers.some(({ listener }) => rounds.has(listener.listener_id))) return [];
  const ids = finishers.map(
    ({ listener }) => `${listener.listener_id} (“${truncate(listener.trigger_condition, 200)}”)`,
  );
  const message = `The main task ${mainTaskId} can never be Done, as this can never fire: ${ids.join(", ")}.`;
  return [{ path, message }];
}

/** A problem: `path` locates it in the template (for example `listeners.0.agent_id`), `message` describes it. */
export type TemplateProblem = { readonly path: string; readonly message: string };
