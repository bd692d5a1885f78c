// Builds the next state of an instance while one change is applied.
//
// A builder copies the previous state and is mutated by `apply-change.ts` and `instance-recovery.ts`; nobody keeps it
// after the change. It does no I/O and reads no clock.
// - A changed task fires the idle listeners whose conditions hold, once each, up to `maxFirings`; then it halts.
// - A halt empties the queue and stops further firing and starting; the first halt wins.
// - Queued listeners start in order, while fewer than `maxConcurrentTasks` are active and their prompt has all values.
// - The time of a state is always greater than that of the previous state.

import { ensurePresent } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";
import type { InstanceHold } from "../../protocol/workflows/workflow-instance.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import type { WorkflowTaskContext, WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import { truncate } from "../../lib/truncate.ts";
import type { Ports } from "../ports.ts";
import { removeUnresolved, type CompiledTemplate, type CompiledListener } from "./compile-template.ts";
import { renderPrompt } from "./render-template.ts";
import {
  createHoldMessage,
  listHeldListeners,
  matchesConditions,
  getListenerState,
  getTaskState,
  type InstanceHalt,
  type ListenerState,
  type InstanceState,
  type InstanceTaskState,
} from "./instance-state.ts";

/** The limits of an instance. They are journaled at its start. */
export type InstanceBounds = { readonly maxConcurrentTasks: number; readonly maxFirings: number };

/** The inputs that all changes of an instance share. */
export type InstanceRules = {
  readonly compiled: CompiledTemplate;
  readonly bounds: InstanceBounds;
  readonly formatMessage: Ports["formatMessage"];
};

/** The maximum size of one task's context as JSON. */
export const MAX_CONTEXT_BYTES = 64 * 1024;
/** The maximum size of a context that is published as a whole; above it, the log grows with changed values only. */
const MAX_INLINE_CONTEXT_BYTES = 4 * 1024;
/** The maximum number of status changes that a task keeps; the oldest are dropped. */
const MAX_TRACE_ENTRIES = 50;
/** The maximum length of a reason in a status trace. */
export const MAX_REASON_CHARS = 1_000;
/** The maximum length of a hold's message. */
const MAX_HOLD_MESSAGE_CHARS = 4_000;

/** The mutable next state of an instance. */
export class InstanceStateBuilder {
  readonly compiled: CompiledTemplate;
  readonly formatMessage: InstanceRules["formatMessage"];
  readonly #bounds: InstanceBounds;
  readonly #tasks: Map<string, InstanceTaskState>;
  readonly #listeners: Map<string, ListenerState>;
  readonly #active: Set<string>;
  #otherFields: Omit<InstanceState, "tasks" | "listeners" | "active">;

  /** `at` is the time of the change in milliseconds since the epoch. */
  constructor(
    { compiled, bounds, formatMessage }: InstanceRules,
    { tasks, listeners, active, ...rest }: InstanceState,
    at: number,
  ) {
    this.compiled = compiled;
    this.formatMessage = formatMessage;
    this.#bounds = bounds;
    this.#tasks = new Map(tasks);
    this.#listeners = new Map(listeners);
    this.#active = new Set(active);
    this.#otherFields = { ...rest, at: Math.max(at, rest.at + 1) };
  }

