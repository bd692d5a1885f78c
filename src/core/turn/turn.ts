// Runs one message from start to end: triage, planning, execution, verification, synthesis, `done`.
// This file is the table of contents of the runtime: every stage of a thread is called from here.

import { SUPER_AGENT } from "../../protocol/wire/events.ts";
import type { Plan } from "../../protocol/plans/task-plan.ts";
import { assertNever } from "../../lib/assert.ts";
import { createMessage } from "../../language/messages.ts";
import { Budget } from "../models/budget.ts";
import { executeTasks } from "./executor.ts";
import { openTurn } from "./open-turn.ts";
import type { PlanningOutcome } from "./planning-outcome.ts";
import { planForAgents, planWithModel } from "./planner.ts";
import type { EventDraft, Ports } from "../ports.ts";
import type { TurnContext, TurnInput } from "./turn-context.ts";
import { isCancelledByPerson } from "./stop-reason.ts";
import { synthesize } from "./synthesis.ts";
import { runTriage } from "./triage.ts";
import { createDoneEvent, createSystemFailure, buildUsage, describeFailure, type TurnOutcome } from "./turn-outcome.ts";
import { runCheckedTask } from "../verify/run-checked-task.ts";
import { needsVerification, verifyPlan } from "../verify/verify-tasks.ts";

/**
 * Runs a turn and returns its end, or `paused` with the ids of the open questions. Never rejects: a failure is
 * published as `system_failed` and ends the thread (T3). If the signal is already aborted, the turn starts no new work;
 * it only ends the work that an earlier run had started.
 */
export async function runTurn(ports: Ports, input: TurnInput): Promise<TurnOutcome> {
  const startedAt = ports.now();
  const budget = new Budget(input.limits);
  const ended = await runStages(ports, input, budget).catch((thrown: unknown) => buildFailedTurn(ports, input, thrown));
  if (ended.status === "paused") return ended;
  const usage = buildUsage(budget.recordedCalls, ended.tasks, ports.now() - startedAt);
  return { status: ended.status, closing: [...ended.closing, createDoneEvent(input, usage)] };
}

/** The end of a turn before its `done` event; `tasks` is the number of planned tasks. */
type EndedTurn = Exclude<TurnOutcome, { status: "paused" }> & { readonly tasks: number };
/** The outcome of a turn that waits for answers. */
type PausedTurn = Extract<TurnOutcome, { status: "paused" }>;

/** Answers directly, or plans and executes. Rejects for failures outside the execution of a plan. */
async function runStages(ports: Ports, input: TurnInput, budget: Budget): Promise<EndedTurn | PausedTurn> {
  const turn: TurnContext = await openTurn(ports, input, budget);
  const planned = await answerOrPlan(turn);
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
      return executePlan(turn, plan).catch((thrown: unknown) =>
        buildFailedTurn(ports, input, thrown, plan.tasks.length),
      );
    }
    default:
      return assertNever(planned);
  }
}

/** Plans for the agent that the person named; otherwise lets triage answer or choose how to plan. */
async function answerOrPlan(turn: TurnContext): Promise<PlanningOutcome | { readonly kind: "answered" }> {
  const { request } = turn;
  const named = request.agent ?? "";
  if (named !== "" && named.toLowerCase() !== SUPER_AGENT.toLowerCase()) {
    return planForAgents(turn, {
      agents: [named],
      query: request.message,
      reason: turn.ports.formatMessage(createMessage("plan.agentRequested", { agent: named })),
      isNamed: true,
    });
  }
  const outcome = await runTriage(turn);
  if (outcome.decision === "answer") return { kind: "answered" };
  const query = outcome.enriched_query ?? request.message;
  if (outcome.strategy === "needs_planning") return planWithModel(turn, query);
  return planForAgents(turn, { agents: outcome.selected_agents, query, reason: outcome.reason, isNamed: false });
}

/**
 * Executes a plan, verifies it if the plan asks for it or a task has a criterion, and writes the synthesis if there are several tasks or the answer
 * must have a format.
 */
async function executePlan(turn: TurnContext, plan: Plan): Promise<EndedTurn | PausedTurn> {
  const executed = await executeTasks(turn, plan, runCheckedTask);
  if (executed.kind === "paused") return { status: "paused", request_ids: executed.request_ids };
  const { tasks } = executed;
  // A task that the person cancelled is not a failure, and neither are the tasks that depend on it.
  const status = tasks.some((ended) => ended.status === "failed") ? "failed" : "completed";
  const verified = needsVerification(plan, tasks) ? await verifyPlan(turn, plan, tasks) : null;
  const failureEvents = verified?.failure === undefined ? [] : [verified.failure];
  try {
    if (plan.tasks.length > 1 || turn.request.answer?.format !== undefined)
      await synthesize(turn, tasks, verified?.verification);
    turn.signal.throwIfAborted();
  } catch (thrown) {
    return buildFailedTurn(turn.ports, turn, thrown, plan.tasks.length, failureEvents);
  }
  return { status: failureEvents.length > 0 ? "failed" : status, closing: failureEvents, tasks: plan.tasks.length };
}

/** Builds the end of a failed turn: the earlier events, then `system_failed`. A cancellation is not a failure (T5). */
function buildFailedTurn(
  ports: Ports,
  input: TurnInput,
  thrown: unknown,
  tasks = 0,
  failureEvents: readonly EventDraft[] = [],
): EndedTurn {
  if (isCancelledByPerson(input.signal)) return { status: "completed", closing: [], tasks };
  const failure = createSystemFailure(input.threadId, describeFailure(ports, input.signal, thrown));
  return { status: "failed", closing: [...failureEvents, failure], tasks };
}
