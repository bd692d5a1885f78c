// The components of an instance for readers: head, tasks, listeners, and values of large contexts. Each one has a
// stable item id, so that a later event replaces it.

import { must } from "../../protocol/assert.ts";
import { PLANNER } from "../../protocol/events.ts";
import { companion } from "../../protocol/ids.ts";
import type { Plan } from "../../protocol/plan.ts";
import {
  PLAN_INSTANCE,
  PLAN_LISTENER,
  PLAN_TASK,
  PLAN_VALUE,
  type InstanceHead,
  type InstanceListener,
  type InstanceValue,
  type ToldTask,
} from "../../protocol/plan-instance.ts";
import type { PlanTemplate } from "../../protocol/plan-template.ts";
import { shortened } from "../../protocol/shortened.ts";
import type { Draft } from "../ports.ts";
import { stageScope } from "../scene.ts";
import type { Place } from "../voice.ts";
import type { Bounds } from "./change.ts";
import type { Compiled } from "./compile.ts";
import { heldIn, type ListenerState, type State, type TaskState } from "./state.ts";

/** The constant data of an instance. */
export type Instance = {
  readonly plan_instance_id: string;
  readonly template: PlanTemplate;
  readonly compiled: Compiled;
  readonly bounds: Bounds;
  /** The plan of its conversation: one task per agent listener. */
  readonly plan: Plan;
  /** The task ids of this plan, by listener id. */
  readonly taskIds: ReadonlyMap<string, string>;
};

/** Returns the event scope under which the engine publishes. */
export function placeIn(threadId: string): Place {
  return { thread_id: threadId, task_id: stageScope(threadId, "planner"), agent_name: PLANNER };
}

/** Returns the events that bring a reader from one state to another. `before` is null for the first state. */
export function told(instance: Instance, before: State | null, after: State): Draft[] {
  const drafts: Draft[] = [];
  const head = headOf(instance, after);
  if (before === null || !isSame(headOf(instance, before), head)) drafts.push(headDraft(instance, head));
  for (const [id, task] of after.tasks) {
    const known = before?.tasks.get(id);
    if (known !== task) drafts.push(...taskDrafts(instance, id, known, task));
  }
  for (const [id, listener] of after.listeners) {
    const known = before?.listeners.get(id);
    if (known === listener) continue;
    const content = listenerOf(instance, id, listener);
    if (known !== undefined && isSame(listenerOf(instance, id, known), content)) continue;
    drafts.push(component(instance, PLAN_LISTENER, `listener/${id}`, content));
  }
  return drafts;
}

/** True if two components have the same JSON. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Creates the event of an instance's head. */
export function headDraft(instance: Instance, head: InstanceHead): Draft {
  return component(instance, PLAN_INSTANCE, "head", head);
}

/** Creates the event of a task and, if its context is large, one event per changed value. */
export function taskDrafts(instance: Instance, id: string, before: TaskState | undefined, task: TaskState): Draft[] {
  const drafts = [component(instance, PLAN_TASK, `task/${id}`, taskOf(instance, id, task))];
  if (task.isLarge !== true) return drafts;
  const known = before?.isLarge === true ? before.context : {};
  const names = new Set([...Object.keys(known), ...Object.keys(task.context)]);
  for (const name of names) {
    const value = task.context[name];
    if (known[name] === value) continue;
    const content: InstanceValue = { task_id: id, name, ...(value === undefined ? {} : { value }) };
    drafts.push(component(instance, PLAN_VALUE, `value/${id}/${name}`, content));
  }
  return drafts;
}

/** Creates a component event. `name` makes its item id unique within the instance. */
function component(instance: Instance, component_type: string, name: string, content: object): Draft {
  const { plan, plan_instance_id: id } = instance;
  return {
    event: "component_generator",
    data: {
      ...placeIn(plan.thread_id),
      role: "agent",
      item_id: `${companion(id, "item")}/${name}`,
      payload: { component_type, content: JSON.stringify(content) },
    },
  };
}

/**
 * Builds the head of a running instance. Status `error` means that it is held after a failure, not for missing values.
 */
export function headOf({ plan_instance_id, template, plan }: Instance, state: State): InstanceHead {
  const { plan_id, version: plan_version, name, main_task_id } = template;
  const { hold } = state;
  const failed = hold === undefined ? [] : heldIn(state).filter(([, { missing }]) => missing.length === 0);
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
const MAX_SHOWN = 500;

/** Truncates a template text for display. */
export function shown(text: string): string {
  return shortened(text, MAX_SHOWN);
}

/** Builds the content of a task component. A large context is omitted; its values are separate components. */
function taskOf({ compiled }: Instance, id: string, { status, context, status_trace, isLarge }: TaskState): ToldTask {
  const task = must(compiled.tasks.get(id), id);
  const told = { ...task, prompt: shown(task.prompt), is_main_task: id === compiled.mainTaskId, status, status_trace };
  return isLarge === true ? { ...told, context: {}, is_context_in_values: true } : { ...told, context };
}

/** Builds the content of a listener component. Absent values are omitted, not null. */
function listenerOf({ compiled, taskIds }: Instance, id: string, state: ListenerState): InstanceListener {
  const { listener } = must(compiled.listeners.get(id), id);
  const { trigger_task_id, trigger_condition, listener_type, agent_id, success_output } = listener;
  const { status, attempts, tools, triggered_at, ended_at, response, error, waiting } = state;
  const task_id = taskIds.get(id);
  return {
    listener_id: id,
    trigger_task_id,
    trigger_condition: shown(trigger_condition),
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
