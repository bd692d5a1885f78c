// Creates the schedule of a recurring task. The schedule then starts the runs of `tick.ts`.

import type { Task } from "../protocol/plan.ts";
import type { Schedule } from "../protocol/recurring.ts";
import type { ScheduleConfig } from "../protocol/schedule.ts";
import type { Draft } from "./ports.ts";
import { stage } from "./stage.ts";
import type { Scene } from "./scene.ts";
import { nextRun } from "./schedules/arithmetic.ts";
import { describeNext, describeSchedule } from "../protocol/words/schedule-words.ts";
import { languageOf } from "../protocol/words/language.ts";
import { reasonOf } from "./stop.ts";
import { lastWord, placeOf } from "./task-events.ts";
import type { TaskEnd } from "./task-end.ts";
import { controllerDraft } from "./tick.ts";

/**
 * Returns a function that creates the schedule of a task. Calls are serialized: each schedule is counted before the
 * next one is created, so that the limit per person holds.
 */
export function establishing(scene: Scene): (task: Task) => Promise<TaskEnd> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(() => establish(scene, task));
    last = next;
    return next;
  };
}

/** Creates a schedule in one step: the schedule, its description and its controller event are stored together. */
function establish(scene: Scene, task: Task): Promise<TaskEnd> {
  const { task_id: scope, agent_name: agentName } = task;
  return stage<TaskEnd>(scene, { name: `schedule:${scope}`, scope, agentName, isAtomic: true }, async () => {
    const signal = AbortSignal.any([scene.signal, scene.taskSignal(task.task_id)]);
    const end = await hindrance(scene, signal);
    if (end !== null) return { value: end, closing: [lastWord(task, end, [])] };
    const schedule = scheduleOf(scene, task);
    const words = wordsAbout(scene, schedule);
    const notice: Draft = { event: "message", data: { ...placeOf(task), role: "agent", payload: { content: words } } };
    const value: TaskEnd = { status: "scheduled", result: words };
    return { value, closing: [notice, controllerDraft(scene.threadId, schedule)], begins: schedule };
  });
}

/** Returns the outcome of a schedule that cannot be created (cancelled or over the limit); null if it can. */
async function hindrance({ ports }: Scene, signal: AbortSignal): Promise<TaskEnd | null> {
  const count = signal.aborted ? null : await ports.schedules();
  if (count === null || signal.aborted) return { status: "cancelled", error: ports.say(reasonOf(signal)) };
  const { most, used } = count;
  if (used < most) return null;
  const error = `You have ${used} schedules, and no more than ${most} are allowed. Delete one that you no longer need.`;
  return { status: "failed", error: ports.say(error), code: "too_many_schedules" };
}

/** Builds the schedule of a task. Its id is the task id; without a configuration it runs daily. */
function scheduleOf(scene: Scene, task: Task): Schedule {
  const { language, timezone } = scene.request;
  const now = scene.ports.now();
  // Store the person's time zone even if the times do not depend on it: runs and later changes of the times read it.
  const zone = timezone === undefined ? {} : { timezone };
  const schedule_config = { ...zone, ...(task.schedule_config ?? { interval_minutes: 1_440 }) };
  const next = nextRun(schedule_config, now);
  return {
    schedule_id: task.task_id,
    conversation_id: scene.conversationId,
    user_id: scene.userId,
    title: task.title,
    query: task.query,
    agent_name: task.agent_name,
    schedule_config,
    catch_up: "once",
    status: "active",
    ...(next === null ? {} : { next_run_at: next }),
    failures: 0,
    ...(language === undefined ? {} : { language }),
    created_at: now,
    updated_at: now,
  };
}

/** Returns the message about a new schedule, in the person's language. */
function wordsAbout(scene: Scene, { schedule_config, next_run_at }: Schedule): string {
  const zone = zoneOf(scene, schedule_config);
  const language = languageOf(scene.request.message, scene.request.language);
  const words = describeSchedule(schedule_config, zone, language);
  const next = next_run_at === undefined ? "" : describeNext(next_run_at, scene.ports.now(), zone, language);
  return language === "zh" ? `已安排：${words}。下次运行：${next}。` : `Scheduled: ${words}. Next run: ${next}.`;
}

/** Returns the time zone of a schedule: its own, else the person's, else UTC. */
export function zoneOf({ request }: Pick<Scene, "request">, { timezone }: ScheduleConfig): string {
  return timezone ?? request.timezone ?? "UTC";
}
