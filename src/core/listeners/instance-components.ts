// The components of an instance for readers: head, tasks, listeners, and values of large contexts. Each one has a
// stable item id, so that a later event replaces it.

import { ensurePresent } from "../../lib/assert.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Plan } from "../../protocol/plans/task-plan.ts";
import {
  INSTANCE_COMPONENT,
  INSTANCE_LISTENER_COMPONENT,
  INSTANCE_TASK_COMPONENT,
  INSTANCE_VALUE_COMPONENT,
  type InstanceHead,
  type InstanceListener,
  type InstanceValue,
  type TaskComponent,
} from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTaskContext, WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { EventDraft } from "../ports.ts";
import { getStageScope } from "../turn/turn-context.ts";
import type { InstanceRules } from "./instance-state-builder.ts";
import { listHeldListeners, type ListenerState, type InstanceState, type InstanceTaskState } from "./instance-state.ts";

/** The constant data of an instance. */
export type WorkflowInstance = InstanceRules & {
  readonly plan_instance_id: string;
  readonly template: WorkflowTemplate;
  /** The values with which the person started the instance. */
  readonly startValues: WorkflowTaskContext;
  /** The plan of its conversation: one task per agent listener. */
  readonly plan: Plan;
  /** The task ids of this plan, by listener id. */
  readonly taskIds: ReadonlyMap<string, string>;
};

/**
 * Returns the component events that bring a reader from one state to another, without unchanged components. `before` is
 * null for the first state.
 */
export function createUpdateEvents(
  instance: WorkflowInstance,
  before: InstanceState | null,
  after: InstanceState,
): EventDraft[] {
  const drafts: EventDraft[] = [];
  const head = buildInstanceHead(instance, after);
  if (before === null || !hasSameJson(buildInstanceHead(instance, before), head))
    drafts.push(createHeadEvent(instance, head));
  for (const [id, task] of after.tasks) {
    const known = before?.tasks.get(id);
    if (known !== task) drafts.push(...createTaskComponentEvents(instance, id, known, task));
  }
  for (const [id, listener] of after.listeners) {
    const known = before?.listeners.get(id);
    if (known === listener) continue;
    const content = buildListenerComponent(instance, id, listener);
    if (known !== undefined && hasSameJson(buildListenerComponent(instance, id, known), content)) continue;
    drafts.push(createComponentEvent(instance, INSTANCE_LISTENER_COMPONENT, `listener/${id}`, content));
  }
  return drafts;
}

/** True if two components have the same JSON. */
function hasSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Creates the event of an instance's head. */
export function createHeadEvent(instance: WorkflowInstance, head: InstanceHead): EventDraft {
  return createComponentEvent(instance, INSTANCE_COMPONENT, "head", head);
}

/**
 * Creates the event of a task and, if its context is large, one event per value that differs from `before` (undefined
 * if the task is not published yet). A removed value is an event without `value`.
 */
export function createTaskComponentEvents(
  instance: WorkflowInstance,
  id: string,
  before: InstanceTaskState | undefined,
  task: InstanceTaskState,
): EventDraft[] {
  const drafts = [
    createComponentEvent(instance, INSTANCE_TASK_COMPONENT, `task/${id}`, buildTaskComponent(instance, id, task)),
  ];
  if (task.isLarge !== true) return drafts;
  const known = before?.isLarge === true ? before.context : {};
  const names = new Set([...Object.keys(known), ...Object.keys(task.context)]);
  for (const name of names) {
    const value = task.context[name];
    if (known[name] === value) continue;
    const content: InstanceValue = { task_id: id, name, ...(value === undefined ? {} : { value }) };
    drafts.push(createComponentEvent(instance, INSTANCE_VALUE_COMPONENT, `value/${id}/${name}`, content));
  }
  return drafts;
}

/** Creates a component event. `name` makes its item id unique within the instance. */
function createComponentEvent(
  instance: WorkflowInstance,
  component_type: string,
  name: string,
  content: object,
): EventDraft {
  const { plan, plan_instance_id: id } = instance;
  return {
    event: "component_generator",
    data: {
      ...getStageScope(plan.thread_id, "planner"),
      role: "agent",
      item_id: `${deriveId(id, "item")}/${name}`,
      payload: { component_type, content: JSON.stringify(content) },
    },
  };
}

/**
 * Builds the head of a running instance. Status `error` means that it is held after a failure, not for missing values.
 */
export function buildInstanceHead(
  { plan_instance_id, template, plan }: WorkflowInstance,
  state: InstanceState,
): InstanceHead {
  const { plan_id, version: plan_version, name, main_task_id } = template;
  const { hold } = state;
  const failed = hold === undefined ? [] : listHeldListeners(state).filter(([, { missing }]) => missing.length === 0);
  return {
    plan_instance_id,
    plan_id,
    plan_version,
    name,
    main_task_id,
    conversation_id: plan.conversation_id,
    thread_id: plan.thread_id,
    status: failed.length > 0 ? "error" : "running",
    ...(hold === undefined ? {} : { hold }),
    ...(hold === undefined || failed.length === 0 ? {} : { error: hold.message }),
    started_at: plan.created_at,
  };
}

/** The maximum length of a displayed template text; all texts of a template must fit into one row of the log. */
const MAX_DISPLAY_CHARS = 500;

/** Truncates a template text for display. */
export function truncateForDisplay(text: string): string {
  return truncateWithEllipsis(text, MAX_DISPLAY_CHARS);
}

/** Builds the content of a task component. A large context is omitted; its values are separate components. */
function buildTaskComponent(
  { compiled }: WorkflowInstance,
  id: string,
  { status, context, status_trace, isLarge }: InstanceTaskState,
): TaskComponent {
  const task = ensurePresent(compiled.tasks.get(id), id);
  const common = {
    ...task,
    prompt: truncateForDisplay(task.prompt),
    is_main_task: id === compiled.mainTaskId,
    status,
    status_trace,
  };
  return isLarge === true ? { ...common, context: {}, is_context_in_values: true } : { ...common, context };
}

/** Builds the content of a listener component. Absent values are omitted, not null. */
function buildListenerComponent(
  { compiled, taskIds }: WorkflowInstance,
  id: string,
  state: ListenerState,
): InstanceListener {
  const { listener } = ensurePresent(compiled.listeners.get(id), id);
  const { trigger_task_id, trigger_condition, listener_type, agent_id, success_output } = listener;
  const { status, attempts, tools, triggered_at, ended_at, response, error, waiting } = state;
  const task_id = taskIds.get(id);
  return {
    listener_id: id,
    trigger_task_id,
    trigger_condition: truncateForDisplay(trigger_condition),
    listener_type,
    ...(agent_id === undefined || agent_id === null ? {} : { agent_id }),
    target_task_id: success_output.task_id,
    status,
    attempts,
    ...(task_id === undefined ? {} : { task_id }),
    ...(status === "waiting_input" && waiting !== null ? { request_id: waiting.request_id } : {}),
    ...(triggered_at === null ? {} : { triggered_at }),
    ...(ended_at === null ? {} : { ended_at }),
    ...(response === null ? {} : { response }),
    ...(error === null ? {} : { error }),
    tools: [...tools],
  };
}
