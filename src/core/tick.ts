// One run of a schedule. Its agent works as in any other task, but most of its events are hidden. Readers receive the
// result as one component, and a controller component with the state of the schedule.

import type { Usage } from "../protocol/events.ts";
import { companion } from "../protocol/ids.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { CONTROLLER, RESULT, type Controller, type RunResult, type Schedule } from "../protocol/recurring.ts";
import { NO_OUTPUT } from "./agent-talk.ts";
import { Budget } from "./budget.ts";
import type { Draft, Ports } from "./ports.ts";
import { quietly } from "./quietly.ts";
import type { Scene, Tick, Turn } from "./scene.ts";
import { nextRun } from "./schedules/arithmetic.ts";
import { isCancelled } from "./stop.ts";
import type { TaskEnd, Waiting } from "./task-end.ts";
import { runLeg } from "./task-run.ts";
import { doneDraft, usageOf, wordsFor, type TurnEnd } from "./turn-end.ts";

/** The input of a scheduled turn. */
export type TickTurn = Turn & {
  readonly tick: Tick;
  /** Returns the current schedule; null if it was deleted. */
  readonly schedule: () => Schedule | null;
};

/**
 * Runs one tick and returns its end with the run result and the updated schedule, or `paused` if the agent asks. Never
 * rejects: a failure becomes a failed run. The caller stores result, schedule and closing events together.
 */
export async function runTick(ports: Ports, turn: TickTurn): Promise<TurnEnd> {
  const startedAt = ports.now();
  const budget = new Budget(turn.limits);
  const end = await carryOut(ports, turn, budget).catch((thrown: unknown): TaskEnd => {
    const { content, code } = wordsFor(ports, turn.signal, thrown);
    return { status: "failed", error: content, code };
  });
  if (end.status === "waiting") return { status: "paused", request_ids: [end.request_id] };
  const usage = usageOf(budget.spent, 1, ports.now() - startedAt);
  const run = resultOf(turn, end, startedAt, ports.now(), usage);
  const before = turn.schedule();
  const stands = before === null ? null : afterRun(before, run, ports.now(), turn.limits.maxFailures);
  const after = stands?.reason === undefined ? stands : { ...stands, reason: ports.say(stands.reason) };
  const told = after === null ? [] : [resultDraft(turn, after, run), controllerDraft(turn.threadId, after)];
  const closing = [...told, doneDraft(turn, usage)];
  return {
    status: run.status === "failed" ? "failed" : "completed",
    closing,
    run,
    ...(after === null ? {} : { schedule: after }),
  };
}

/** Runs the schedule's task until it ends or waits for an open question. */
async function carryOut(ports: Ports, turn: TickTurn, budget: Budget): Promise<TaskEnd | Waiting> {
  const schedule = turn.schedule();
  if (schedule === null) return { status: "cancelled", error: "The schedule was deleted." };
  const agents = await ports.agents.list();
  const scene: Scene = { ...turn, ports: { ...ports, step: quietly(ports.step, isTold) }, budget, agents };
  const plan = planOf(schedule, turn, ports.now());
  let from: Waiting | null = null;
  for (;;) {
    const [task] = plan.tasks;
    const end: TaskEnd | Waiting = await runLeg(scene, plan, task, from, new Map());
    if (end.status !== "waiting") return end;
    if (!turn.signal.aborted && turn.standing(end.request_id).state === "open") return end;
    from = end;
  }
}

/** True if readers receive an event of a scheduled run (F53, F69). Text is hidden; it is part of the final result. */
function isTold({ event, data }: Draft): boolean {
  if (event === "component_generator") return !/^subagent_conversation$|_progress$/.test(data.payload.component_type);
  return event === "task_started" || event === "task_waiting" || event === "message";
}

/** Builds the plan of one task for a run. Its ids derive from the schedule id, so all runs share them. */
function planOf(schedule: Schedule, turn: Turn, now: number): Plan & { readonly tasks: [Task] } {
  const { schedule_id: task_id, title, query, agent_name, schedule_config } = schedule;
  const task: Task = {
    task_id,
    plan_id: companion(task_id, "plan"),
    conversation_id: companion(task_id, "conv"),
    thread_id: turn.threadId,
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
    conversation_id: turn.conversationId,
    thread_id: turn.threadId,
    user_id: turn.userId,
    orig_query: query,
    query,
    reasoning: "",
    created_at: now,
    tasks: [task],
  };
}

