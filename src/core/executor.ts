// Carries out a plan: tasks start as soon as what they depend on is complete, independent ones side
// by side. A failed task fails alone; what depends on it is cancelled with the reason, the others go on,
// also while a task waits for the person.

import { must } from "../protocol/assert.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import { establishing } from "./schedule-task.ts";
import type { TaskEnd, Waiting } from "./task-end.ts";
import { runLeg, type Special } from "./task-run.ts";
import type { Scene } from "./scene.ts";

export type EndedTask = { readonly task: Task } & TaskEnd;

export type Executed =
  | { readonly kind: "ended"; readonly tasks: readonly EndedTask[] }
  /** Nothing more can be done before the person answers. */
  | { readonly kind: "paused"; readonly request_ids: readonly string[] };

/** Runs tasks in an order their dependencies allow, as far as they go. Never rejects for what an agent does. */
export async function execute(
  scene: Scene,
  plan: Plan,
  specialOf?: (task: Task) => Special | undefined,
): Promise<Executed> {
  const ends = new Map<string, TaskEnd>();
  /** Tasks that neither run nor have ended, with the question they wait for if they have begun. */
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
      // One that was cancelled only says so, whatever it would have waited for.
      const isStopped = scene.taskSignal(task.task_id).aborted;
      if (!isStopped && running.size >= scene.limits.maxConcurrentTasks) continue;
      if (!isStopped && !mayRun(scene, task, from, ends)) continue;
      resting.delete(task);
      running.set(task.task_id, run(task, from));
    }
    if (running.size === 0) break;
    await Promise.race([...running.values(), scene.settled()]).catch(async (thrown: unknown) => {
      // The thread ends with this; what still runs must have come to rest before its last word.
      await Promise.allSettled(running.values());
      throw thrown;
    });
  }
  const request_ids = [...resting.values()].flatMap((from) => (from === null ? [] : [from.request_id]));
  if (request_ids.length > 0) return { kind: "paused", request_ids };
  return { kind: "ended", tasks: plan.tasks.map((task) => ({ task, ...must(ends.get(task.task_id), task.task_id) })) };
}

function mayRun(scene: Scene, task: Task, from: Waiting | null, ends: ReadonlyMap<string, TaskEnd>): boolean {
  if (from === null) return task.depends_on.every((id) => ends.has(id));
  return scene.signal.aborted || scene.standing(from.request_id).state !== "open";
}
