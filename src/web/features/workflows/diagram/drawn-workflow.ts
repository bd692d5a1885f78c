// The drawable form of a workflow, built from a template, or from an instance and optionally its template.

import type {
  InstanceListener,
  InstanceTask,
  WorkflowInstanceDetails,
} from "../../../../protocol/workflows/workflow-instance.ts";
import type {
  Listener,
  ListenerOutput,
  WorkflowTaskStatus,
  WorkflowTask,
  WorkflowTemplate,
} from "../../../../protocol/workflows/workflow-template.ts";
import { buildTaskGraph, type TaskGraph, type GraphTask } from "../../conversations/task-plan/task-graph.ts";

/** `Stopped`: the task was active when its instance was cancelled. */
export type DrawnTaskStatus = WorkflowTaskStatus | "Stopped";

/** A task of a template or of an instance. */
export type DrawnTask = Pick<WorkflowTask, "task_id" | "name" | "prompt"> & {
  /** Present for tasks of an instance. */
  readonly execution?: Pick<InstanceTask, "context" | "status_trace"> & { readonly status: DrawnTaskStatus };
};

/** A listener of a template or of an instance. */
export type DrawnListener = ListenerLink & {
  readonly condition: string;
  /** The agent name; null for a listener that runs code. */
  readonly agent: string | null;
  /** The fields that only the template contains; absent while it is unknown. */
  readonly definition?: Pick<Listener, "action_condition" | "action_prompt" | "code_snippet"> & {
    readonly success: ListenerOutput;
    readonly failure: ListenerOutput | null;
  };
  /** Present for listeners of an instance. */
  readonly execution?: InstanceListener;
};

export type DrawnWorkflow = {
  readonly mainId: string;
  readonly tasks: readonly DrawnTask[];
  readonly listeners: readonly DrawnListener[];
};

/** Returns the drawable form of a template, without executions. */
export function drawTemplate({ main_task_id: mainId, tasks, listeners }: WorkflowTemplate): DrawnWorkflow {
  return { mainId, tasks, listeners: listeners.map(toDrawnListener) };
}

function toDrawnListener(listener: Listener): DrawnListener {
  const { listener_id, trigger_task_id, trigger_condition, listener_type, agent_id } = listener;
  const { success_output: success, failure_output: failure, action_condition, action_prompt, code_snippet } = listener;
  return {
    listener_id,
    trigger_task_id,
    target: success.task_id,
    condition: trigger_condition,
    agent: listener_type === "code" ? null : (agent_id ?? ""),
    definition: { action_condition, action_prompt, code_snippet, success, failure: failure ?? null },
  };
}

/**
 * Returns the drawable form of an instance; with its template, also the definitions of the listeners. Active tasks of a
 * cancelled instance are `Stopped`. `open`: the ids of the open questions, null while they are unknown; a listener
 * whose question is no longer open is shown as running.
 */
export function drawInstance(
  instance: WorkflowInstanceDetails,
  template: WorkflowTemplate | undefined,
  open: ReadonlySet<string> | null,
): DrawnWorkflow {
  const isStopped = instance.status === "cancelled";
  const definitions = new Map(
    template?.listeners.map((listener) => [listener.listener_id, toDrawnListener(listener).definition]),
  );
  return {
    mainId: instance.main_task_id,
    tasks: instance.tasks.map(({ task_id, name, prompt, status, context, status_trace }) => ({
      task_id,
      name,
      prompt,
      execution: { status: isStopped && ACTIVE_STATUSES.has(status) ? "Stopped" : status, context, status_trace },
    })),
    listeners: instance.listeners.map((storedListener): DrawnListener => {
      const execution = markAnsweredAsRunning(storedListener, open);
      const known = definitions.get(execution.listener_id);
      return {
        listener_id: execution.listener_id,
        trigger_task_id: execution.trigger_task_id,
        target: execution.target_task_id,
        condition: execution.trigger_condition,
        agent: execution.listener_type === "code" ? null : (execution.agent_id ?? ""),
        execution,
        ...(known === undefined ? {} : { definition: known }),
      };
    }),
  };
}

const ACTIVE_STATUSES: ReadonlySet<WorkflowTaskStatus> = new Set(["Running", "Retrying", "Pending"]);

/** Shows a listener as running if its question was answered and the instance does not show that yet. */
function markAnsweredAsRunning(listener: InstanceListener, open: ReadonlySet<string> | null): InstanceListener {
  const { status, request_id: requestId } = listener;
  if (status !== "waiting_input" || open === null || requestId === undefined || open.has(requestId)) return listener;
  return { ...listener, status: "running" };
}

// The dependencies between the tasks of a workflow, derived from its listeners.

/** The fields of a listener that template and instance share. `target`: the id of the task that it changes. */
type ListenerLink = Pick<Listener, "listener_id" | "trigger_task_id"> & { readonly target: string };

/** Returns the ids of the tasks that trigger the listener, from a list with commas or spaces, without duplicates. */
export function listTriggers({ trigger_task_id: text }: Pick<Listener, "trigger_task_id">): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((id) => id !== ""))];
}

/**
 * Returns each task with the tasks that trigger its listeners as dependencies. The main task has none: it starts first,
 * and a listener that changes it ends the workflow.
 */
export function buildGraphTasks(
  tasks: readonly Pick<WorkflowTask, "task_id">[],
  links: readonly ListenerLink[],
  mainId: string,
): GraphTask[] {
  return tasks.map(({ task_id }) => {
    const leading = task_id === mainId ? [] : links.filter(({ target }) => target === task_id).flatMap(listTriggers);
    return { task_id, depends_on: [...new Set(leading)].filter((id) => id !== task_id) };
  });
}

/** Returns the listeners that change a task, in order. */
export function listTaskListeners<L extends ListenerLink>(links: readonly L[], taskId: string): L[] {
  return links.filter(({ target }) => target === taskId);
}

/** Lays out the graph of `buildGraphTasks`. Tasks without any link, except the main task, are below all others. */
export function layoutWorkflow(linked: readonly GraphTask[], mainId: string): TaskGraph {
  const used = new Set(linked.flatMap(({ depends_on }) => depends_on));
  const isLinked = ({ task_id, depends_on }: GraphTask): boolean =>
    task_id === mainId || depends_on.length > 0 || used.has(task_id);
  const { rows, lanes } = buildTaskGraph(linked.filter(isLinked));
  const unlinked = linked.filter((task) => !isLinked(task));
  return {
    rows: [
      ...rows,
      ...unlinked.map(({ task_id }) => ({ task_id, layer: 0, lane: 0, incoming: [], passing: [], isUsed: false })),
    ],
    lanes,
  };
}

/** The names of listeners by their ids. */
export type ListenerNames = ReadonlyMap<string, string>;

/** Replaces the id of a listener at the start of a sentence of the server by its name; unchanged for an unknown id. */
export function replaceListenerId(sentence: string, names: ListenerNames): string {
  const [id = ""] = sentence.split(" ", 1);
  return (names.get(id) ?? id) + sentence.slice(id.length);
}

/**
 * Returns the reason of a change to `Error`, `Retrying` or `Pending` for people, in the language of the run; "" for
 * other changes, which the log and the listener explain already.
 */
export function formatStatusReason(status: WorkflowTaskStatus, reason: string, names: ListenerNames): string {
  return EXPLAINED_STATUSES.has(status) ? replaceListenerId(reason, names) : "";
}

const EXPLAINED_STATUSES: ReadonlySet<WorkflowTaskStatus> = new Set(["Error", "Retrying", "Pending"]);
