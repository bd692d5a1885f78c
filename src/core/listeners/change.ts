// An instance while a change is worked into it. A task that changes fires the listeners that wait for it, and what is
// queued begins as soon as there is a place and nothing is lacking.

import { must } from "../../protocol/assert.ts";
import { exceedsBytes } from "../../protocol/commands.ts";
import type { PlanContext, PlanStatus } from "../../protocol/plan-template.ts";
import { cut } from "../../protocol/shortened.ts";
import { filled, type Compiled, type CompiledListener } from "./compile.ts";
import { renderPrompt } from "./render.ts";
import { isDue, listenerIn, taskIn, type Halt, type ListenerState, type State, type TaskState } from "./state.ts";

/** How much of an instance may happen. */
export type Bounds = { readonly maxConcurrentTasks: number; readonly maxFirings: number };

export const MAX_CONTEXT_BYTES = 64 * 1024;
/** Of a context that is told as a whole whenever its task changes: what a log holds has to grow with what is new. */
const MAX_WHOLE_BYTES = 4 * 1024;
const MAX_TRACE = 50;
export const MAX_REASON = 1_000;

export class Changing {
  readonly plan: Compiled;
  readonly #bounds: Bounds;
  readonly #tasks: Map<string, TaskState>;
  readonly #listeners: Map<string, ListenerState>;
  readonly #active: Set<string>;
  #rest: Omit<State, "tasks" | "listeners" | "active">;

  /** `at`: when it happens, in milliseconds since the epoch. */
  constructor(plan: Compiled, bounds: Bounds, { tasks, listeners, active, ...rest }: State, at: number) {
    this.plan = plan;
    this.#bounds = bounds;
    this.#tasks = new Map(tasks);
    this.#listeners = new Map(listeners);
    this.#active = new Set(active);
    this.#rest = { ...rest, at: Math.max(at, rest.at + 1) };
  }

  get state(): State {
    return { ...this.#rest, tasks: this.#tasks, listeners: this.#listeners, active: this.#active };
  }

  /** Changes a task and fires whatever listens to it. */
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

  /** Changes what is known of a task, which fires nothing. */
  setContext(id: string, context: PlanContext): void {
    this.#keep(id, { ...taskIn(this.state, id), context });
  }

  /** Whether the context of a task has room for more. */
  fits(id: string, more: PlanContext): boolean {
    if (Object.keys(more).length === 0) return true;
    return !exceedsBytes(JSON.stringify({ ...this.#tasks.get(id)?.context, ...more }), MAX_CONTEXT_BYTES);
  }

  setListener(id: string, change: Partial<ListenerState>): void {
    this.#listeners.set(id, { ...this.#stateOf(id), ...change });
  }

  setHold(hold: State["hold"]): void {
    this.#rest = { ...this.#rest, hold };
  }

  setMainBefore(mainBefore: State["mainBefore"]): void {
    this.#rest = { ...this.#rest, mainBefore };
  }

  enqueue(id: string): void {
    this.#rest = { ...this.#rest, queue: [...this.#rest.queue, id] };
  }

  clearQueue(): void {
    this.#rest = { ...this.#rest, queue: [] };
  }

  /** A listener runs no more. */
  rest(id: string): void {
    this.#active.delete(id);
  }

  halt(halt: Halt): void {
    this.#rest = { ...this.#rest, halt: this.#rest.halt ?? halt, queue: [] };
  }

  /** Begins what is queued, as far as there are places and nothing is lacking. */
  fill(): void {
    if (this.#rest.halt !== undefined) return;
    const left: string[] = [];
    for (const id of this.#rest.queue) {
      if (this.#active.size >= this.#bounds.maxConcurrentTasks || !this.#begin(id)) left.push(id);
    }
    this.#rest = { ...this.#rest, queue: left };
  }

  #keep(id: string, task: TaskState): void {
    const isLarge = task.isLarge ?? exceedsBytes(JSON.stringify(task.context), MAX_WHOLE_BYTES);
    this.#tasks.set(id, isLarge ? { ...task, isLarge } : task);
  }

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

  /** False when its prompt lacks data. */
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
