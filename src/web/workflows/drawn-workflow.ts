// The drawable form of a workflow, built from a template, or from an instance and optionally its template.

import type {
  InstanceListener,
  InstanceTask,
  WorkflowInstanceDetails,
} from "../../protocol/workflows/workflow-instance.ts";
import type {
  Listener,
  ListenerOutput,
  WorkflowTaskStatus,
  WorkflowTask,
  WorkflowTemplate,
} from "../../protocol/workflows/workflow-template.ts";
import type { ListenerLink } from "./listener-links.ts";

/** `Stopped`: the task was active when its instance was cancelled. */
export type DrawnTaskStatus = WorkflowTaskStatus | "Stopped";

export type DrawnTask = Pick<WorkflowTask, "task_id" | "name" | "prompt"> & {
  /** Present for tasks of an instance. */
  readonly course?: Pick<InstanceTask, "context" | "status_trace"> & { readonly status: DrawnTaskStatus };
};

export type DrawnListener = ListenerLink & {
  readonly condition: string;
  readonly agent: string | null;
  /** Only the template contains these fields. */
  readonly written?: Pick<Listener, "action_condition" | "action_prompt" | "code_snippet"> & {
    readonly success: ListenerOutput;
    readonly failure: ListenerOutput | null;
  };
  readonly course?: InstanceListener;
};

export type DrawnWorkflow = {
  readonly mainId: string;
  readonly tasks: readonly DrawnTask[];
  readonly listeners: readonly DrawnListener[];
};

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
    written: { action_condition, action_prompt, code_snippet, success, failure: failure ?? null },
  };
}

/** `open`: the ids of the open questions; null while they are unknown. */
export function drawInstance(
  instance: WorkflowInstanceDetails,
  template: WorkflowTemplate | undefined,
  open: ReadonlySet<string> | null,
): DrawnWorkflow {
  const isStopped = instance.status === "cancelled";
  const written = new Map(
    template?.listeners.map((listener) => [listener.listener_id, toDrawnListener(listener).written]),
  );
  return {
    mainId: instance.main_task_id,
    tasks: instance.tasks.map(({ task_id, name, prompt, status, context, status_trace }) => ({
      task_id,
      name,
      prompt,
      course: { status: isStopped && ACTIVE_STATUSES.has(status) ? "Stopped" : status, context, status_trace },
    })),
    listeners: instance.listeners.map((storedListener): DrawnListener => {
      const course = markAnsweredAsRunning(storedListener, open);
      const known = written.get(course.listener_id);
      return {
        listener_id: course.listener_id,
        trigger_task_id: course.trigger_task_id,
        target: course.target_task_id,
        condition: course.trigger_condition,
        agent: course.listener_type === "code" ? null : (course.agent_id ?? ""),
        course,
        ...(known === undefined ? {} : { written: known }),
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
