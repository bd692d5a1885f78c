// One run of a schedule. Its agent works as in any other task, but most of its events are hidden. Readers receive the
// result as one component, and a controller component with the state of the schedule.

import type { Usage } from "../../protocol/wire/events.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import {
  REMINDER_AGENT,
  SCHEDULE_CONTROLLER_COMPONENT,
  SCHEDULE_RESULT_COMPONENT,
  type ScheduleController,
  type ScheduleRunResult,
  type Schedule,
} from "../../protocol/schedules/schedule.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import { Budget } from "../models/budget.ts";
import { CUT_NOTICE, limitText, MAX_EVENT_TEXT_BYTES } from "../log/event-size.ts";
import type { EventDraft, Ports } from "../ports.ts";
import { openTurn } from "../turn/open-turn.ts";
import type { TurnContext, ScheduleTick, TurnInput } from "../turn/turn-context.ts";
import { computeNextRun } from "./next-run.ts";
import { isCancelledByPerson } from "../turn/stop-reason.ts";
import type { TaskOutcome, WaitingTask } from "../turn/task-outcome.ts";
import { buildPlan, buildTask } from "../turn/build-plan.ts";
import { runTaskSegment } from "../turn/task-segment.ts";
import { createDoneEvent, buildUsage, describeFailure, type TurnOutcome } from "../turn/turn-outcome.ts";
import { withFilteredEvents } from "../models/budgeted-step.ts";

/** The input of a scheduled turn. */
export type TickInput = TurnInput & {
  readonly tick: ScheduleTick;
  /** Returns the current schedule; null if it was deleted. */
  readonly schedule: () => Schedule | null;
};

