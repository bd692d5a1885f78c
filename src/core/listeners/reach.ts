// Which listeners can fire at all, and how far from the start.

import type { PlanStatus } from "../../protocol/plan-template.ts";
import type { Compiled, CompiledListener } from "./compile.ts";
import type { Condition } from "../../protocol/conditions/condition.ts";

export type Reach = {
  /** The listeners that can fire, each with the number of rounds that it takes at least. */
  readonly rounds: ReadonlyMap<string, number>;
  /** Every status that a task can get. */
  readonly statuses: ReadonlyMap<string, ReadonlySet<PlanStatus>>;
};

/** What may be reached if agents succeed or fail as it suits. Values of contexts are taken to be whatever it takes. */
export function reachOf({ mainTaskId, tasks, listeners }: Compiled): Reach {
  const statuses = new Map([...tasks.keys()].map((id) => [id, new Set<PlanStatus>(["NotStarted"])]));
  statuses.set(mainTaskId, new Set(["Running"]));
  const changed = new Set([mainTaskId]);
  const rounds = new Map<string, number>();
  const add = (id: string, ...reached: readonly PlanStatus[]): void => {
    changed.add(id);
    for (const status of reached) statuses.get(id)?.add(status);
  };
  const canFire = ({ conditions, triggers }: CompiledListener): boolean =>
    triggers.some((id) => changed.has(id)) && conditions.every((one) => canBe(one, true, triggers, statuses));
  for (let round = 1, before = -1; rounds.size > before; round += 1) {
    before = rounds.size;
    const fired = [...listeners.values()].filter((one) => !rounds.has(one.listener.listener_id) && canFire(one));
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

type Statuses = Reach["statuses"];

/** Whether a condition can come out as wanted. Errs on the side of yes: its parts are judged apart from one another. */
function canBe(condition: Condition, wanted: boolean, triggers: readonly string[], statuses: Statuses): boolean {
  const can = (part: Condition): boolean => canBe(part, wanted, triggers, statuses);
  switch (condition.kind) {
    case "constant":
      return condition.holds === wanted;
    case "not":
      return canBe(condition.of, !wanted, triggers, statuses);
    case "and":
      return wanted ? condition.parts.every(can) : condition.parts.some(can);
    case "or":
      return wanted ? condition.parts.some(can) : condition.parts.every(can);
    case "status": {
      const ids = condition.task === null ? triggers : [condition.task];
      const canTask = (id: string): boolean => canStatus(condition, wanted, statuses.get(id));
      return wanted ? ids.every(canTask) : ids.some(canTask);
    }
    case "compared":
    case "present":
      return true;
  }
}

function canStatus(
  { is, status }: Extract<Condition, { kind: "status" }>,
  wanted: boolean,
  possible: ReadonlySet<PlanStatus> = new Set(),
): boolean {
  return [...possible].some((one) => ((one === status) === is) === wanted);
}

/** The tasks that keep a listener from ever firing: none of them can get the status that it waits for. */
export function blockersOf({ conditions, triggers }: CompiledListener, { statuses }: Reach): readonly string[] {
  const blockers = new Set(conditions.flatMap((condition) => blockersIn(condition, true, triggers, statuses)));
  return blockers.size > 0 ? [...blockers] : triggers;
}

function blockersIn(
  condition: Condition,
  wanted: boolean,
  triggers: readonly string[],
  statuses: Statuses,
): readonly string[] {
  if (canBe(condition, wanted, triggers, statuses)) return [];
  switch (condition.kind) {
    case "not":
      return blockersIn(condition.of, !wanted, triggers, statuses);
    case "and":
    case "or":
      return condition.parts.flatMap((part) => blockersIn(part, wanted, triggers, statuses));
    case "status": {
      const ids = condition.task === null ? triggers : [condition.task];
      return ids.filter((id) => !canStatus(condition, wanted, statuses.get(id)));
    }
    case "constant":
    case "compared":
    case "present":
      return [];
  }
}
