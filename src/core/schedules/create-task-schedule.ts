// Creates the schedule of a recurring task. The schedule then starts the runs of `tick.ts`.

import type { Task } from "../../protocol/plans/task-plan.ts";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import type { EventDraft } from "../ports.ts";
import { runBudgetedStep } from "../models/budgeted-step.ts";
import type { TurnContext } from "../turn/turn-context.ts";
import { computeNextRun } from "./next-run.ts";
import { describeRunTime, describeSchedule } from "../../language/schedules/describe-schedule.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import { createMessage } from "../../language/messages.ts";
import { getAbortMessage } from "../turn/stop-reason.ts";
import { createTerminalEvent, getTaskScope } from "../turn/task-events.ts";
import type { TaskOutcome } from "../turn/task-outcome.ts";
import { createControllerEvent } from "./tick.ts";

/**
 * Returns a function that creates the schedule of a task and resolves with `scheduled`, `cancelled`, or `failed`
 * (`too_many_schedules`). Calls are serialized: each schedule is counted before the next one is created, so that the
 * limit per person holds. If a call rejects (journal), all later calls reject with its error.
 */
export function createSerialScheduler(turn: TurnContext): (task: Task) => Promise<TaskOutcome> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(() => createTaskSchedule(turn, task));
    last = next;
    return next;
  };
}

/** Creates a schedule in one step: the schedule, its description and its controller event are stored together. */
function createTaskSchedule(turn: TurnContext, task: Task): Promise<TaskOutcome> {
  const { task_id: scope, agent_name: agentName } = task;
  return runBudgetedStep<TaskOutcome>(
    turn,
    { name: `schedule:${scope}`, scope, agentName, isAtomic: true },
    async () => {
      const signal = AbortSignal.any([turn.signal, turn.taskSignal(task.task_id)]);
      const schedule = buildSchedule(turn, task);
      const refusal = await findScheduleRefusal(turn, schedule, signal);
      if (refusal !== null) return { value: refusal, closing: [createTerminalEvent(task, refusal, [])] };
      const message = formatScheduleMessage(turn, schedule);
      const notice: EventDraft = {
        event: "message",
        data: { ...getTaskScope(task), role: "agent", payload: { content: message } },
      };
      const value: TaskOutcome = { status: "scheduled", result: message };
      return { value, closing: [notice, createControllerEvent(turn.threadId, schedule)], newSchedule: schedule };
    },
  );
}

/** Returns the outcome of a schedule that cannot be created: cancelled, in the past, or over the limit; else null. */
async function findScheduleRefusal(
  { ports }: TurnContext,
  { next_run_at: next, schedule_config: { run_at: at } }: Schedule,
  signal: AbortSignal,
): Promise<TaskOutcome | null> {
  const count = signal.aborted ? null : await ports.schedules.count();
  if (count === null || signal.aborted)
    return { status: "cancelled", error: ports.formatMessage(getAbortMessage(signal)) };
  if (next === undefined && at !== undefined) {
    const error = ports.formatMessage(createMessage("schedule.timePassed", { words: at }));
    return { status: "failed", error, code: "schedule_passed" };
  }
  const { most, used } = count;
  if (used < most) return null;
  const error = ports.formatMessage(createMessage("schedule.limitReached", { used, limit: most }));
  return { status: "failed", error, code: "too_many_schedules" };
}

/** Builds the schedule of a task. Its id is the task id; without a configuration it runs daily. */
function buildSchedule(turn: TurnContext, task: Task): Schedule {
  const { timezone } = turn.request;
  const now = turn.ports.now();
  // Store the person's time zone even if the times do not depend on it: runs and later changes of the times read it.
  const zone = timezone === undefined ? {} : { timezone };
  const schedule_config = { ...zone, ...(task.schedule_config ?? { interval_minutes: 1_440 }) };
  const next = computeNextRun(schedule_config, now);
  return {
    schedule_id: task.task_id,
    conversation_id: turn.conversationId,
    user_id: turn.userId,
    title: task.title,
    query: task.query,
    agent_name: task.agent_name,
    schedule_config,
    catch_up: "once",
    status: "active",
    ...(next === null ? {} : { next_run_at: next }),
    failures: 0,
    language: selectLanguage(turn.request),
    created_at: now,
    updated_at: now,
  };
}

/** Returns the language of the person's message; the client's language tag if it names the same language. */
function selectLanguage({ message, language }: TurnContext["request"]): string {
  const spoken = detectLanguage(message, language);
  return language !== undefined && detectLanguage("", language) === spoken ? language : spoken;
}

/** Returns the message about a new schedule, in the person's language. */
function formatScheduleMessage(turn: TurnContext, { schedule_config, next_run_at }: Schedule): string {
  const zone = resolveTimeZone(turn, schedule_config);
  const language = detectLanguage(turn.request.message, turn.request.language);
  const description = describeSchedule(schedule_config, zone, language);
  const next = next_run_at === undefined ? "" : describeRunTime(next_run_at, turn.ports.now(), zone, language);
  if (schedule_config.run_at !== undefined)
    return turn.ports.formatMessage(createMessage("schedule.createdOnce", { time: next }));
  return turn.ports.formatMessage(createMessage("schedule.created", { schedule: description, time: next }));
}

/** Returns the time zone of a schedule: its own, else the person's, else UTC. */
export function resolveTimeZone({ request }: Pick<TurnContext, "request">, { timezone }: ScheduleConfig): string {
  return timezone ?? request.timezone ?? "UTC";
}
