// What happens to an instance, change by change. State and change alone decide what comes of it, so that a run after
// a crash comes to the same.

import { exceedsBytes } from "../../protocol/commands.ts";
import type { ToolUse } from "../../protocol/plan-instance.ts";
import type { PlanContext, PlanOutput, PlanStatus } from "../../protocol/plan-template.ts";
import { must } from "../../protocol/assert.ts";
import type { TaskEnd, Waiting } from "../task-run.ts";
import { filled, type Compiled, type CompiledListener } from "./compile.ts";
import { renderOutput, renderPrompt, resultOf, wholeOf } from "./render.ts";
import { heldIn, holdOf, isDue, type Halt, type ListenerState, type State, type TaskState } from "./state.ts";

/** A change, with whatever decides what comes of it. `at` is in milliseconds since the epoch. */
export type Change = { readonly at: number } & (
  | { readonly kind: "started"; readonly context: PlanContext }
  /** A listener came to its end, to its agent's next question, or to a failure. */
  | { readonly kind: "came"; readonly listener_id: string; readonly outcome: TaskEnd | Waiting }
  /** The question of a listener's agent is settled: it goes on. */
  | { readonly kind: "settled"; readonly listener_id: string }
  /** Nothing goes on without the person. */
  | { readonly kind: "held"; readonly request_id: string }
  | { readonly kind: "resumed"; readonly values: Readonly<Record<string, PlanContext>> }
  | { readonly kind: "given_up"; readonly content: string; readonly code: string }
);

/** How much of an instance may happen. */
export type Bounds = { readonly maxConcurrentTasks: number; readonly maxFirings: number };

const MAX_CONTEXT_BYTES = 64 * 1024;
/** Of a context that is told as a whole whenever its task changes: what a log holds has to grow with what is new. */
const MAX_WHOLE_BYTES = 4 * 1024;
const MAX_TRACE = 50;
const MAX_TOOLS = 50;
const MAX_TOOL_TEXT = 4_096;
const MAX_RESPONSE = 16_384;
const MAX_REASON = 1_000;

function shortened(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed();
}

/** The state after a change. */
export function advance(plan: Compiled, bounds: Bounds, state: State, change: Change): State {
  return new Advance(plan, bounds, state, change.at).take(change);
}

/** What a listener brought: what outputs name as `{{result.x}}`, and as `{{result}}`. */
type Brought = { readonly fields: unknown; readonly whole: unknown };

class Advance {
  readonly #plan: Compiled;
  readonly #bounds: Bounds;
  readonly #tasks: Map<string, TaskState>;
  readonly #listeners: Map<string, ListenerState>;
  readonly #active: Set<string>;
  #rest: Omit<State, "tasks" | "listeners" | "active">;

  constructor(plan: Compiled, bounds: Bounds, { tasks, listeners, active, ...rest }: State, at: number) {
    this.#plan = plan;
    this.#bounds = bounds;
    this.#tasks = new Map(tasks);
    this.#listeners = new Map(listeners);
    this.#active = new Set(active);
    this.#rest = { ...rest, at: Math.max(at, rest.at + 1) };
  }

  get #state(): State {
    return { ...this.#rest, tasks: this.#tasks, listeners: this.#listeners, active: this.#active };
  }

  take(change: Change): State {
    switch (change.kind) {
      case "started":
        this.#setTask(this.#plan.mainTaskId, "Running", change.context, "The plan was started.");
        break;
      case "came":
        this.#active.delete(change.listener_id);
        this.#came(this.#known(change.listener_id), change.outcome);
        break;
      case "settled":
        this.#setListener(change.listener_id, { status: "running" });
        this.#enqueue(change.listener_id);
        break;
      case "held":
        this.#hold(change.request_id);
        break;
      case "resumed":
        this.#resume(change.values);
        break;
      case "given_up":
        this.#giveUp(change);
    }
    this.#fill();
    return this.#state;
  }

  #known(id: string): CompiledListener {
    return must(this.#plan.listeners.get(id), id);
  }

