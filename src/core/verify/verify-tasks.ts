// The verification of finished tasks. The evidence of a criterion decides; the agents of all other tasks are asked in words
// to check their task and to change nothing.

import { ensurePresent } from "../../lib/assert.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { Verification } from "../../protocol/plans/verification.ts";
import { createMessage } from "../../language/messages.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { executeTasks, type EndedTask } from "../turn/executor.ts";
import type { EventDraft } from "../ports.ts";
import { buildPlan, buildTask } from "../turn/build-plan.ts";
import { getStageScope, runAtomicStep, type TurnContext } from "../turn/turn-context.ts";
import { createSystemFailure } from "../turn/turn-outcome.ts";
import type { TaskOutcome } from "../turn/task-outcome.ts";
import { runTaskSegment, type TaskOptions } from "../turn/task-segment.ts";
import { needsCriterion } from "./run-checked-task.ts";
import { buildChecklist, summarizeChecklist } from "./checklist.ts";
import { toCheckedOutcome, toVerificationOutcome, type VerificationOutcome } from "./verification-outcome.ts";
import { formatVerificationRequest, type VerificationTarget, limitFacts } from "./verification-request.ts";
import { createVerificationEvent, formatVerification } from "./verification-events.ts";
import { withFilteredEvents } from "../models/budgeted-step.ts";

/** The machine-readable action in the context of the request. */
const VERIFY_ACTION = "verify_task_completion";

/**
 * Asks the agents of all targets without an outcome in parallel, as far as `maxConcurrentTasks` allows, and returns the
 * checklist with its summary. Publishes the used tools, but not the answers. A failure of an agent is the outcome of its entry. May be
 * called once per thread: its step names are fixed.
 */
export async function verifyTasks(
  turn: TurnContext,
  targets: readonly VerificationTarget[],
  subject: WorkflowTaskContext,
  language: Language = detectLanguage(turn.request.message, turn.request.language),
): Promise<Verification> {
  const getFacts = ({ facts = {} }: VerificationTarget): WorkflowTaskContext => limitFacts({ ...facts, ...subject });
  const asked = targets.filter(({ outcome }) => outcome === undefined);
  const ids = asked.length === 0 ? [] : await mintTaskIds(turn, asked.length);
  const targetsByTask = new Map(asked.map((target, i) => [ensurePresent(ids[i], "an id for every pair"), target]));
  const tasks = Array.from(targetsByTask, ([id, target]) =>
    buildVerificationTask(turn, id, target, formatVerificationRequest(target, getFacts(target), language)),
  );
  const getOptions = ({ task_id }: Task): TaskOptions => {
    const target = ensurePresent(targetsByTask.get(task_id), task_id);
    const about = { task_id: target.task_id, task_name: target.task_name, action: VERIFY_ACTION };
    return {
      metadata: { scope: "read_only", current_context: { ...getFacts(target), ...about } },
      recordsTools: true,
      mayBeSilent: true,
      refusesQuestions: true,
    };
  };
  const quietTurn = {
    ...turn,
    ports: { ...turn.ports, step: withFilteredEvents(turn.ports.step, isPublishedToolEvent) },
  };
  const executed = await executeTasks(quietTurn, buildVerificationPlan(turn, tasks), (turn, plan, task, from, ended) =>
    runTaskSegment(turn, plan, task, from, ended, getOptions(task)),
  );
  const outcomes = new Map<VerificationTarget, VerificationOutcome>();
  for (const { task, ...end } of executed.kind === "ended" ? executed.tasks : []) {
    const target = ensurePresent(targetsByTask.get(task.task_id), task.task_id);
    const about = target.subject ?? [JSON.stringify(getFacts(target))];
    outcomes.set(target, toVerificationOutcome(turn.ports, end, about));
  }
  const checklist = buildChecklist(
    targets.map((target) => [target, target.outcome ?? ensurePresent(outcomes.get(target), target.task_id)]),
  );
  return { checklist, summary: summarizeChecklist(checklist), verification_completed: true };
}

