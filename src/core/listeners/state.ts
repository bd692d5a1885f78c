// How an instance stands, as its engine knows it: what is told of it to readers is made of this.

import { must } from "../../protocol/assert.ts";
import type { Hold, InstanceListener, InstanceTask } from "../../protocol/plan-instance.ts";
import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import type { Waiting } from "../task-end.ts";
import type { Compiled, CompiledListener } from "./compile.ts";
import { holds, type Condition } from "../../protocol/conditions/condition.ts";
import { cut } from "../../protocol/shortened.ts";
import type { Placeholder } from "./render.ts";

export type TaskState = Pick<InstanceTask, "status" | "context" | "status_trace"> & {
  /** Its context was large once: readers are told of each value by itself. */
  readonly isLarge?: true;
};

export type ListenerState = Pick<InstanceListener, "status" | "attempts" | "tools"> & {
  /** How often it was tried since it fired or was resumed. */
  readonly tries: number;
  /** What its agent is asked, once it has begun. */
  readonly prompt: string;
  /** The question that its agent has put last, if it goes on from one. */
  readonly waiting: Waiting | null;
  /** What its prompt lacks. */
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

/** Why an instance cannot go on, whatever is done. */
export type Halt = { readonly content: string; readonly code: string };

export type State = {
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly listeners: ReadonlyMap<string, ListenerState>;
  /** Listeners that have fired, or are to be tried again or to go on, and wait for a place or for data; in order. */
  readonly queue: readonly string[];
  /** Listeners that run. */
  readonly active: ReadonlySet<string>;
  /** How many have fired. */
  readonly firings: number;
  /** When the last change was: no two changes have the same time, so that times tell their order. */
  readonly at: number;
  /** The status that the main task had before a failure of a listener changed it. */
  readonly mainBefore?: PlanStatus | undefined;
  readonly hold?: Hold | undefined;
  readonly halt?: Halt;
};

/** Before anything has happened. */
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

export function taskIn({ tasks }: State, id: string): TaskState {
  return must(tasks.get(id), id);
}

export function listenerIn({ listeners }: State, id: string): ListenerState {
  return must(listeners.get(id), id);
}

/** Whether everything that a listener waits for is there. */
export function isDue({ conditions, triggers }: CompiledListener, tasks: ReadonlyMap<string, TaskState>): boolean {
  const standings = {
    status: (id: string): PlanStatus | undefined => tasks.get(id)?.status,
    context: (id: string): PlanContext | undefined => tasks.get(id)?.context,
  };
  return conditions.every((condition: Condition) => holds(condition, triggers, standings));
}

/** The listeners that are held, in the order of the template: for what they lack, or for a failure. */
export function heldIn({ listeners }: State): readonly (readonly [string, ListenerState])[] {
  return [...listeners].filter(([, { status }]) => status === "held");
}

const MAX_MESSAGE = 4_000;

/** What the question says by which an instance is held. */
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
