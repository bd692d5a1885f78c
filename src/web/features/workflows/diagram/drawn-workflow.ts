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
import type { ListenerLink } from "./listener-links.ts";

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
