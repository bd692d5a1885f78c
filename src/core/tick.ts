// One run of a schedule. Its agent works as in any other task, but most of its events are hidden. Readers receive the
// result as one component, and a controller component with the state of the schedule.

import type { Usage } from "../protocol/wire/events.ts";
import { deriveId } from "../protocol/wire/ids.ts";
import type { Plan, Task } from "../protocol/plans/task-plan.ts";
import {
  SCHEDULE_CONTROLLER_COMPONENT,
  SCHEDULE_RESULT_COMPONENT,
  type ScheduleController,
  type ScheduleRunResult,
  type Schedule,
} from "../protocol/schedules/schedule.ts";
import { NO_OUTPUT } from "./agent-run.ts";
import { Budget } from "./budget.ts";
import type { EventDraft, Ports } from "./ports.ts";
import { withFilteredEvents } from "./filter-events.ts";
import type { TurnContext, ScheduleTick, TurnInput } from "./turn-context.ts";
import { computeNextRun } from "./schedules/next-run.ts";
import { isCancelledByPerson } from "./stop-reason.ts";
import type { TaskOutcome, WaitingTask } from "./task-outcome.ts";
import { runTaskSegment } from "./task-segment.ts";
import { createDoneEvent, buildUsage, describeFailure, type TurnOutcome } from "./turn-outcome.ts";

/** The input of a scheduled turn. */
export type TickInput = TurnInput & {
  readonly tick: ScheduleTick;
  /** Returns the current schedule; null if it was deleted. */
  readonly schedule: () => Schedule | null;
};

/**
 * Runs one tick and returns its end with the run result and the updated schedule, or `paused` if the agent asks. Never
 * rejects: a failure becomes a failed run. The caller stores result, schedule and closing events together.
 */
export async function runTick(ports: Ports, input: TickInput): Promise<TurnOutcome> {
  const startedAt = ports.now();
  const budget = new Budget(input.limits);
  const outcome = await runScheduledTask(ports, input, budget).catch((thrown: unknown): TaskOutcome => {
    const { content, code } = describeFailure(ports, input.signal, thrown);
    return { status: "failed", error: content, code };
  });
  if (outcome.status === "waiting") return { status: "paused", request_ids: [outcome.request_id] };
  const usage = buildUsage(budget.recordedCalls, 1, ports.now() - startedAt);
  const run = buildRunResult(input, outcome, startedAt, ports.now(), usage);
  const schedule = input.schedule();
  const updated = schedule === null ? null : applyRunToSchedule(schedule, run, ports.now(), input.limits.maxFailures);
  const translated = updated?.reason === undefined ? updated : { ...updated, reason: ports.translate(updated.reason) };
  const components =
    translated === null
      ? []
      : [createResultEvent(input, translated, run), createControllerEvent(input.threadId, translated)];
  const closing = [...components, createDoneEvent(input, usage)];
  return {
    status: run.status === "failed" ? "failed" : "completed",
    closing,
    run,
    ...(translated === null ? {} : { schedule: translated }),
  };
}

/** Runs the schedule's task until it ends or waits for an open question. */
async function runScheduledTask(ports: Ports, input: TickInput, budget: Budget): Promise<TaskOutcome | WaitingTask> {
  const schedule = input.schedule();
  if (schedule === null) return { status: "cancelled", error: "The schedule was deleted." };
  const agents = await ports.agents.list();
  const turn: TurnContext = {
    ...input,
    ports: { ...ports, step: withFilteredEvents(ports.step, isPublishedEvent) },
    budget,
    agents,
  };
  const plan = buildTickPlan(schedule, input, ports.now());
  let resumeFrom: WaitingTask | null = null;
  for (;;) {
    const [task] = plan.tasks;
    const outcome: TaskOutcome | WaitingTask = await runTaskSegment(turn, plan, task, resumeFrom, new Map());
    if (outcome.status !== "waiting") return outcome;
    if (!input.signal.aborted && input.getQuestionState(outcome.request_id).state === "open") return outcome;
    resumeFrom = outcome;
  }
}

/** True if readers receive an event of a scheduled run (F53, F69). Text is hidden; it is part of the final result. */
function isPublishedEvent({ event, data }: EventDraft): boolean {
  if (event === "component_generator") return !/^subagent_conversation$|_progress$/.test(data.payload.component_type);
  return event === "task_started" || event === "task_waiting" || event === "message";
}

/** Builds the plan of one task for a run. Its ids derive from the schedule id, so all runs share them. */
function buildTickPlan(schedule: Schedule, input: TurnInput, now: number): Plan & { readonly tasks: [Task] } {
  const { schedule_id: task_id, title, query, agent_name, schedule_config } = schedule;
  const task: Task = {
    task_id,
    plan_id: deriveId(task_id, "plan"),
    conversation_id: deriveId(task_id, "conv"),
    thread_id: input.threadId,
    title,
    query,
    agent_name,
    depends_on: [],
    pattern: "recurring",
    schedule_config,
    handoff_from_super_agent: true,
    metadata: {},
    status: "scheduled",
    created_at: now,
  };
  return {
    plan_id: task.plan_id,
    conversation_id: input.conversationId,
    thread_id: input.threadId,
    user_id: input.userId,
    orig_query: query,
    query,
    reasoning: "",
    created_at: now,
    tasks: [task],
  };
}