  /** Returns the state as built so far. */
  get state(): InstanceState {
    return { ...this.#otherFields, tasks: this.#tasks, listeners: this.#listeners, active: this.#active };
  }

  /**
   * Sets a task's status, appends it with its reason to the trace, merges values into the context, and fires the
   * listeners that this makes due.
   */
  setTask(id: string, status: WorkflowTaskStatus, context: WorkflowTaskContext, cause: Message | string): void {
    const before = getTaskState(this.state, id);
    const reason = truncate(this.formatMessage(cause), MAX_REASON_CHARS);
    const trace = [...before.status_trace, { status, reason, timestamp: this.#otherFields.at }];
    this.#storeTask(id, {
      ...before,
      status,
      context: { ...before.context, ...context },
      status_trace: trace.slice(-MAX_TRACE_ENTRIES),
    });
    for (const listener of this.compiled.byTrigger.get(id) ?? []) this.#fireIfDue(listener);
  }

  /** Replaces a task's context, without merging and without firing listeners. */
  setContext(id: string, context: WorkflowTaskContext): void {
    this.#storeTask(id, { ...getTaskState(this.state, id), context });
  }

  /** True if `more` is empty or a task's context stays within `MAX_CONTEXT_BYTES` after merging it. */
  hasRoom(id: string, more: WorkflowTaskContext): boolean {
    if (Object.keys(more).length === 0) return true;
    return !exceedsBytes(JSON.stringify({ ...this.#tasks.get(id)?.context, ...more }), MAX_CONTEXT_BYTES);
  }

  /** Merges fields into a listener's state. */
  setListener(id: string, change: Partial<ListenerState>): void {
    this.#listeners.set(id, { ...this.#getListenerState(id), ...change });
  }

  /** Sets or clears the hold. */
  setHold(hold: InstanceState["hold"]): void {
    this.#otherFields = { ...this.#otherFields, hold };
  }

  /**
   * Builds the hold of the instance without setting it: a message with the missing values and failures of all held
   * listeners.
   */
  buildHold(request_id: string): InstanceHold {
    const held = listHeldListeners(this.state);
    const missing = new Map(
      held.flatMap(([, listener]) => listener.missing).map((value) => [`${value.task_id}.${value.name}`, value]),
    );
    return {
      status: "waiting_for_resume",
      failed_listener_id: held[0]?.[0] ?? "",
      failed_listener_ids: held.map(([id]) => id),
      message: truncate(this.formatMessage(createHoldMessage(held, [...missing.keys()])), MAX_HOLD_MESSAGE_CHARS),
      missing: [...missing.values()],
      request_id,
    };
  }

  /** Saves the status of the main task before a failure; undefined clears it. */
  setPreviousMainStatus(status: InstanceState["previousMainStatus"]): void {
    this.#otherFields = { ...this.#otherFields, previousMainStatus: status };
  }

  /** Appends a listener to the queue. `startQueued` starts it. */
  enqueue(id: string): void {
    this.#otherFields = { ...this.#otherFields, queue: [...this.#otherFields.queue, id] };
  }

  /** Removes all listeners from the queue. */
  clearQueue(): void {
    this.#otherFields = { ...this.#otherFields, queue: [] };
  }

  /** Removes a listener from the active ones. */
  deactivate(id: string): void {
    this.#active.delete(id);
  }

  /** Stops the instance for good and empties the queue. An earlier halt stays. */
  halt(halt: InstanceHalt): void {
    this.#otherFields = { ...this.#otherFields, halt: this.#otherFields.halt ?? halt, queue: [] };
  }

  /**
   * Activates queued listeners in order, as far as slots are free and their prompts have all values; the others stay
   * queued. Does nothing after a halt.
   */
  startQueued(): void {
    if (this.#otherFields.halt !== undefined) return;
    const remaining: string[] = [];
    for (const id of this.#otherFields.queue) {
      if (this.#active.size >= this.#bounds.maxConcurrentTasks || !this.#tryStart(id)) remaining.push(id);
    }
    this.#otherFields = { ...this.#otherFields, queue: remaining };
  }

  /** Stores a task. A context that was large once stays marked as large. */
  #storeTask(id: string, task: InstanceTaskState): void {
    const isLarge = task.isLarge ?? exceedsBytes(JSON.stringify(task.context), MAX_INLINE_CONTEXT_BYTES);
    this.#tasks.set(id, isLarge ? { ...task, isLarge } : task);
  }

  /** Fires an idle listener whose conditions hold. Halts the instance if `maxFirings` is reached. */
  #fireIfDue(compiled: CompiledListener): void {
    const { listener_id: id } = compiled.listener;
    if (
      this.#getListenerState(id).status !== "idle" ||
      this.#otherFields.halt !== undefined ||
      !matchesConditions(compiled, this.#tasks)
    )
      return;
    const { maxFirings } = this.#bounds;
    if (this.#otherFields.firings >= maxFirings) {
      const message = createMessage("workflow.tooManyFirings", { limit: maxFirings, listener: id });
      return this.halt({ content: this.formatMessage(message), code: "too_many_firings" });
    }
    this.#otherFields = { ...this.#otherFields, firings: this.#otherFields.firings + 1 };
    this.setListener(id, { status: "running", triggered_at: this.#otherFields.at });
    this.enqueue(id);
  }

  /** Renders the prompt and activates the listener. Returns false if the prompt lacks values. */
  #tryStart(id: string): boolean {
    const { listener } = ensurePresent(this.compiled.listeners.get(id), id);
    const { waiting, attempts, tries } = this.#getListenerState(id);
    if (waiting === null) {
      const contexts = (taskId: string): WorkflowTaskContext =>
        removeUnresolved(this.compiled, taskId, this.#tasks.get(taskId)?.context);
      const prompt = renderPrompt(listener.action_prompt, contexts, this.compiled.mainTaskId);
      if (prompt.kind === "lacks") {
        this.setListener(id, { missing: prompt.missing });
        return false;
      }
      this.setListener(id, { prompt: prompt.text, missing: [], attempts: attempts + 1, tries: tries + 1 });
    }
    this.#active.add(id);
    return true;
  }

  #getListenerState(id: string): ListenerState {
    return getListenerState(this.state, id);
  }
}
