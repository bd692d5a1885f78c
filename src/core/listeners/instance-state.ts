// The state of an instance inside its engine. It is immutable and not stored: it is a fold of the journaled changes.
// The components for readers are built from it.

import { ensurePresent } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { InstanceHold, InstanceListener, InstanceTask } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTaskContext, WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import type { WaitingTask } from "../turn/task-outcome.ts";
import type { CompiledTemplate, CompiledListener } from "./compile-template.ts";
import { type Condition } from "../../protocol/workflows/condition.ts";
import { evaluateCondition } from "../../protocol/workflows/evaluate-condition.ts";
import type { Placeholder } from "./render-template.ts";

/** The state of one task of the template. */
export type InstanceTaskState = Pick<InstanceTask, "status" | "context" | "status_trace"> & {
  /** True once its context has been large; readers then receive each value as a separate component. */
  readonly isLarge?: true;
};

/** The state of one listener. Times are in milliseconds since the epoch. */
export type ListenerState = Pick<InstanceListener, "status" | "attempts" | "tools"> & {
  /** The number of tries since it fired or was resumed. */
  readonly tries: number;
  /** The rendered prompt for its agent; "" before it starts. */
  readonly prompt: string;
  /** The last question of its agent, if it continues from one. */
  readonly waiting: WaitingTask | null;
  /** The placeholders of its prompt that have no value yet. */
  readonly missing: readonly Placeholder[];
  readonly triggered_at: number | null;
  readonly ended_at: number | null;
  readonly response: string | null;
  readonly error: string | null;
};

const IDLE_LISTENER: ListenerState = {
  status: "idle",
  attempts: 0,
  tools: [],
  tries: 0,
  prompt: "",
  waiting: null,
  missing: [],
  triggered_at: null,
  ended_at: null,
  response: null,
  error: null,
};

/** A failure that ends the instance. */
export type InstanceHalt = { readonly content: string; readonly code: string };

/** The whole state of an instance. */
export type InstanceState = {
  readonly tasks: ReadonlyMap<string, InstanceTaskState>;
  readonly listeners: ReadonlyMap<string, ListenerState>;
  /** Fired, retried and resumed listeners that wait for a free slot or for data, in order. */
  readonly queue: readonly string[];
  /** The running listeners. */
  readonly active: ReadonlySet<string>;
  /** The number of listeners that have fired. */
  readonly firings: number;
  /** The time of the last change. Times of changes increase strictly, so that they define the order of changes. */
  readonly at: number;
  /** The status of the main task before a listener's failure changed it. */
  readonly previousMainStatus?: WorkflowTaskStatus | undefined;
  readonly hold?: InstanceHold | undefined;
  readonly halt?: InstanceHalt;
};

/** Returns the state before the first change: all tasks `NotStarted`, all listeners idle. */
export function createInitialState({ tasks, listeners }: CompiledTemplate): InstanceState {
  return {
    tasks: new Map([...tasks.keys()].map((id) => [id, { status: "NotStarted", context: {}, status_trace: [] }])),
    listeners: new Map([...listeners.keys()].map((id) => [id, IDLE_LISTENER])),
    queue: [],
    active: new Set(),
    firings: 0,
    at: 0,
  };
}

/** Returns the state of a task. Throws if the template has no such task. */
export function getTaskState({ tasks }: InstanceState, id: string): InstanceTaskState {
  return ensurePresent(tasks.get(id), id);
}

/** Returns the state of a listener. Throws if the template has no such listener. */
export function getListenerState({ listeners }: InstanceState, id: string): ListenerState {
  return ensurePresent(listeners.get(id), id);
}

/** True if all conditions of a listener hold. */
export function matchesConditions(
  { conditions, triggers }: CompiledListener,
  tasks: ReadonlyMap<string, InstanceTaskState>,
): boolean {
  const lookups = {
    status: (id: string): WorkflowTaskStatus | undefined => tasks.get(id)?.status,
    context: (id: string): WorkflowTaskContext | undefined => tasks.get(id)?.context,
  };
  return conditions.every((condition: Condition) => evaluateCondition(condition, triggers, lookups));
}

/** Returns the held listeners in template order. A listener is held because of missing values or after a failure. */
export function listHeldListeners({ listeners }: InstanceState): readonly (readonly [string, ListenerState])[] {
  return [...listeners].filter(([, { status }]) => status === "held");
}

/** Creates the message of a hold: the failures of the held listeners, then the names of the missing values. */
export function createHoldMessage(
  held: readonly (readonly [string, ListenerState])[],
  missing: readonly string[],
): readonly Message[] {
  const failures = held.flatMap(([id, { error, missing: lacks }]) =>
    lacks.length === 0 ? [createFailureMessage("workflow.listenerFailed", id, error)] : [],
  );
  return missing.length === 0 ? failures : [...failures, createMessage("workflow.valuesMissing", { names: missing })];
}

/** Creates the message of a listener's failure. The sentence supplies the full stop after the reason. */
export function createFailureMessage(
  key: "workflow.listenerFailed" | "workflow.listenerRetrying",
  listener: string,
  error: string | null,
): Message {
  if (error === null) return createMessage("workflow.listenerFailedNoReason", { listener });
  return createMessage(key, { listener, reason: error.replace(/[.。]$/, "") });
}