/** Builds the run result. `startedAt` and `endedAt` are in milliseconds since the epoch. */
function buildRunResult(
  input: TickInput,
  outcome: TaskOutcome,
  startedAt: number,
  endedAt: number,
  usage: Usage,
): ScheduleRunResult {
  const base = {
    run_id: input.threadId,
    schedule_id: input.tick.schedule_id,
    due_at: input.tick.due_at,
    started_at: startedAt,
    ended_at: endedAt,
    usage,
  };
  if (outcome.status === "completed" || outcome.status === "scheduled") {
    const text = outcome.result.trim();
    return { ...base, status: "completed", result: text === "" ? NO_OUTPUT : text };
  }
  // The task is also `cancelled` if the clock or the host aborted the turn, but the run counts as failed (T6).
  const isStopped = input.signal.aborted ? isCancelledByPerson(input.signal) : outcome.status === "cancelled";
  const status = isStopped ? "cancelled" : "failed";
  return { ...base, status, error: outcome.error };
}

/** The delay after the first failure; it doubles with each further one. */
const INITIAL_BACKOFF_MS = 5 * 60_000;
/** The longest delay: one day. */
const MAX_BACKOFF_MS = 86_400_000;

/**
 * Returns the schedule after a run; `now` is in milliseconds since the epoch. A failure delays the next run by 5
 * minutes, doubled per consecutive failure up to a day. `maxFailures` consecutive failures pause the schedule with a
 * reason. A success resets the count; skipped and cancelled runs do not change it.
 */
export function applyRunToSchedule(
  schedule: Schedule,
  run: ScheduleRunResult,
  now: number,
  maxFailures: number,
): Schedule {
  const last_run = { due_at: run.due_at, status: run.status, ...(run.error === undefined ? {} : { error: run.error }) };
  const ran = { ...schedule, last_run, updated_at: now };
  if (run.status !== "completed" && run.status !== "failed") return ran;
  const { reason: _, ...rest } = ran;
  if (run.status === "completed") return { ...rest, failures: 0 };
  const failures = schedule.failures + 1;
  const { next_run_at: next, ...stopped } = { ...rest, failures };
  if (failures >= maxFailures) {
    const error = run.error ?? "no reason was given";
    const reason = failures === 1 ? `It failed: ${error}` : `It failed ${failures} times in a row, at last: ${error}`;
    return { ...stopped, status: "paused", reason };
  }
  if (schedule.status === "paused" || next === undefined) return stopped;
  const earliest = now + Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const delayed = next >= earliest ? next : (computeNextRun(schedule.schedule_config, earliest) ?? next);
  return { ...stopped, next_run_at: delayed };
}

/** Returns the common data of a schedule's events: the schedule id is their task id. */
function getScheduleEventData({ threadId }: Pick<TurnInput, "threadId">, schedule: Schedule) {
  return {
    thread_id: threadId,
    task_id: schedule.schedule_id,
    agent_name: schedule.agent_name,
    role: "agent",
  } as const;
}

/** Creates the component that shows the result of a run (F49, F53). */
function createResultEvent(input: TickInput, schedule: Schedule, run: ScheduleRunResult): EventDraft {
  const content = {
    schedule_id: run.schedule_id,
    status: run.status,
    result: run.result ?? run.error ?? "",
    create_time: new Date(run.ended_at ?? run.started_at).toISOString().slice(0, 19).replace("T", " "),
    due_at: run.due_at,
    duration_ms: (run.ended_at ?? run.started_at) - run.started_at,
    usage: run.usage,
  };
  return {
    event: "component_generator",
    data: {
      ...getScheduleEventData(input, schedule),
      payload: { component_type: SCHEDULE_RESULT_COMPONENT, content: JSON.stringify(content) },
      metadata: { task_title: schedule.title },
    },
  };
}

/** Creates the component with the state of a schedule. Its item id is stable, so each one replaces the previous one. */
export function createControllerEvent(
  threadId: string,
  schedule: Schedule,
  status?: ScheduleController["task_status"],
): EventDraft {
  const { schedule_id: task_id, title: task_title, next_run_at, reason } = schedule;
  const content: ScheduleController = {
    task_id,
    task_title,
    task_status: status ?? (reason === undefined ? "scheduled" : "failed"),
    schedule_status: schedule.status,
    ...(next_run_at === undefined ? {} : { next_run_at }),
    ...(reason === undefined ? {} : { reason }),
  };
  return {
    event: "component_generator",
    data: {
      ...getScheduleEventData({ threadId }, schedule),
      item_id: deriveId(task_id, "item"),
      payload: { component_type: SCHEDULE_CONTROLLER_COMPONENT, content: JSON.stringify(content) },
      metadata: { task_title },
    },
  };
}