/**
 * Runs one tick and returns its end (`failed` only if the run failed, `completed` also if it was cancelled) with the
 * run result and the updated schedule, or `paused` if the agent asks. A deleted schedule gets neither an update nor
 * components. Never rejects: an error becomes a failed run. The caller stores result, schedule and closing events
 * together.
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
  const run = buildRunResult(ports, input, outcome, startedAt, usage);
  const schedule = input.schedule();
  const updated = schedule === null ? null : applyRunToSchedule(schedule, run, ports, input.limits.maxFailures);
  const components =
    updated === null
      ? []
      : [createOutcomeEvent(ports, input, updated, run), createControllerEvent(input.threadId, updated)];
  const closing = [...components, createDoneEvent(input, usage)];
  return {
    status: run.status === "failed" ? "failed" : "completed",
    closing,
    run,
    ...(updated === null ? {} : { schedule: updated }),
  };
}

/** Runs the schedule's task until it ends or waits for an open question. */
async function runScheduledTask(ports: Ports, input: TickInput, budget: Budget): Promise<TaskOutcome | WaitingTask> {
  const schedule = input.schedule();
  if (schedule === null) return { status: "cancelled", error: ports.formatMessage(createMessage("schedule.deleted")) };
  if (schedule.agent_name === REMINDER_AGENT) return { status: "completed", result: schedule.query };
  const filtered = { ...ports, step: withFilteredEvents(ports.step, isPublishedEvent) };
  const turn: TurnContext = await openTurn(filtered, input, budget);
  const task = buildTickTask(schedule, input, ports.now());
  const { plan_id, created_at, query } = task;
  const plan = buildPlan(input, { plan_id, orig_query: query, query, created_at, tasks: [task] });
  let resumeFrom: WaitingTask | null = null;
  for (;;) {
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

/** Builds the task of a run. Its ids derive from the schedule id, so all runs share them. */
function buildTickTask(schedule: Schedule, input: TurnInput, created_at: number): Task {
  const { schedule_id: task_id, title, query, agent_name, schedule_config } = schedule;
  return buildTask(input, {
    task_id,
    plan_id: deriveId(task_id, "plan"),
    title,
    query,
    agent_name,
    pattern: "recurring",
    schedule_config,
    handoff_from_super_agent: true,
    status: "scheduled",
    created_at,
  });
}

/** Builds the run result of a run that ends now. `startedAt` is in milliseconds since the epoch. */
function buildRunResult(
  ports: Ports,
  input: TickInput,
  outcome: TaskOutcome,
  startedAt: number,
  usage: Usage,
): ScheduleRunResult {
  const base = {
    run_id: input.threadId,
    schedule_id: input.tick.schedule_id,
    due_at: input.tick.due_at,
    started_at: startedAt,
    ended_at: ports.now(),
    usage,
  };
  if (outcome.status === "completed" || outcome.status === "scheduled") {
    const text = outcome.result.trim();
    const result =
      text === ""
        ? ports.formatMessage(createMessage("task.noOutput"))
        : limitText(text, ports.formatMessage(CUT_NOTICE), MAX_EVENT_TEXT_BYTES, encodeContent);
    return { ...base, status: "completed", result };
  }
  // The task is also `cancelled` if the clock or the host aborted the turn, but the run counts as failed (T6).
  const isStopped = input.signal.aborted ? isCancelledByPerson(input.signal) : outcome.status === "cancelled";
  const status = isStopped ? "cancelled" : "failed";
  return { ...base, status, error: outcome.error };
}

/** True if a schedule with a single run has no run left. */
function hasEnded({ schedule_config: config, status, next_run_at: next }: Schedule): boolean {
  return config.run_at !== undefined && status === "active" && next === undefined;
}

/** Returns a schedule with a single run as completed if that run is over; the reason is that of its failure. */
export function endSchedule(schedule: Schedule): Schedule {
  if (!hasEnded(schedule)) return schedule;
  const { reason: _, ...rest } = schedule;
  const { status, error } = schedule.last_run ?? {};
  return { ...rest, status: "completed", ...(status === "failed" && error !== undefined ? { reason: error } : {}) };
}

/** The delay after the first failure; it doubles with each further one. */
const INITIAL_BACKOFF_MS = 5 * 60_000;
/** The longest delay: one day. */
const MAX_BACKOFF_MS = 86_400_000;

/**
 * Returns the schedule after a run that has just ended. After a failure, the next run is at least 5 minutes away,
 * doubled per consecutive failure up to a day; `maxFailures` consecutive failures pause the schedule with a reason and
 * no next run. A success resets the count. Skipped and cancelled runs only set `last_run`.
 */
export function applyRunToSchedule(
  schedule: Schedule,
  run: ScheduleRunResult,
  ports: Pick<Ports, "now" | "formatMessage">,
  maxFailures: number,
): Schedule {
  const now = ports.now();
  const last_run = { due_at: run.due_at, status: run.status, ...(run.error === undefined ? {} : { error: run.error }) };
  const ran = { ...schedule, last_run, updated_at: now };
  if (hasEnded(schedule)) return endSchedule(ran);
  if (run.status !== "completed" && run.status !== "failed") return ran;
  const { reason: _, ...rest } = ran;
  if (run.status === "completed") return { ...rest, failures: 0 };
  const failures = schedule.failures + 1;
  const { next_run_at: next, ...stopped } = { ...rest, failures };
  if (failures >= maxFailures) {
    return { ...stopped, status: "paused", reason: ports.formatMessage(createPauseReason(run.error, failures)) };
  }
  if (schedule.status === "paused" || next === undefined) return stopped;
  const earliest = now + Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const delayed = next >= earliest ? next : (computeNextRun(schedule.schedule_config, earliest) ?? next);
  return { ...stopped, next_run_at: delayed };
}

/** Creates the reason for which a schedule is paused after `failures` consecutive failures. */
function createPauseReason(error: string | undefined, failures: number): Message {
  if (error === undefined) return createMessage("schedule.runFailedNoReason");
  if (failures === 1) return createMessage("schedule.runFailed", { error });
  return createMessage("schedule.runFailedRepeatedly", { count: failures, error });
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

/** Returns the JSON of a text in the content of a component, which is JSON within JSON. */
const encodeContent = (text: string): string => JSON.stringify(JSON.stringify(text));

/** Creates the event that shows a run: the message of a reminder (F86), or the result component. */
function createOutcomeEvent(
  { formatMessage }: Pick<Ports, "formatMessage">,
  input: TickInput,
  schedule: Schedule,
  run: ScheduleRunResult,
): EventDraft {
  if (schedule.agent_name !== REMINDER_AGENT || run.result === undefined)
    return createResultEvent(input, schedule, run);
  const content = formatMessage(createMessage("schedule.reminder", { text: run.result }));
  return { event: "message", data: { ...getScheduleEventData(input, schedule), payload: { content } } };
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

/**
 * Creates the component with the state of a schedule. `status` is by default `failed` if the schedule has a reason,
 * else `completed` or `scheduled` as the schedule is. A schedule that is `cancelled` has no next run. The item id is stable, so each component replaces the previous one.
 */
export function createControllerEvent(
  threadId: string,
  schedule: Schedule,
  status?: ScheduleController["task_status"],
): EventDraft {
  const { schedule_id: task_id, title: task_title, reason } = schedule;
  const next_run_at = status === "cancelled" ? undefined : schedule.next_run_at;
  const content: ScheduleController = {
    task_id,
    task_title,
    task_status:
      status ?? (reason !== undefined ? "failed" : schedule.status === "completed" ? "completed" : "scheduled"),
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
