// Reachability analysis: computes which listeners can fire, after how many rounds, and the statuses tasks can have.

import type { WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import type { CompiledTemplate, CompiledListener } from "./compile-template.ts";
import type { Condition } from "../../protocol/workflows/condition.ts";

/** The result of the analysis. */
export type Reachability = {
  /** The listeners that can fire, with the minimum number of rounds from the start, counted from 1. */
  readonly rounds: ReadonlyMap<string, number>;
  /** All statuses that each task can have. */
  readonly statuses: ReadonlyMap<string, ReadonlySet<WorkflowTaskStatus>>;
};

/**
 * Computes an over-approximation by fixpoint iteration: each agent may succeed or fail, and context values may be
 * anything. A listener outside `rounds` can never fire.
 */
export function computeReachability({ mainTaskId, tasks, listeners }: CompiledTemplate): Reachability {
  const statuses = new Map([...tasks.keys()].map((id) => [id, new Set<WorkflowTaskStatus>(["NotStarted"])]));
  statuses.set(mainTaskId, new Set(["Running"]));
  const changed = new Set([mainTaskId]);
  const rounds = new Map<string, number>();
  const add = (id: string, ...reached: readonly WorkflowTaskStatus[]): void => {
    changed.add(id);
    for (const status of reached) statuses.get(id)?.add(status);
  };
  const canFire = ({ conditions, triggers }: CompiledListener): boolean =>
    triggers.some((id) => changed.has(id)) && conditions.every((part) => canEvaluateTo(part, true, triggers, statuses));
  for (let round = 1, before = -1; rounds.size > before; round += 1) {
    before = rounds.size;
    const fired = [...listeners.values()].filter(
      (compiled) => !rounds.has(compiled.listener.listener_id) && canFire(compiled),
    );
    for (const { listener } of fired) {
      const { listener_id: id, success_output: success, failure_output: failure } = listener;
      rounds.set(id, round);
      add(success.task_id, success.status);
      if (failure !== undefined && failure !== null) add(failure.task_id, failure.status);
      else {
        add(success.task_id, "Error");
        add(mainTaskId, "Error", "Retrying", "Pending");
      }
    }
  }
  return { rounds, statuses };
}

type PossibleStatuses = Reachability["statuses"];

/** True if a condition can evaluate to `expected`. May be wrongly true, because parts are evaluated independently. */
function canEvaluateTo(
  condition: Condition,
  expected: boolean,
  triggers: readonly string[],
  statuses: PossibleStatuses,
): boolean {
  const can = (part: Condition): boolean => canEvaluateTo(part, expected, triggers, statuses);
  switch (condition.kind) {
    case "constant":
      return condition.holds === expected;
    case "not":
      return canEvaluateTo(condition.of, !expected, triggers, statuses);
    case "and":
      return expected ? condition.parts.every(can) : condition.parts.some(can);
    case "or":
      return expected ? condition.parts.some(can) : condition.parts.every(can);
    case "status": {
      const ids = condition.task === null ? triggers : [condition.task];
      const canTask = (id: string): boolean => canMatchStatus(condition, expected, statuses.get(id));
      return expected ? ids.every(canTask) : ids.some(canTask);
    }
    case "compared":
    case "present":
      return true;
  }
}

/** True if a task with these possible statuses can make a status condition evaluate to `expected`. */
function canMatchStatus(
  { is, status }: Extract<Condition, { kind: "status" }>,
  expected: boolean,
  possible: ReadonlySet<WorkflowTaskStatus> = new Set(),
): boolean {
  return [...possible].some((candidate) => ((candidate === status) === is) === expected);
}

/**
 * Returns the tasks that keep an unreachable listener from firing, because they cannot reach a status that it waits
 * for; all its trigger tasks if the conditions name no such task.
 */
export function findBlockers(
  { conditions, triggers }: CompiledListener,
  { statuses }: Reachability,
): readonly string[] {
  const blockers = new Set(
    conditions.flatMap((condition) => findConditionBlockers(condition, true, triggers, statuses)),
  );
  return blockers.size > 0 ? [...blockers] : triggers;
}

/** Returns the tasks that make a condition unreachable; empty if it is reachable or no task decides it. */
function findConditionBlockers(
  condition: Condition,
  expected: boolean,
  triggers: readonly string[],
  statuses: PossibleStatuses,
): readonly string[] {
  if (canEvaluateTo(condition, expected, triggers, statuses)) return [];
  switch (condition.kind) {
    case "not":
      return findConditionBlockers(condition.of, !expected, triggers, statuses);
    case "and":
    case "or":
      return condition.parts.flatMap((part) => findConditionBlockers(part, expected, triggers, statuses));
    case "status": {
      const ids = condition.task === null ? triggers : [condition.task];
      return ids.filter((id) => !canMatchStatus(condition, expected, statuses.get(id)));
    }
    case "constant":
    case "compared":
    case "present":
      return [];
  }
}
