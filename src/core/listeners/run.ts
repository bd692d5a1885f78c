// One instance of a listener plan, start to finish.

import type { PlanContext, PlanTemplate } from "../../protocol/plan-template.ts";
import type { Ports } from "../ports.ts";
import type { Turn } from "../scene.ts";
import type { TurnEnd } from "../turn-end.ts";

/** The thread of an instance's own conversation. Resuming it is the answer to the question by which it is held. */
export type InstanceTurn = Turn & {
  readonly instance: {
    readonly plan_instance_id: string;
    readonly template: PlanTemplate;
    /** What is known of the main task. */
    readonly context: PlanContext;
    readonly verify: boolean;
  };
};

/** Never rejects, as `runTurn`. */
export function runInstance(_ports: Ports, _turn: InstanceTurn): Promise<TurnEnd> {
  return Promise.reject(new Error("Not there yet."));
}