/** Mints the task ids in a journaled step, so that an interrupted verification repeats the same requests. */
function mintTaskIds(turn: TurnContext, count: number): Promise<readonly string[]> {
  return runAtomicStep(turn, "verification", "verification", () => ({
    value: Array.from({ length: count }, () => turn.ports.mint("task")),
    closing: [],
  }));
}

/** True for the tool events that readers receive; the connection to the agent is hidden. */
function isPublishedToolEvent({ event, data }: EventDraft): boolean {
  if (event !== "tool_call_started" && event !== "tool_call_completed") return false;
  return data.payload.tool_name !== "connect_agent";
}

/** Builds a task outside the published plan. It has a new conversation, without the agent's earlier work. */
function buildVerificationTask(
  turn: TurnContext,
  task_id: string,
  { agent_name, task_name: title }: VerificationTarget,
  query: string,
): Task {
  const plan_id = deriveId(task_id, "plan");
  return buildTask(turn, { task_id, plan_id, title, query, agent_name, created_at: turn.ports.now() });
}

/** Builds the unpublished plan of the verification tasks. */
function buildVerificationPlan(turn: TurnContext, tasks: Task[]): Plan {
  const plan_id = deriveId(getStageScope(turn.threadId, "verification").task_id, "plan");
  return buildPlan(turn, { plan_id, created_at: turn.ports.now(), tasks });
}

/** The verification of a plan. */
export type PlanVerification = {
  readonly verification: Verification;
  /** The event that fails the thread, if a task was explicitly found not done. Not published yet. */
  readonly failure?: EventDraft;
};

/** True if the verification of a plan has anything to do: the plan asks for it, or a criterion was checked. */
export function needsVerification(plan: Plan, ended: readonly EndedTask[]): boolean {
  return plan.verify === true || ended.some((end) => end.status === "completed" && end.checked !== undefined);
}

/**
 * Verifies the completed tasks and publishes `verification_completed`. Null, without publishing it, if no task
 * completed or the signal aborted.
 */
export async function verifyPlan(
  turn: TurnContext,
  plan: Plan,
  ended: readonly EndedTask[],
): Promise<PlanVerification | null> {
  const { threadId, request, ports } = turn;
  const targets = ended.flatMap((end): VerificationTarget[] => {
    if (end.status !== "completed") return [];
    const { agent_name, task_id, title: task_name, query: task_query } = end.task;
    const calls = (end.tools ?? []).map(({ tool, arguments: args = "" }) => `${tool} ${args}`);
    const facts = { task_query, task_result: end.result, ...(calls.length === 0 ? {} : { task_calls: calls }) };
    const target = { agent_name, task_id, task_name, facts, subject: [task_query, request.message, ...calls] };
    const outcome = findOutcome(turn, plan, end.task, end);
    if (outcome !== null) return [{ ...target, outcome }];
    return plan.verify === true ? [target] : [];
  });
  if (targets.length === 0) return null;
  const verification = await verifyTasks(turn, targets, { request: request.message });
  if (turn.signal.aborted) return null;
  const closing = [createVerificationEvent(ports, threadId, verification)];
  await runAtomicStep(turn, "verification", "verified", () => ({ value: null, closing }));
  if (!verification.summary.has_explicit_failure) return { verification };
  const payload = { content: formatVerification(ports, verification), code: "verification_failed" };
  return { verification, failure: createSystemFailure(threadId, payload) };
}

/**
 * Returns the outcome of a completed task that no agent is asked about: its criterion has decided, or its agent should
 * have stated one and did not. Null for all others.
 */
function findOutcome(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  { result, checked, tools = [] }: Extract<TaskOutcome, { status: "completed" }>,
): VerificationOutcome | null {
  if (checked !== undefined) return toCheckedOutcome(turn.ports, checked, result);
  if (!needsCriterion(turn, plan, task)) return null;
  const reason = turn.ports.formatMessage(createMessage("verification.noCriterion"));
  return { verified: "unable_to_verify", reason, response: result, tools };
}
