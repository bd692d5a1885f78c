// Runs one message from start to end: triage, planning, execution, verification, synthesis, `done`.
// This file is the table of contents of the runtime: every stage of a thread is called from here.

import { SUPER_AGENT } from "../protocol/events.ts";
import type { Plan } from "../protocol/plan.ts";
import { unreachable } from "../protocol/assert.ts";
import { Budget } from "./budget.ts";
import { execute } from "./executor.ts";
import type { Planned } from "./planned.ts";
import { planForAgents, planWithModel } from "./planner.ts";
import type { Draft, Ports } from "./ports.ts";
import type { Scene, Turn } from "./scene.ts";
import { isCancelled } from "./stop.ts";
import { synthesize } from "./synthesis.ts";
import { triage } from "./triage.ts";
import { doneDraft, usageOf, wordsFor, type TurnEnd } from "./turn-end.ts";
import { verifyPlan } from "./verify/plan.ts";

/**
 * Runs a turn and returns its end, or `paused` with the ids of the open questions. Never rejects: a failure is
 * published as `system_failed` and ends the thread (T3). If the signal is already aborted, the turn starts no new work;
 * it only ends the work that an earlier run had started.
 */
export async function runTurn(ports: Ports, turn: Turn): Promise<TurnEnd> {
  const startedAt = ports.now();
  const budget = new Budget(turn.limits);
  const ended = await respond(ports, turn, budget).catch((thrown: unknown) => failed(ports, turn, thrown));
  if (ended.status === "paused") return ended;
  const usage = usageOf(budget.spent, ended.tasks, ports.now() - startedAt);
  return { status: ended.status, closing: [...ended.closing, doneDraft(turn, usage)] };
}

/** The end of a turn before its `done` event; `tasks` is the number of planned tasks. */
type Ended = Exclude<TurnEnd, { status: "paused" }> & { readonly tasks: number };
/** The outcome of a turn that waits for answers. */
type Paused = Extract<TurnEnd, { status: "paused" }>;

/** Answers directly, or plans and executes. Rejects for failures outside the execution of a plan. */
async function respond(ports: Ports, turn: Turn, budget: Budget): Promise<Ended | Paused> {
  const agents = await ports.agents.list();
  const scene: Scene = { ...turn, ports, budget, agents };
  const planned = await decide(scene);
  switch (planned.kind) {
    case "answered":
    case "guided":
      return { status: "completed", closing: [], tasks: 0 };
    case "refused":
      return { status: "failed", closing: [], tasks: 0 };
    case "paused":
      return { status: "paused", request_ids: [planned.request_id] };
    case "ready": {
      const { plan } = planned;
      return carryOut(scene, plan).catch((thrown: unknown) => failed(ports, turn, thrown, plan.tasks.length));
    }
    default:
      return unreachable(planned);
  }
}

/** Plans for the agent that the person named; otherwise lets triage answer or choose how to plan. */
async function decide(scene: Scene): Promise<Planned | { readonly kind: "answered" }> {
  const { request } = scene;
  const named = request.agent ?? "";
  if (named !== "" && named.toLowerCase() !== SUPER_AGENT.toLowerCase()) {
    return planForAgents(scene, {
      agents: [named],
      query: request.message,
      reason: `You asked for ${named}.`,
      isNamed: true,
    });
  }
  const outcome = await triage(scene);
  if (outcome.decision === "answer") return { kind: "answered" };
  const query = outcome.enriched_query ?? request.message;
  if (outcome.strategy === "needs_planning") return planWithModel(scene, query);
  return planForAgents(scene, { agents: outcome.selected_agents, query, reason: outcome.reason, isNamed: false });
}

/** Executes a plan, verifies it if the plan asks for it, and writes the synthesis if there are several tasks. */
async function carryOut(scene: Scene, plan: Plan): Promise<Ended | Paused> {
  const executed = await execute(scene, plan);
  if (executed.kind === "paused") return { status: "paused", request_ids: executed.request_ids };
  const { tasks } = executed;
  // A task that the person cancelled is not a failure, and neither are the tasks that depend on it.
  const status = tasks.some((ended) => ended.status === "failed") ? "failed" : "completed";
  const checked = plan.verify === true ? await verifyPlan(scene, tasks) : null;
  const found = checked?.failure === undefined ? [] : [checked.failure];
  try {
    if (plan.tasks.length > 1) await synthesize(scene, tasks, checked?.verification);
    scene.signal.throwIfAborted();
  } catch (thrown) {
    return failed(scene.ports, scene, thrown, plan.tasks.length, found);
  }
  return { status: found.length > 0 ? "failed" : status, closing: found, tasks: plan.tasks.length };
}

/** Builds the end of a failed turn: the earlier events, then `system_failed`. A cancellation is not a failure (T5). */
function failed(ports: Ports, turn: Turn, thrown: unknown, tasks = 0, found: readonly Draft[] = []): Ended {
  if (isCancelled(turn.signal)) return { status: "completed", closing: [], tasks };
  const { content, code } = wordsFor(ports, turn.signal, thrown);
  const data = { role: "system", thread_id: turn.threadId, payload: { content, code } } as const;
  return { status: "failed", closing: [...found, { event: "system_failed", data }], tasks };
}
