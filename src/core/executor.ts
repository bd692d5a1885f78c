// Executes the tasks of a plan. A task starts when its dependencies have ended; independent tasks run in parallel, up
// to `maxConcurrentTasks`. If a task fails, the tasks that depend on it are cancelled with the reason. All other tasks
// continue, even while a task waits for the person.

import { must } from "../protocol/assert.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { establishing } from "./schedule-task.ts";
import type { TaskEnd, Waiting } from "./task-end.ts";
import { runLeg, type Special } from "./task-run.ts";
import type { Scene } from "./scene.ts";

/** A task with its outcome. */
export type EndedTask = { readonly task: Task } & TaskEnd;

/** The outcome of an execution. `tasks` are in the order of the plan. */
export type Executed =
  | { readonly kind: "ended"; readonly tasks: readonly EndedTask[] }
  /** Nothing can run before the person answers one of these questions. */
  | { readonly kind: "paused"; readonly request_ids: readonly string[] };

/**
 * Runs all tasks that can run, in an order that their dependencies allow, and returns when all have ended or only
 * questions remain. After a restart it runs again from the top; finished steps return their journaled outcomes. Agent
 * failures never reject. If a step rejects, waits for the running tasks to settle and rethrows.
 */
export async function execute(
  scene: Scene,
  plan: Plan,
  specialOf?: (task: Task) => Special | undefined,
): Promise<Executed> {
  const ends = new Map<string, TaskEnd>();
  /** Tasks that neither run nor have ended, with the question that they wait for, or null if they have not started. */
  const resting = new Map<Task, Waiting | null>(plan.tasks.map((task) => [task, null]));
  const running = new Map<string, Promise<void>>();
  const establish = establishing(scene);
  const run = async (task: Task, from: Waiting | null): Promise<void> => {
    const isRecurring = task.pattern === "recurring";
    const outcome = await (isRecurring ? establish(task) : runLeg(scene, plan, task, from, ends, specialOf?.(task)));
    if (outcome.status === "waiting") resting.set(task, outcome);
    else ends.set(task.task_id, outcome);
    running.delete(task.task_id);
  };
  for (;;) {
    for (const [task, from] of resting) {
      // A cancelled task runs at once: its segment only publishes the cancellation.
      const isStopped = scene.taskSignal(task.task_id).aborted;
      if (!isStopped && running.size >= scene.limits.maxConcurrentTasks) continue;
      if (!isStopped && !mayRun(scene, task, from, ends)) continue;
      resting.delete(task);
      running.set(task.task_id, run(task, from));
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), scene.settled()]).catch(async (thrown: unknown) => {
      // The error ends the thread; running tasks must settle before the thread's last event.
      await Promise.allSettled(running.values());
      throw thrown;
    });
  }
  const request_ids = [...resting.values()].flatMap((from) => (from === null ? [] : [from.request_id]));
  if (request_ids.length > 0) return { kind: "paused", request_ids };
  return { kind: "ended", tasks: plan.tasks.map((task) => ({ task, ...must(ends.get(task.task_id), task.task_id) })) };
}

/** True if a task can start: all dependencies have ended, or its question is no longer open. */
function mayRun(scene: Scene, task: Task, from: Waiting | null, ends: ReadonlyMap<string, TaskEnd>): boolean {
  if (from === null) return task.depends_on.every((id) => ends.has(id));
  return scene.signal.aborted || scene.standing(from.request_id).state !== "open";
}
