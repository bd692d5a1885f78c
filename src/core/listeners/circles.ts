// Finds templates that can never end: listeners that wait for one another, and a main task that no listener completes.

import type { PlanConfig } from "../../protocol/plan-template.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Compiled, CompiledListener } from "./compile.ts";
import { blockersOf, reachOf, type Reach } from "./reach.ts";
import type { Problem } from "./problem.ts";

/** Returns the problems: at most one wait cycle, and a main task that cannot become `Done`. */
export function circlesIn(compiled: Compiled, config: PlanConfig): Problem[] {
  const reach = reachOf(compiled);
  const circle = circleIn(waitsOf(compiled, reach));
  const problems = circle === null ? [] : [circleProblem(circle, config)];
  return [...problems, ...mainProblems(compiled, reach)];
}

/** The listeners that can never fire, each with the listeners of this set that it waits for. */
type Waits = ReadonlyMap<string, readonly string[]>;

/** Builds the wait graph of the unreachable listeners: an edge leads to each listener that sets a blocking task. */
function waitsOf({ listeners }: Compiled, reach: Reach): Waits {
  const silent = [...listeners.values()].filter(({ listener }) => !reach.rounds.has(listener.listener_id));
  const byTarget = Map.groupBy(silent, ({ listener }) => listener.success_output.task_id);
  const sources = (one: CompiledListener): string[] =>
    blockersOf(one, reach).flatMap((id) => (byTarget.get(id) ?? []).map(({ listener }) => listener.listener_id));
  return new Map(silent.map((one) => [one.listener.listener_id, sources(one)]));
}

/** Returns a cycle as a path of listeners, each of which waits for the next; null if there is none. */
function circleIn(waits: Waits, done = new Set<string>(), path: readonly string[] = []): readonly string[] | null {
  const last = path.at(-1);
  for (const id of (last === undefined ? [...waits.keys()] : waits.get(last)) ?? []) {
    const seen = path.indexOf(id);
    if (seen >= 0) return path.slice(seen);
    const circle = done.has(id) ? null : circleIn(waits, done, [...path, id]);
    if (circle !== null) return circle;
    done.add(id);
  }
  return null;
}

/** Converts a cycle to a problem at the trigger condition of its first listener. */
function circleProblem(circle: readonly string[], { listeners }: PlanConfig): Problem {
  const [first = ""] = circle;
  const path = `listeners.${listeners.findIndex(({ listener_id: id }) => id === first)}.trigger_condition`;
  if (circle.length === 1) return { path, message: `${first} waits for what it alone would do: it can never fire.` };
  const way = [...circle, first].join(" → ");
  return { path, message: `These listeners wait for one another in a circle, so that none can ever fire: ${way}.` };
}

/** Returns a problem if no listener that can fire sets the main task to `Done`. */
function mainProblems({ mainTaskId, listeners }: Compiled, { rounds }: Reach): Problem[] {
  const path = "main_task_id";
  const finishers = [...listeners.values()].filter(
    ({ listener: { success_output: success, failure_output: failure } }) =>
      [success, failure].some((output) => output?.task_id === mainTaskId && output.status === "Done"),
  );
  if (finishers.length === 0) return [{ path, message: `No listener makes the main task ${mainTaskId} Done.` }];
  if (finishers.some(({ listener }) => rounds.has(listener.listener_id))) return [];
  const ids = finishers.map(({ listener }) => `${listener.listener_id} (“${cut(listener.trigger_condition, 200)}”)`);
  const message = `The main task ${mainTaskId} can never be Done, as this can never fire: ${ids.join(", ")}.`;
  return [{ path, message }];
}