  #came({ listener }: CompiledListener, outcome: TaskEnd | Waiting): void {
    const id = listener.listener_id;
    switch (outcome.status) {
      case "waiting":
        return this.#setListener(id, { status: "waiting_input", waiting: outcome });
      case "cancelled":
        this.#end(id, "cancelled", { error: outcome.error });
        return this.#recover(id);
      case "completed":
      case "scheduled": {
        const used = outcome.status === "completed" ? (outcome.tools ?? []) : [];
        this.#end(id, "done", { response: shortened(outcome.result, MAX_RESPONSE) }, used);
        this.#recover(id);
        const results = used.map(({ result }) => result);
        const brought = { fields: resultOf(outcome.result, results), whole: wholeOf(outcome.result, results) };
        return this.#apply(id, listener.success_output, brought, `${id} went well.`);
      }
      case "failed":
        return this.#fail(id, outcome);
    }
  }

  #fail(id: string, { error: reason, code, tools = [] }: Extract<TaskEnd, { status: "failed" }>): void {
    const error = shortened(reason, MAX_REASON);
    const { listener } = this.#known(id);
    const { tries } = this.#stateOf(id);
    const { failure_output: output, success_output: success } = listener;
    if (code === "budget_exceeded") {
      this.#end(id, "failed", { error }, tools);
      return this.#halt({ content: error, code });
    }
    if (output !== undefined && output !== null) {
      this.#end(id, "failed", { error }, tools);
      this.#recover(id);
      const results = tools.map((use) => use.result);
      const fields = { ...(resultOf("", results) as object), error };
      return this.#apply(id, output, { fields, whole: fields }, `${id} failed: ${error}`);
    }
    if (tries <= this.#plan.maxRetries) {
      this.#end(id, "retrying", { error }, tools);
      this.#enqueue(id);
      return this.#setMain("Retrying", `${id} failed and is tried again: ${error}`);
    }
    this.#end(id, "held", { error }, tools);
    const { hold } = this.#rest;
    if (hold !== undefined) this.#rest = { ...this.#rest, hold: holdOf(this.#state, hold.request_id) };
    const words = `${id} failed: ${error}`;
    if (success.task_id !== this.#plan.mainTaskId) this.#setTask(success.task_id, "Error", {}, words);
    this.#setMain("Error", words);
  }

  #end(id: string, status: ListenerState["status"], said: Partial<ListenerState>, used: readonly ToolUse[] = []): void {
    const { tools } = this.#stateOf(id);
    const told = used.map(({ tool, arguments: args, result }) => ({
      tool,
      ...(args === undefined ? {} : { arguments: shortened(args, MAX_TOOL_TEXT) }),
      result: shortened(result, MAX_TOOL_TEXT),
    }));
    const ended_at = status === "retrying" ? null : this.#rest.at;
    const kept = [...tools, ...told].slice(-MAX_TOOLS);
    this.#setListener(id, { status, ended_at, waiting: null, response: null, error: null, ...said, tools: kept });
  }

  /** What a listener makes of its target. */
  #apply(id: string, output: PlanOutput, { fields, whole }: Brought, reason: string): void {
    const context = renderOutput(output, fields, (taskId) => this.#tasks.get(taskId)?.context, whole);
    if (!this.#fits(output.task_id, context)) {
      const error = `What ${id} brought makes the context of ${output.task_id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
      this.#setListener(id, { status: "failed", error });
      return this.#halt({ content: error, code: "context_too_large" });
    }
    if (output.task_id === this.#plan.mainTaskId) this.#forgetBefore();
    this.#setTask(output.task_id, output.status, context, reason);
  }

  #fits(taskId: string, context: PlanContext): boolean {
    if (Object.keys(context).length === 0) return true;
    return !exceedsBytes(JSON.stringify({ ...this.#tasks.get(taskId)?.context, ...context }), MAX_CONTEXT_BYTES);
  }

  /** Changes a task and fires whatever listens to it. */
  #setTask(id: string, status: PlanStatus, context: PlanContext, reason: string): void {
    const before = must(this.#tasks.get(id), id);
    const trace = [...before.status_trace, { status, reason: shortened(reason, MAX_REASON), timestamp: this.#rest.at }];
    this.#keep(id, {
      ...before,
      status,
      context: { ...before.context, ...context },
      status_trace: trace.slice(-MAX_TRACE),
    });
    for (const compiled of this.#plan.byTrigger.get(id) ?? []) this.#fireIfDue(compiled);
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
      return this.#halt({ content, code: "too_many_firings" });
    }
    this.#rest = { ...this.#rest, firings: this.#rest.firings + 1 };
    this.#setListener(id, { status: "running", triggered_at: this.#rest.at });
    this.#enqueue(id);
  }

  /** A failure, or a lack, shows on the main task until it is made good. */
  #setMain(status: PlanStatus, reason: string): void {
    const { mainTaskId } = this.#plan;
    const mainBefore = this.#rest.mainBefore ?? must(this.#tasks.get(mainTaskId), mainTaskId).status;
    this.#rest = { ...this.#rest, mainBefore };
    this.#setTask(mainTaskId, status, this.#trouble(), reason);
  }

  #trouble(): PlanContext {
    const held = heldIn(this.#state);
    if (held.length === 0) return {};
    const info = this.#rest.hold ?? holdOf(this.#state, "");
    return { failed_listener_id: info.failed_listener_id, error_info: info };
  }

  /** The main task stands as before, once nothing is held or tried again any more. */
  #recover(id: string): void {
    const { mainTaskId } = this.#plan;
    const main = must(this.#tasks.get(mainTaskId), mainTaskId);
    const { mainBefore } = this.#rest;
    if (mainBefore === undefined && main.context["error_info"] === undefined) return;
    const isTroubled = [...this.#listeners.values()].some(({ status }) => status === "held" || status === "retrying");
    if (isTroubled) return;
    const { failed_listener_id: _, error_info: __, ...context } = main.context;
    this.#keep(mainTaskId, { ...main, context });
    this.#forgetBefore();
    if (mainBefore !== undefined) this.#setTask(mainTaskId, mainBefore, {}, `${id} came to its end.`);
  }

  #forgetBefore(): void {
    const { mainBefore: _, ...rest } = this.#rest;
    this.#rest = rest;
  }

  #forgetHold(): void {
    const { hold: _, ...rest } = this.#rest;
    this.#rest = rest;
  }

  /** What is still queued lacks data. */
  #hold(request_id: string): void {
    for (const id of this.#rest.queue) this.#setListener(id, { status: "held" });
    this.#rest = { ...this.#rest, queue: [], hold: holdOf(this.#state, request_id) };
    const isLack = heldIn(this.#state).every(([, { missing }]) => missing.length > 0);
    if (isLack) return this.#setMain("Pending", this.#rest.hold?.message ?? "");
    const { mainTaskId } = this.#plan;
    const main = must(this.#tasks.get(mainTaskId), mainTaskId);
    this.#keep(mainTaskId, { ...main, context: { ...main.context, ...this.#trouble() } });
  }

  #resume(values: Readonly<Record<string, PlanContext>>): void {
    this.#forgetHold();
    for (const [id, given] of Object.entries(values)) {
      const task = this.#tasks.get(id);
      if (task === undefined) continue;
      if (!this.#fits(id, given)) {
        const content = `The values given make the context of ${id} larger than ${MAX_CONTEXT_BYTES} bytes.`;
        return this.#halt({ content, code: "context_too_large" });
      }
      this.#keep(id, { ...task, context: { ...task.context, ...given } });
    }
    const held = heldIn(this.#state);
    const failed = held.filter(([, { missing }]) => missing.length === 0);
    for (const [id, { missing }] of held) {
      this.#setListener(id, { status: missing.length === 0 ? "retrying" : "running", tries: 0, ended_at: null });
      this.#enqueue(id);
    }
    if (failed.length > 0) this.#setMain("Retrying", "The plan was resumed.");
    else this.#recover("What was missing");
  }

  #giveUp({ content, code }: Halt): void {
    this.#forgetHold();
    this.#halt({ content, code });
  }

  #halt(halt: Halt): void {
    this.#rest = { ...this.#rest, halt: this.#rest.halt ?? halt, queue: [] };
  }

  /** Begins what is queued, as far as there are places and nothing is lacking. */
  #fill(): void {
    if (this.#rest.halt !== undefined) return;
    const left: string[] = [];
    for (const id of this.#rest.queue) {
      if (this.#active.size >= this.#bounds.maxConcurrentTasks || !this.#begin(id)) left.push(id);
    }
    this.#rest = { ...this.#rest, queue: left };
  }

  /** False when its prompt lacks data. */
  #begin(id: string): boolean {
    const { listener } = this.#known(id);
    const { waiting, attempts, tries } = this.#stateOf(id);
    if (waiting === null) {
      const contexts = (taskId: string): PlanContext => filled(this.#plan, taskId, this.#tasks.get(taskId)?.context);
      const prompt = renderPrompt(listener.action_prompt, contexts, this.#plan.mainTaskId);
      if (prompt.kind === "lacks") {
        this.#setListener(id, { missing: prompt.missing });
        return false;
      }
      this.#setListener(id, { prompt: prompt.text, missing: [], attempts: attempts + 1, tries: tries + 1 });
    }
    this.#active.add(id);
    return true;
  }

  #enqueue(id: string): void {
    this.#rest = { ...this.#rest, queue: [...this.#rest.queue, id] };
  }

  #stateOf(id: string): ListenerState {
    return must(this.#listeners.get(id), id);
  }

  #setListener(id: string, change: Partial<ListenerState>): void {
    this.#listeners.set(id, { ...this.#stateOf(id), ...change });
  }
}
