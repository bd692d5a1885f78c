// One run of a listener: its agent or its code, from where it begins or goes on to its end or its next question.

import { must } from "../../protocol/assert.ts";
import type { Task } from "../../protocol/plan.ts";
import type { PlanContext } from "../../protocol/plan-template.ts";
import type { Scene } from "../scene.ts";
import type { TaskEnd, Waiting } from "../task-end.ts";
import { dismiss, runLeg } from "../task-run.ts";
import { placeIn, type Instance } from "./components.ts";
import { filled, type CompiledListener } from "./compile.ts";
import { listenerIn, type State } from "./state.ts";
import { factsIn } from "./trouble.ts";

/** Runs a listener that is active in this state. Never rejects for what an agent or code does. */
export function runListener(scene: Scene, instance: Instance, state: State, id: string): Promise<TaskEnd | Waiting> {
  const compiled = must(instance.compiled.listeners.get(id), id);
  if (compiled.listener.listener_type === "code") return runCode(scene, instance, state, compiled);
  const { prompt: query, waiting, attempts: attempt } = listenerIn(state, id);
  // What it waits for is its conditions' affair, not the executor's.
  const task = { ...taskOf(instance, id), query, depends_on: [] };
  return runLeg(scene, instance.plan, task, waiting, NOTHING, {
    attempt,
    isRetried: (compiled.listener.failure_output ?? null) === null,
    metadata: { current_context: contextFor(instance, state, compiled) },
    keepsTools: true,
  });
}

/** The agent of a listener hears that its question will not be answered. */
export function dismissListener(scene: Scene, instance: Instance, id: string, waiting: Waiting): Promise<void> {
  return dismiss(scene, taskOf(instance, id), waiting.remote_task_id, waiting.state);
}

function taskOf({ plan, taskIds }: Instance, id: string): Task {
  const taskId = must(taskIds.get(id), id);
  return must(
    plan.tasks.find(({ task_id }) => task_id === taskId),
    taskId,
  );
}

const NOTHING: ReadonlyMap<string, TaskEnd> = new Map();

/** What its agent may go by: what is known of the main task, and nearer to it of the tasks that it listens to. */
function contextFor({ compiled }: Instance, { tasks }: State, { triggers }: CompiledListener): PlanContext {
  const contextOf = (id: string): PlanContext => filled(compiled, id, tasks.get(id)?.context);
  const others = triggers.filter((id) => id !== compiled.mainTaskId).map(contextOf);
  return Object.assign({}, factsIn(contextOf(compiled.mainTaskId)), ...others) as PlanContext;
}

/** Code that is there runs as a step; without any, there is nothing to do and nothing to fail. */
async function runCode(
  { ports, threadId, signal }: Scene,
  instance: Instance,
  state: State,
  { listener }: CompiledListener,
): Promise<TaskEnd> {
  const { listener_id: id, code_snippet: code } = listener;
  if (code === undefined || code === null || code.trim() === "") return { status: "completed", result: "" };
  const { task_id: scope, agent_name: agentName } = placeIn(threadId);
  const name = `code:${id}#${listenerIn(state, id).attempts}`;
  return ports.step<TaskEnd>({ name, scope, agentName, isAtomic: true }, async () => {
    if (ports.code === undefined) {
      return { value: { status: "failed", error: ports.say("There is nothing here that runs code.") }, closing: [] };
    }
    const tasks = [...state.tasks].map(([taskId, { status, context }]) => [taskId, { status, context }]);
    const values = state.tasks.get(instance.compiled.mainTaskId)?.context ?? {};
    const end = await ports.code.run(code, { tasks: Object.fromEntries(tasks) as unknown, values }, signal);
    const value: TaskEnd =
      end.kind === "returned"
        ? { status: "completed", result: JSON.stringify(end.value ?? null) }
        : { status: "failed", error: ports.say(end.message) };
    return { value, closing: [] };
  });
}