/** Builds the run result. `startedAt` and `endedAt` are in milliseconds since the epoch. */
function resultOf(turn: TickTurn, end: TaskEnd, startedAt: number, endedAt: number, usage: Usage): RunResult {
  const base = {
    run_id: turn.threadId,
    schedule_id: turn.tick.schedule_id,
    due_at: turn.tick.due_at,
    started_at: startedAt,
    ended_at: endedAt,
    usage,
  };
  if (end.status === "completed" || end.status === "scheduled") {
    const text = end.result.trim();
    return { ...base, status: "completed", result: text === "" ? NO_OUTPUT : text };
  }
  // The task is also `cancelled` if the clock or the host aborted the turn, but the run counts as failed (T6).
  const isStopped = turn.signal.aborted ? isCancelled(turn.signal) : end.status === "cancelled";
  const status = isStopped ? "cancelled" : "failed";
  return { ...base, status, error: end.error };
}

/** The delay after the first failure; it doubles with each further one. */
const BACKOFF_MS = 5 * 60_000;
/** The longest delay: one day. */
const MOST_BACKOFF_MS = 86_400_000;

/**
 * Returns the schedule after a run; `now` is in milliseconds since the epoch. A failure delays the next run by 5
 * minutes, doubled per consecutive failure up to a day. `maxFailures` consecutive failures pause the schedule with a
 * reason. A success resets the count; skipped and cancelled runs do not change it.
 */
export function afterRun(schedule: Schedule, run: RunResult, now: number, maxFailures: number): Schedule {
  const last_run = { due_at: run.due_at, status: run.status, ...(run.error === undefined ? {} : { error: run.error }) };
  const ran = { ...schedule, last_run, updated_at: now };
  if (run.status !== "completed" && run.status !== "failed") return ran;
  const { reason: _, ...rest } = ran;
  if (run.status === "completed") return { ...rest, failures: 0 };
  const failures = schedule.failures + 1;
  const { next_run_at: next, ...stopped } = { ...rest, failures };
  if (failures >= maxFailures) {
    const why = run.error ?? "no reason was given";
    const reason = failures === 1 ? `It failed: ${why}` : `It failed ${failures} times in a row, at last: ${why}`;
    return { ...stopped, status: "paused", reason };
  }
  if (schedule.status === "paused" || next === undefined) return stopped;
  const earliest = now + Math.min(BACKOFF_MS * 2 ** (failures - 1), MOST_BACKOFF_MS);
  const putOff = next >= earliest ? next : (nextRun(schedule.schedule_config, earliest) ?? next);
  return { ...stopped, next_run_at: putOff };
}

/** Returns the common data of a schedule's events: the schedule id is their task id. */
function placeOf({ threadId }: Pick<Turn, "threadId">, schedule: Schedule) {
  return {
    thread_id: threadId,
    task_id: schedule.schedule_id,
    agent_name: schedule.agent_name,
    role: "agent",
  } as const;
}

/** Creates the component that shows the result of a run (F49, F53). */
function resultDraft(turn: TickTurn, schedule: Schedule, run: RunResult): Draft {
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
      ...placeOf(turn, schedule),
      payload: { component_type: RESULT, content: JSON.stringify(content) },
      metadata: { task_title: schedule.title },
    },
  };
}

/** Creates the component with the state of a schedule. Its item id is stable, so each one replaces the previous one. */
export function controllerDraft(threadId: string, schedule: Schedule, status?: Controller["task_status"]): Draft {
  const { schedule_id: task_id, title: task_title, next_run_at, reason } = schedule;
  const content: Controller = {
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
      ...placeOf({ threadId }, schedule),
      item_id: companion(task_id, "item"),
      payload: { component_type: CONTROLLER, content: JSON.stringify(content) },
      metadata: { task_title },
    },
  };
}
