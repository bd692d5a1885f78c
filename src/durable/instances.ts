// Starts, reads, resumes and cancels the workflow instance of a conversation. A conversation has at most one.
//
// Owns no state: the record of the instance is in the head, its progress is folded from the log, its thread belongs to
// the supervisor. `not_found` if the conversation is not an instance.
//
// Invariants:
//   T2. Each command id starts one instance, and resumes it at most once.
//   H1. Resuming answers the question that holds the instance; if two clients resume, the later one gets a conflict.

import type { Draft } from "../core/ports.ts";
import { instanceOf } from "../core/listeners/instance.ts";
import { Fault } from "../protocol/fault.ts";
import { companion } from "../protocol/ids.ts";
import type { PlanInstance, ResumeInstance, StartedInstance } from "../protocol/plan-instance.ts";
import { languageOf, type Both } from "../protocol/words/language.ts";
import type { Log } from "./log.ts";
import type { InstanceMark, InstanceStart } from "./instance-start.ts";
import type { Threads } from "./threads.ts";

const AGAIN: Both = { en: "Try again", zh: "重试" };

export class Instances {
  readonly #log: Log;
  readonly #threads: Threads;

  constructor(log: Log, threads: Threads) {
    this.#log = log;
    this.#threads = threads;
  }

  /** Starts the instance in a new conversation. `before` are the first events of the conversation. */
  start(commandId: string, start: InstanceStart, before: readonly Draft[]): StartedInstance {
    const { plan_id, version, name, main_task_id } = start.template;
    const plan_instance_id = companion(this.#log.head.conversation.conversation_id, "inst");
    const instance = { plan_instance_id, plan_id, plan_version: version, name, main_task_id };
    return this.#started(this.#threads.inbox.beginInstance(commandId, start, instance, before));
  }

  /** Returns the instance that this command started. Throws `conflict` if another command created the conversation. */
  startedBy(commandId: string): StartedInstance {
    const { instance } = this.#log.head;
    if (instance !== undefined && this.#threads.inbox.known(commandId)?.thread_id === instance.thread_id) {
      return this.#started(instance);
    }
    throw new Fault("conflict", "The conversation of this instance is in use already.");
  }

  read(): PlanInstance {
    const mark = this.#mark();
    const instance = instanceOf(this.#log.items(), mark.end ?? "open");
    if (instance === null) return this.#beginning(mark);
    // A cancelled instance publishes no event with its end time.
    const { ended_at = mark.ended_at } = instance;
    return ended_at === undefined ? instance : { ...instance, ended_at };
  }

  /**
   * Retries the step that holds the instance, with new `context` values by task id. Throws `conflict` if the instance
   * is not held, `unprocessable` for an unknown task.
   */
  resume(commandId: string, { context }: ResumeInstance): StartedInstance {
    const mark = this.#mark();
    const known = this.#threads.inbox.known(commandId);
    if (known !== null) return this.#started({ ...mark, seq: known.seq });
    const { hold, status, name, tasks } = this.read();
    if (mark.end !== undefined || hold === undefined) {
      throw new Fault("conflict", `This instance does not wait to be resumed: it is ${status}.`);
    }
    const unknown = Object.keys(context).find((id) => tasks.every(({ task_id }) => task_id !== id));
    if (unknown !== undefined) {
      throw new Fault("unprocessable", `There is no task ${unknown} in this plan.`, { field: `context.${unknown}` });
    }
    const message = AGAIN[languageOf(name)];
    const values = Object.keys(context).length === 0 ? {} : { arguments: { context } };
    const { seq } = this.#threads.inbox.answer(commandId, { message, request_id: hold.request_id, ...values });
    return this.#started({ ...mark, seq });
  }

  /** Resolves when the instance has stopped, or after the cancellation timeout. Throws `conflict` if it has ended. */
  async cancel(): Promise<PlanInstance> {
    const { thread_id, end } = this.#mark();
    if (end !== undefined) throw new Fault("conflict", `This instance is over: it is ${this.read().status}.`);
    await this.#threads.cancel({ thread_id });
    return this.read();
  }

  #mark(): InstanceMark {
    const { instance } = this.#log.head;
    if (instance === undefined) throw new Fault("not_found", "There is no such instance.");
    return instance;
  }

  #started({ plan_instance_id, plan_id, plan_version, thread_id, seq }: InstanceMark): StartedInstance {
    const { conversation_id } = this.#log.head.conversation;
    return { plan_instance_id, plan_id, plan_version, conversation_id, thread_id, seq };
  }

  /** Returns the state of an instance that has published no event yet, or that ended before its first event. */
  #beginning(mark: InstanceMark): PlanInstance {
    const { name, main_task_id, end } = mark;
    const { seq: _, ...place } = this.#started(mark);
    const status = end === undefined ? "not_started" : end === "cancelled" ? "cancelled" : "error";
    const { created_at: started_at } = this.#log.head.conversation;
    const nothing = { waiting_for_resume: false, tasks: [], listeners: [], log: [] };
    return { ...place, name, main_task_id, status, started_at, ...nothing };
  }
}
