// Builds the next state of an instance while one change is applied.
//
// A builder copies the previous state and is mutated by `apply-change.ts` and `instance-recovery.ts`; nobody keeps it
// after the change. It does no I/O and reads no clock.
// - A changed task fires the idle listeners whose conditions hold, once each, up to `maxFirings`; then it halts.
// - A halt empties the queue and stops further firing and starting; the first halt wins.
// - Queued listeners start in order, while fewer than `maxConcurrentTasks` are active and their prompt has all values.
// - The time of a state is always greater than that of the previous state.

import { must } from "../../protocol/assert.ts";
import { exceedsBytes } from "../../protocol/commands.ts";
import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import { cut } from "../../protocol/shortened.ts";
import { filled, type Compiled, type CompiledListener } from "./compile.ts";
import { renderPrompt } from "./render.ts";
import { isDue, listenerIn, taskIn, type Halt, type ListenerState, type State, type TaskState } from "./state.ts";

/** The limits of an instance. They are journaled at its start. */
export type Bounds = { readonly maxConcurrentTasks: number; readonly maxFirings: number };

/** The maximum size of one task's context as JSON. */
export const MAX_CONTEXT_BYTES = 64 * 1024;
/** The maximum size of a context that is published as a whole; above it, the log grows with changed values only. */
const MAX_WHOLE_BYTES = 4 * 1024;
/** The maximum number of status changes that a task keeps; the oldest are dropped. */
const MAX_TRACE = 50;
/** The maximum length of a reason in a status trace. */
export const MAX_REASON = 1_000;

/** The mutable next state of an instance. */
export class Changing {
  readonly plan: Compiled;
  readonly #bounds: Bounds;
  readonly #tasks: Map<string, TaskState>;
  readonly #listeners: Map<string, ListenerState>;
  readonly #active: Set<string>;
  #rest: Omit<State, "tasks" | "listeners" | "active">;

  /** `at` is the time of the change in milliseconds since the epoch. */
  constructor(plan: Compiled, bounds: Bounds, { tasks, listeners, active, ...rest }: State, at: number) {
    this.plan = plan;
    this.#bounds = bounds;
    this.#tasks = new Map(tasks);
    this.#listeners = new Map(listeners);
    this.#active = new Set(active);
    this.#rest = { ...rest, at: Math.max(at, rest.at + 1) };
  }

  /** Returns the state as built so far. */
  get state(): State {
    return { ...this.#rest, tasks: this.#tasks, listeners: this.#listeners, active: this.#active };
  }

  /** Sets a task's status, merges values into its context, and fires the listeners that this makes due. */
  setTask(id: string, status: PlanStatus, context: PlanContext, reason: string): void {
    const before = taskIn(this.state, id);
    const trace = [...before.status_trace, { status, reason: cut(reason, MAX_REASON), timestamp: this.#rest.at }];
    this.#keep(id, {
      ...before,
      status,
      context: { ...before.context, ...context },
      status_trace: trace.slice(-MAX_TRACE),
    });
    for (const compiled of this.plan.byTrigger.get(id) ?? []) this.#fireIfDue(compiled);
  }

  /** Replaces a task's context without firing listeners. */
  setContext(id: string, context: PlanContext): void {
    this.#keep(id, { ...taskIn(this.state, id), context });
  }

  /** True if a task's context stays within `MAX_CONTEXT_BYTES` after merging `more`. */
  fits(id: string, more: PlanContext): boolean {
    if (Object.keys(more).length === 0) return true;
    return !exceedsBytes(JSON.stringify({ ...this.#tasks.get(id)?.context, ...more }), MAX_CONTEXT_BYTES);
  }

  /** Merges fields into a listener's state. */
  setListener(id: string, change: Partial<ListenerState>): void {
    this.#listeners.set(id, { ...this.#stateOf(id), ...change });
  }

  /** Sets or clears the hold. */
  setHold(hold: State["hold"]): void {
    this.#rest = { ...this.#rest, hold };
  }

  /** Saves the status of the main task before a failure; undefined clears it. */
  setMainBefore(mainBefore: State["mainBefore"]): void {
    this.#rest = { ...this.#rest, mainBefore };
  }

  /** Appends a listener to the queue. `startQueued` starts it. */
  enqueue(id: string): void {
    this.#rest = { ...this.#rest, queue: [...this.#rest.queue, id] };
  }

  /** Removes all listeners from the queue. */
  clearQueue(): void {
    this.#rest = { ...this.#rest, queue: [] };
  }

  /** Removes a listener from the active ones. */
  rest(id: string): void {
    this.#active.delete(id);
  }

  /** Stops the instance for good and empties the queue. An earlier halt stays. */
  halt(halt: Halt): void {
    this.#rest = { ...this.#rest, halt: this.#rest.halt ?? halt, queue: [] };
  }

  /** Starts queued listeners in order, as far as slots are free and their prompts are complete. */
  fill(): void {
    if (this.#rest.halt !== undefined) return;
    const left: string[] = [];
    for (const id of this.#rest.queue) {
      if (this.#active.size >= this.#bounds.maxConcurrentTasks || !this.#begin(id)) left.push(id);
    }
    this.#rest = { ...this.#rest, queue: left };
  }

  /** Stores a task. A context that was large once stays marked as large. */
  #keep(id: string, task: TaskState): void {
    const isLarge = task.isLarge ?? exceedsBytes(JSON.stringify(task.context), MAX_WHOLE_BYTES);
    this.#tasks.set(id, isLarge ? { ...task, isLarge } : task);
  }

  /** Fires an idle listener whose conditions hold. Halts the instance if `maxFirings` is reached. */
  #fireIfDue(compiled: CompiledListener): void {
    const { listener_id: id } = compiled.listener;
    if (this.#stateOf(id).status !== "idle" || this.#rest.halt !== undefined || !isDue(compiled, this.#tasks)) return;
    const { maxFirings } = this.#bounds;
    if (this.#rest.firings >= maxFirings) {
      const content = `More than ${maxFirings} listeners fired: the plan was stopped before ${id}.`;
      return this.halt({ content, code: "too_many_firings" });
    }
    this.#rest = { ...this.#rest, firings: this.#rest.firings + 1 };
    this.setListener(id, { status: "running", triggered_at: this.#rest.at });
    this.enqueue(id);
  }

  /** Renders the prompt and activates the listener. Returns false if the prompt lacks values. */
  #begin(id: string): boolean {
    const { listener } = must(this.plan.listeners.get(id), id);
    const { waiting, attempts, tries } = this.#stateOf(id);
    if (waiting === null) {
      const contexts = (taskId: string): PlanContext => filled(this.plan, taskId, this.#tasks.get(taskId)?.context);
      const prompt = renderPrompt(listener.action_prompt, contexts, this.plan.mainTaskId);
      if (prompt.kind === "lacks") {
        this.setListener(id, { missing: prompt.missing });
        return false;
      }
      this.setListener(id, { prompt: prompt.text, missing: [], attempts: attempts + 1, tries: tries + 1 });
    }
    this.#active.add(id);
    return true;
  }

  #stateOf(id: string): ListenerState {
    return listenerIn(this.state, id);
  }
}
