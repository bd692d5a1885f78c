// Runs a task with its criterion: check, work, check, and at most two repairs.
//
// The criterion is planned, or the agent states it before it changes anything. Each check and each attempt is a
// journaled step, so a run after a crash repeats none of them (T4). The task's end is published after the last check.

import { createMessage } from "../../language/messages.ts";
import type { AgentMetadata, Provenance } from "../../protocol/agents/agent.ts";
import type { Criterion, CriterionCheck } from "../../protocol/plans/criterion.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import { evaluateCriterion, findCriterionProblem } from "../../protocol/plans/judge-criterion.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import { findTaskAgent } from "../turn/agent-run.ts";
import { buildProvenance, listTurnTexts } from "../turn/provenance.ts";
import { createRetryEvent } from "../turn/task-events.ts";
import type { CheckedCriterion, Repair, TaskOutcome, WaitingTask } from "../turn/task-outcome.ts";
import { endTask, runTaskSegment, type TaskOptions } from "../turn/task-segment.ts";
import type { TurnContext } from "../turn/turn-context.ts";
import { checkCriterion, type CheckOutcome } from "./check-criterion.ts";

const MAX_REPAIRS = 2;

/**
 * Runs one segment of a task, like `runTaskSegment`, with its checks. A completed outcome has `checked` if the task has a
 * criterion. A criterion that holds after the work, or that cannot be checked, ends the task; otherwise the agent gets
 * the evidence and repairs its work.
 */
export async function runCheckedTask(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  resumeFrom: WaitingTask | null,
  outcomes: ReadonlyMap<string, TaskOutcome>,
): Promise<TaskOutcome | WaitingTask> {
  if (!isCheckable(turn, plan, task, outcomes))
    return runTaskSegment(turn, plan, task, resumeFrom, outcomes, { recordsTools: plan.verify === true });
  const planned = task.criterion;
  const plannedBefore = planned === undefined ? undefined : await checkCriterion(turn, task, planned, 0);
  let repair = resumeFrom?.repair;
  for (let from = resumeFrom; ; from = null) {
    const outcome = await runTaskSegment(turn, plan, task, from, outcomes, buildOptions(turn, plan, task, repair));
    if (outcome.status === "waiting") return repair === undefined ? outcome : { ...outcome, repair };
    if (outcome.status !== "completed") return outcome;
    const contract = repair ?? getContract(turn, task, outcome, planned, plannedBefore);
    if (contract === null) return endTask(turn, task, outcome);
    const attempts = repair?.attempt ?? 1;
    const after = await checkCriterion(turn, task, contract.criterion, attempts);
    if (isStopped(turn, task)) return endTask(turn, task, outcome);
    const seqs = after.seq === null ? contract.seqs : [...contract.seqs, after.seq];
    const evidence = { criterion: contract.criterion, before: contract.before, seqs };
    if ("error" in after.check || after.check.holds || attempts > MAX_REPAIRS) {
      const checked: CheckedCriterion = { ...evidence, after: after.check, attempts };
      return endTask(turn, task, { ...outcome, checked });
    }
    repair = { ...evidence, after: after.check, attempt: attempts + 1 };
    await publishRepair(turn, task, repair);
  }
}

/** True if the agent of the task can run checks, and the request does not exclude them. */
function isCheckable(turn: TurnContext, plan: Plan, task: Task, outcomes: ReadonlyMap<string, TaskOutcome>): boolean {
  const canStart = task.depends_on.every((id) => outcomes.get(id)?.status === "completed");
  if (!canStart || isStopped(turn, task) || turn.request.verify === false) return false;
  return hasChecks(turn, task);
}

/** True if the plan is verified and the agent's work may have effects: only a criterion can then verify the task. */
export function needsCriterion(turn: TurnContext, plan: Plan, task: Task): boolean {
  return plan.verify === true && hasChecks(turn, task);
}

function hasChecks(turn: TurnContext, task: Task): boolean {
  return findTaskAgent(turn, task)?.checks !== undefined;
}

function isStopped(turn: TurnContext, task: Task): boolean {
  return turn.signal.aborted || turn.taskSignal(task.task_id).aborted;
}

type Contract = Pick<CheckedCriterion, "criterion" | "before" | "seqs">;

/** Returns the criterion of a first attempt with its check before the work; null if there is none that proves anything. */
function getContract(
  turn: TurnContext,
  task: Task,
  { stated }: Extract<TaskOutcome, { status: "completed" }>,
  planned: Criterion | undefined,
  plannedBefore: CheckOutcome | undefined,
): Contract | null {
  if (planned !== undefined && plannedBefore !== undefined) {
    const { check: before, seq } = plannedBefore;
    return { criterion: planned, before, seqs: seq === null ? [] : [seq] };
  }
  if (stated === undefined) return null;
  const { criterion, before } = stated;
  // The agent may be a foreign one, so its criterion is examined again.
  const { person, untrusted } = listTurnTexts(turn);
  const texts = [...person, ...untrusted.map(({ text }) => text)];
  if (findCriterionProblem(criterion, task.query, texts) !== null) return null;
  return { criterion, before: { holds: evaluateCriterion(criterion, before), result: before }, seqs: [] };
}

/** Returns the options of an attempt. A repair has the evidence in its context. */
function buildOptions(turn: TurnContext, plan: Plan, task: Task, repair: Repair | undefined): TaskOptions {
  const options = { endsLater: true, recordsTools: true };
  if (repair === undefined)
    return task.criterion === undefined
      ? { ...options, metadata: { criterion: plan.verify === true ? "required" : "wanted" } }
      : options;
  const { attempt, criterion, after } = repair;
  const provenance = buildProvenance(turn, task.query);
  return { ...options, attempt, metadata: buildEvidence(turn, criterion, after, {}, provenance) };
}

/** Returns a context and provenance with the evidence of a failed check. The result of the tool is untrusted. */
export function buildEvidence(
  { ports }: Pick<TurnContext, "ports">,
  criterion: Criterion,
  { result }: CriterionCheck,
  context: WorkflowTaskContext,
  provenance: Provenance,
): Pick<AgentMetadata, "current_context" | "provenance"> {
  return {
    current_context: {
      ...context,
      failed_check: { ...criterion, result },
      instruction: ports.formatMessage(createMessage("verification.repairInstruction")),
    },
    provenance: { ...provenance, untrusted: [...provenance.untrusted, { source: criterion.tool, text: result }] },
  };
}

/** Publishes that the check failed and the next attempt starts. */
function publishRepair(turn: TurnContext, task: Task, { attempt }: Repair): Promise<null> {
  const { task_id: scope, agent_name: agentName } = task;
  const reason = turn.ports.formatMessage(createMessage("verification.repairing"));
  return turn.ports.step({ name: `repair:${scope}#${attempt}`, scope, agentName, isAtomic: true }, async () => ({
    value: null,
    closing: [createRetryEvent(task, reason, attempt)],
  }));
}
