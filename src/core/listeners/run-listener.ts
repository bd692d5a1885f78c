// Runs one listener, by its agent or its code, to its end or its agent's next question.

import { ensurePresent } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import type { WorkflowTaskContext } from "../../protocol/workflows/workflow-template.ts";
import type { Provenance } from "../../protocol/agents/agent.ts";
import { isSameJson } from "../../lib/json-value.ts";
import type { StepOutcome } from "../ports.ts";
import { runAtomicStep, type TurnContext } from "../turn/turn-context.ts";
import type { TaskOutcome, WaitingTask } from "../turn/task-outcome.ts";
import { withdrawAgentQuestion, runTaskSegment } from "../turn/task-segment.ts";
import type { WorkflowInstance } from "./instance-components.ts";
import { removeUnresolved, type CompiledListener } from "./compile-template.ts";
import { renderListenerCriterion, runCheckedListener } from "./run-checked-listener.ts";
import { getListenerState, type InstanceState } from "./instance-state.ts";
import { removeErrorValues } from "./instance-recovery.ts";

/**
 * Runs an active listener as journaled steps of its task and returns the outcome, or `waiting` if its agent asks. Empty
 * code succeeds at once. Failures of agents and code are outcomes; rejects only if the journal fails or, for code, if
 * the signal aborts.
 */
export function runListener(
  turn: TurnContext,
  instance: WorkflowInstance,
  state: InstanceState,
  id: string,
): Promise<TaskOutcome | WaitingTask> {
  const compiled = ensurePresent(instance.compiled.listeners.get(id), id);
  if (compiled.listener.listener_type === "code") return runListenerCode(turn, instance, state, compiled);
  const { prompt: query, waiting, attempts: attempt } = getListenerState(state, id);
  // The conditions of the listener have already decided the start, so the task has no dependencies here.
  const task = { ...getListenerTask(instance, id), query, depends_on: [] };
  const options = {
    attempt,
    retriesOnFailure: (compiled.listener.failure_output ?? null) === null,
    metadata: {
      current_context: buildAgentContext(instance, state, compiled),
      provenance: buildListenerProvenance(turn, instance, state),
    },
    recordsTools: true,
    mayBeSilent: true,
  };
  const criterion = renderListenerCriterion(turn, instance, state, task, compiled.listener);
  return criterion === null
    ? runTaskSegment(turn, instance.plan, task, waiting, NO_OUTCOMES, options)
    : runCheckedListener(turn, instance, task, waiting, criterion, options);
}

/**
 * Notifies the agent of a listener that its question gets no answer. Throws if the listener has no plan task; otherwise
 * never rejects.
 */
export function withdrawListenerQuestion(
  turn: TurnContext,
  instance: WorkflowInstance,
  id: string,
  waiting: WaitingTask,
): Promise<void> {
  return withdrawAgentQuestion(turn, getListenerTask(instance, id), waiting.remote_task_id, waiting.state);
}

/** Returns the plan task of an agent listener. Throws if there is none. */
export function getListenerTask({ plan, taskIds }: WorkflowInstance, id: string): Task {
  const taskId = ensurePresent(taskIds.get(id), id);
  return ensurePresent(
    plan.tasks.find(({ task_id }) => task_id === taskId),
    taskId,
  );
}

/** The outcomes of dependencies: none, because tasks of listeners have no dependencies here. */
const NO_OUTCOMES: ReadonlyMap<string, TaskOutcome> = new Map();

/** Returns the context for the agent: values of the main task, overridden by those of its trigger tasks. */
function buildAgentContext(
  { compiled }: WorkflowInstance,
  { tasks }: InstanceState,
  { triggers }: CompiledListener,
): WorkflowTaskContext {
  const getContext = (id: string): WorkflowTaskContext => removeUnresolved(compiled, id, tasks.get(id)?.context);
  const others = triggers.filter((id) => id !== compiled.mainTaskId).map(getContext);
  return Object.assign({}, removeErrorValues(getContext(compiled.mainTaskId)), ...others) as WorkflowTaskContext;
}

/**
 * Builds the provenance of a listener's request. The template and the values of the start are the person's, all other
 * values come from agents and code. The query consists of both, so it is the person's only where these are.
 */
function buildListenerProvenance(
  { answers }: TurnContext,
  { template, startValues }: WorkflowInstance,
  { tasks }: InstanceState,
): Provenance {
  const replies = answers().map((answer) => JSON.stringify(answer));
  const names = new Map(template.tasks.map(({ task_id, name }) => [task_id, name]));
  const untrusted = [...tasks].flatMap(([id, { context }]) => {
    const foreign = Object.entries(context).filter(([name, value]) => !isSameJson(startValues[name], value));
    if (foreign.length === 0) return [];
    return [{ source: names.get(id) ?? id, text: JSON.stringify(Object.fromEntries(foreign)) }];
  });
  return { query: "", person: [JSON.stringify(template), JSON.stringify(startValues), ...replies], untrusted };
}

/** Runs the code of a listener as a step. Empty code succeeds with an empty result. */
async function runListenerCode(
  turn: TurnContext,
  instance: WorkflowInstance,
  state: InstanceState,
  { listener }: CompiledListener,
): Promise<TaskOutcome> {
  const { listener_id: id, code_snippet } = listener;
  const code = code_snippet ?? "";
  if (code.trim() === "") return { status: "completed", result: "" };
  const { ports, signal } = turn;
  return runAtomicStep<TaskOutcome>(turn, "planner", `code:${id}#${getListenerState(state, id).attempts}`, async () => {
    const fail = (message: Message | string): StepOutcome<TaskOutcome> => ({
      value: { status: "failed", error: ports.formatMessage(message) },
      closing: [],
    });
    if (ports.code === undefined) return fail(createMessage("sandbox.unavailable"));
    const tasks = [...state.tasks].map(([taskId, { status, context }]) => [taskId, { status, context }]);
    const values = state.tasks.get(instance.compiled.mainTaskId)?.context ?? {};
    const end = await ports.code.run(code, { tasks: Object.fromEntries(tasks) as unknown, values }, signal);
    if (end.kind === "failed") return fail(end.message);
    return { value: { status: "completed", result: JSON.stringify(end.value ?? null) }, closing: [] };
  });
}
