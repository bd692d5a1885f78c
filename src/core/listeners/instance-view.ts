// Builds the public view of an instance from the items of its conversation.

import type * as z from "zod";
import { detectLanguage } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import type { Item } from "../../protocol/wire/items.ts";
import { tryParseJson } from "../../lib/parse-json.ts";
import {
  instanceHeadSchema,
  instanceListenerSchema,
  instanceValueSchema,
  INSTANCE_COMPONENT,
  INSTANCE_LISTENER_COMPONENT,
  INSTANCE_TASK_COMPONENT,
  INSTANCE_VALUE_COMPONENT,
  taskComponentSchema,
  type InstanceHead,
  type InstanceListener,
  type InstanceTask,
  type InstanceValue,
  type WorkflowInstanceDetails,
  type TaskComponent,
} from "../../protocol/workflows/workflow-instance.ts";
import { getStageScope } from "../turn/turn-context.ts";

/** The state of the instance's thread. */
type InstanceThreadStatus = "open" | "ended" | "cancelled";
type InstanceLogEntry = WorkflowInstanceDetails["log"][number];

/**
 * Folds the items of an instance's conversation to its public view; null if the head is not published yet. A hold that
 * is answered is left out. `thread` is the state of its thread: once it has ended, the hold is removed, head and
 * unfinished listeners get a final status, and the log ends with `PLAN_COMPLETED`.
 */
export function foldInstance(items: readonly Item[], thread: InstanceThreadStatus): WorkflowInstanceDetails | null {
  const [published] = parseComponents(items, INSTANCE_COMPONENT, instanceHeadSchema);
  if (published === undefined) return null;
  const head = closeHead(withoutAnsweredHold(published, items), thread);
  const values = Map.groupBy(
    parseComponents(items, INSTANCE_VALUE_COMPONENT, instanceValueSchema),
    ({ task_id }) => task_id,
  );
  const tasks = parseComponents(items, INSTANCE_TASK_COMPONENT, taskComponentSchema).map((task) =>
    withSeparateValues(task, values.get(task.task_id)),
  );
  const listeners = parseComponents(items, INSTANCE_LISTENER_COMPONENT, instanceListenerSchema).map((listener) =>
    closeListener(listener, thread),
  );
  const log = buildInstanceLog(head, tasks, listeners, thread);
  return { ...head, waiting_for_resume: head.hold !== undefined, tasks, listeners, log };
}

/**
 * Parses the engine's components of one type. Ignores components of agents with the same type: their task id differs.
 */
function parseComponents<T>(items: readonly Item[], type: string, schema: z.ZodType<T>): T[] {
  return items.flatMap(({ event, payload, thread_id = "", task_id }) => {
    if (event !== "component_generator" || payload["component_type"] !== type) return [];
    if (task_id !== getStageScope(thread_id, "planner").task_id) return [];
    const content = schema.safeParse(tryParseJson(String(payload["content"])));
    return content.success ? [content.data] : [];
  });
}

/** Returns a task with its context, which is in separate value components if it is large. */
function withSeparateValues(
  { is_context_in_values: isInValues, ...task }: TaskComponent,
  values: readonly InstanceValue[] = [],
): InstanceTask {
  if (isInValues !== true) return task;
  const known = values.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  return { ...task, context: Object.fromEntries(known) };
}

/** Removes the hold once its answer is an item, so that a reader that resumed the instance does not see it waiting. */
function withoutAnsweredHold(published: InstanceHead, items: readonly Item[]): InstanceHead {
  const { hold, error: _, ...head } = published;
  const isAnswer = ({ event, metadata }: Item): boolean =>
    event === "message" && metadata["request_id"] === hold?.request_id;
  return hold === undefined || !items.some(isAnswer) ? published : { ...head, status: "running" };
}

/**
 * Adapts the head to an ended thread: no hold, and a final status. The engine publishes no head after a cancellation.
 */
