// Executes the tasks of a plan. A task starts when its dependencies have ended; independent tasks run in parallel, up
// to `maxConcurrentTasks`. If a task fails, the tasks that depend on it are cancelled with the reason. All other tasks
// continue, even while a task waits for the person.

import { ensurePresent } from "../../lib/assert.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import { createSerialScheduler } from "../schedules/create-task-schedule.ts";
import type { TaskOutcome, WaitingTask } from "./task-outcome.ts";
import type { runTaskSegment } from "./task-segment.ts";
import type { TurnContext } from "./turn-context.ts";

/** A task with its outcome. */
export type EndedTask = { readonly task: Task } & TaskOutcome;

/** The outcome of an execution. `tasks` are in the order of the plan. */
export type ExecutionOutcome =
  | { readonly kind: "ended"; readonly tasks: readonly EndedTask[] }
  /** Nothing can run before the person answers one of these questions. */
  | { readonly kind: "paused"; readonly request_ids: readonly string[] };

/**
 * Runs all tasks in an order that their dependencies allow; a recurring task only creates its schedule. Resolves when
 * all have ended or only open questions remain. After a restart, call it again: finished steps return their journaled
 * outcomes. Agent failures never reject. If a step rejects, waits for the running tasks to settle and rethrows.
 * `runTask` runs the segments of the tasks.
 */
export async function executeTasks(
  turn: TurnContext,
  plan: Plan,
  runTask: typeof runTaskSegment,
): Promise<ExecutionOutcome> {
  const outcomes = new Map<string, TaskOutcome>();
  /** Tasks that neither run nor have ended, with the question that they wait for, or null if they have not started. */
  const idleTasks = new Map<Task, WaitingTask | null>(plan.tasks.map((task) => [task, null]));
  const running = new Map<string, Promise<void>>();
  const createSchedule = createSerialScheduler(turn);
  const run = async (task: Task, resumeFrom: WaitingTask | null): Promise<void> => {
    const isRecurring = task.pattern === "recurring";
    const outcome = await (isRecurring ? createSchedule(task) : runTask(turn, plan, task, resumeFrom, outcomes));
    if (outcome.status === "waiting") idleTasks.set(task, outcome);
    else outcomes.set(task.task_id, outcome);
    running.delete(task.task_id);
  };
  for (;;) {
    for (const [task, resumeFrom] of idleTasks) {
      // A cancelled task runs at once: its segment only publishes the cancellation.
      const isStopped = turn.taskSignal(task.task_id).aborted;
      if (!isStopped && running.size >= turn.limits.maxConcurrentTasks) continue;
      if (!isStopped && !canRun(turn, task, resumeFrom, outcomes)) continue;
      idleTasks.delete(task);
      running.set(task.task_id, run(task, resumeFrom));
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), turn.waitForChange()]).catch(async (thrown: unknown) => {
      // The error ends the thread; running tasks must settle before the thread's last event.
      await Promise.allSettled(running.values());
      throw thrown;
    });
  }
  const request_ids = [...idleTasks.values()].flatMap((resumeFrom) =>
    resumeFrom === null ? [] : [resumeFrom.request_id],
  );
  if (request_ids.length > 0) return { kind: "paused", request_ids };
  return {
    kind: "ended",
    tasks: plan.tasks.map((task) => ({ task, ...ensurePresent(outcomes.get(task.task_id), task.task_id) })),
  };
}

/** True if a task can start: all dependencies have ended, or its question is no longer open. */
function canRun(
  turn: TurnContext,
  task: Task,
  resumeFrom: WaitingTask | null,
  outcomes: ReadonlyMap<string, TaskOutcome>,
): boolean {
  if (resumeFrom === null) return task.depends_on.every((id) => outcomes.has(id));
  return turn.signal.aborted || turn.getQuestionState(resumeFrom.request_id).state !== "open";
}
