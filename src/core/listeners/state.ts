// The state of an instance inside its engine. It is immutable and not stored: it is a fold of the journaled changes.
// The components for readers are built from it.

import { must } from "../../protocol/assert.ts";
import type { Hold, InstanceListener, InstanceTask } from "../../protocol/plan-instance.ts";
import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import type { Waiting } from "../task-end.ts";
import type { Compiled, CompiledListener } from "./compile.ts";
import { holds, type Condition } from "../../protocol/conditions/condition.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Placeholder } from "./render.ts";

/** The state of one task of the template. */
export type TaskState = Pick<InstanceTask, "status" | "context" | "status_trace"> & {
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
  readonly waiting: Waiting | null;
  /** The placeholders of its prompt that have no value yet. */
  readonly missing: readonly Placeholder[];
  readonly triggered_at: number | null;
  readonly ended_at: number | null;
  readonly response: string | null;
  readonly error: string | null;
};

const IDLE: ListenerState = {
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
export type Halt = { readonly content: string; readonly code: string };

/** The whole state of an instance. */
export type State = {
  readonly tasks: ReadonlyMap<string, TaskState>;
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
  readonly mainBefore?: PlanStatus | undefined;
  readonly hold?: Hold | undefined;
  readonly halt?: Halt;
};

/** Returns the state before the first change: all tasks `NotStarted`, all listeners idle. */
export function initial({ tasks, listeners }: Compiled): State {
  return {
    tasks: new Map([...tasks.keys()].map((id) => [id, { status: "NotStarted", context: {}, status_trace: [] }])),
    listeners: new Map([...listeners.keys()].map((id) => [id, IDLE])),
    queue: [],
    active: new Set(),
    firings: 0,
    at: 0,
  };
}

/** Returns the state of a task. Throws if the template has no such task. */
export function taskIn({ tasks }: State, id: string): TaskState {
  return must(tasks.get(id), id);
}

/** Returns the state of a listener. Throws if the template has no such listener. */
export function listenerIn({ listeners }: State, id: string): ListenerState {
  return must(listeners.get(id), id);
}

/** True if all conditions of a listener hold. */
export function isDue({ conditions, triggers }: CompiledListener, tasks: ReadonlyMap<string, TaskState>): boolean {
  const standings = {
    status: (id: string): PlanStatus | undefined => tasks.get(id)?.status,
    context: (id: string): PlanContext | undefined => tasks.get(id)?.context,
  };
  return conditions.every((condition: Condition) => holds(condition, triggers, standings));
}

/** Returns the held listeners in template order. A listener is held because of missing values or after a failure. */
export function heldIn({ listeners }: State): readonly (readonly [string, ListenerState])[] {
  return [...listeners].filter(([, { status }]) => status === "held");
}

/** The maximum length of a hold's message. */
const MAX_MESSAGE = 4_000;

/** Builds the hold of an instance: a message with the failures and missing values of all held listeners. */
export function holdOf(state: State, request_id: string): Hold {
  const held = heldIn(state);
  const missing = new Map(
    held.flatMap(([, listener]) => listener.missing).map((one) => [`${one.task_id}.${one.name}`, one]),
  );
  const failures = held.flatMap(([id, { error, missing: lacks }]) =>
    lacks.length === 0 ? [`${id} failed: ${error ?? "no reason was given"}`] : [],
  );
  const lacks = [...missing.keys()].join(", ");
  const words = [...failures, ...(lacks === "" ? [] : [`These values are missing: ${lacks}`])];
  const message = words.map((sentence) => sentence.replace(/[.。]?$/, ".")).join(" ");
  return {
    status: "waiting_for_resume",
    failed_listener_id: held[0]?.[0] ?? "",
    failed_listener_ids: held.map(([id]) => id),
    message: cut(message, MAX_MESSAGE),
    missing: [...missing.values()],
    request_id,
  };
}