function closeHead(published: InstanceHead, thread: InstanceThreadStatus): InstanceHead {
  if (thread === "open") return published;
  const { hold: _, ...head } = published;
  if (thread === "cancelled") return { ...head, status: "cancelled" };
  if (head.status !== "running") return head;
  const error = head.error ?? formatMessage(detectLanguage(head.name), createMessage("workflow.interrupted"));
  return { ...head, status: "error", error };
}

/** Adapts a listener to an ended thread: unfinished listeners become cancelled, held listeners failed. */
function closeListener(published: InstanceListener, thread: InstanceThreadStatus): InstanceListener {
  if (thread === "open") return published;
  const { request_id: _, ...listener } = published;
  switch (listener.status) {
    case "running":
    case "waiting_input":
    case "retrying":
      return { ...listener, status: "cancelled" };
    case "held":
      return { ...listener, status: "failed" };
    case "idle":
    case "done":
    case "failed":
    case "cancelled":
      return listener;
  }
}

/** The order of log entries that have the same time. */
const LOG_ORDER: Readonly<Record<InstanceLogEntry["type"], number>> = {
  PLAN_STARTED: 0,
  TOOL_CALLED: 1,
  LISTENER_EXECUTED: 2,
  TASK_STATUS_CHANGE: 3,
  LISTENER_TRIGGERED: 4,
  PLAN_COMPLETED: 5,
};

/** Builds the log of an instance, sorted by time. */
function buildInstanceLog(
  head: InstanceHead,
  tasks: readonly InstanceTask[],
  listeners: readonly InstanceListener[],
  thread: InstanceThreadStatus,
): InstanceLogEntry[] {
  const { plan_id, started_at, status } = head;
  const entries: InstanceLogEntry[] = [
    { type: "PLAN_STARTED", plan_id, at: started_at },
    ...tasks.flatMap((task) => listStatusChanges(task, plan_id)),
    ...listeners.flatMap(listListenerEntries),
  ];
  const last = entries.reduce((latest, { at }) => Math.max(latest, at), started_at);
  const at = Math.max(head.ended_at ?? last, last);
  const verifying = (head.verification?.checklist ?? []).flatMap(({ agent_id, task_id, tools_used }) => {
    const isIts = (listener: InstanceListener): boolean =>
      listener.agent_id === agent_id && listener.target_task_id === task_id;
    const listener_id = listeners.find(isIts)?.listener_id ?? "";
    return tools_used.map((tool): InstanceLogEntry => ({ type: "TOOL_CALLED", listener_id, agent_id, tool, at }));
  });
  entries.sort((a, b) => a.at - b.at || LOG_ORDER[a.type] - LOG_ORDER[b.type]);
  entries.push(...verifying);
  if (thread !== "open") entries.push({ type: "PLAN_COMPLETED", plan_id, status, at });
  return entries;
}

/** Returns the log entries of a task's status changes. */
function listStatusChanges({ task_id, status_trace }: InstanceTask, plan_id: string): InstanceLogEntry[] {
  return status_trace.map(({ status, reason, timestamp }, i): InstanceLogEntry => ({
    type: "TASK_STATUS_CHANGE",
    plan_id,
    task_id,
    old_status: status_trace[i - 1]?.status ?? "NotStarted",
    new_status: status,
    reason,
    at: timestamp,
  }));
}

/** Returns the log entries of a listener: fired, tools called, ended. Empty if it has not fired. */
function listListenerEntries({
  listener_id,
  agent_id,
  status,
  triggered_at,
  ended_at,
  tools,
}: InstanceListener): InstanceLogEntry[] {
  if (triggered_at === undefined) return [];
  const entries: InstanceLogEntry[] = [{ type: "LISTENER_TRIGGERED", listener_id, at: triggered_at }];
  const at = ended_at ?? triggered_at;
  for (const { tool } of tools) {
    entries.push({ type: "TOOL_CALLED", listener_id, agent_id: agent_id ?? "", tool, at });
  }
  if (ended_at === undefined || status === "idle") return entries;
  const end = status === "done" || status === "cancelled" ? status : "failed";
  entries.push({ type: "LISTENER_EXECUTED", listener_id, status: end, at });
  return entries;
}
