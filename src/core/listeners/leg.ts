// Runs one listener, by its agent or its code, to its end or its agent's next question.

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

/**
 * Runs an active listener as journaled steps of its task and returns the outcome, or `waiting` if its agent asks.
 * Failures of agents and code are outcomes, not rejections.
 */
export function runListener(scene: Scene, instance: Instance, state: State, id: string): Promise<TaskEnd | Waiting> {
  const compiled = must(instance.compiled.listeners.get(id), id);
  if (compiled.listener.listener_type === "code") return runCode(scene, instance, state, compiled);
  const { prompt: query, waiting, attempts: attempt } = listenerIn(state, id);
  // The conditions of the listener have already decided the start, so the task has no dependencies here.
  const task = { ...taskOf(instance, id), query, depends_on: [] };
  return runLeg(scene, instance.plan, task, waiting, NOTHING, {
    attempt,
    isRetried: (compiled.listener.failure_output ?? null) === null,
    metadata: { current_context: contextFor(instance, state, compiled) },
    keepsTools: true,
  });
}

/** Notifies the agent of a listener that its question gets no answer. */
export function dismissListener(scene: Scene, instance: Instance, id: string, waiting: Waiting): Promise<void> {
  return dismiss(scene, taskOf(instance, id), waiting.remote_task_id, waiting.state);
}

/** Returns the plan task of an agent listener. Throws if there is none. */
function taskOf({ plan, taskIds }: Instance, id: string): Task {
  const taskId = must(taskIds.get(id), id);
  return must(
    plan.tasks.find(({ task_id }) => task_id === taskId),
    taskId,
  );
}

/** The outcomes of dependencies: none, because tasks of listeners have no dependencies here. */
const NOTHING: ReadonlyMap<string, TaskEnd> = new Map();

/** Returns the context for the agent: values of the main task, overridden by those of its trigger tasks. */
function contextFor({ compiled }: Instance, { tasks }: State, { triggers }: CompiledListener): PlanContext {
  const contextOf = (id: string): PlanContext => filled(compiled, id, tasks.get(id)?.context);
  const others = triggers.filter((id) => id !== compiled.mainTaskId).map(contextOf);
  return Object.assign({}, factsIn(contextOf(compiled.mainTaskId)), ...others) as PlanContext;
}

/** Runs the code of a listener as a step. Empty code succeeds with an empty result. */
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
