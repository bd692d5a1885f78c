// Starts, reads, resumes and cancels the workflow instance of a conversation. A conversation has at most one.
//
// Owns no state: the record of the instance is in the head, its progress is folded from the log, its thread belongs to
// the supervisor. `not_found` if the conversation is not an instance.
//
// Invariants:
//   T2. Each command id starts one instance, and resumes it at most once.
//   H1. Resuming answers the question that holds the instance; if two clients resume, the later one gets a conflict.

import { foldInstance } from "../../core/listeners/instance-view.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";
import { isSameJson } from "../../lib/json-value.ts";
import type { ResumeCommand } from "../../protocol/wire/commands.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type {
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
} from "../../protocol/workflows/workflow-instance.ts";
import { detectLanguage } from "../../language/detect-language.ts";
import type { EventLog } from "./event-log.ts";
import { createMessageDraft, STARTED_DRAFT, storeThread } from "./accept.ts";
import { findRepeatedCommand } from "./repeated-command.ts";
import { toSendCommand, type InstanceRecord, type InstanceStart } from "./instance-start.ts";
import type { CommandRequest, ConversationStore } from "./storage/conversation-store.ts";
import type { ThreadSupervisor } from "./threads/thread-supervisor.ts";

/** One instance per loaded conversation. */
export class WorkflowInstances {
  readonly #log: EventLog;
  readonly #store: ConversationStore;
  readonly #threads: ThreadSupervisor;

  constructor(log: EventLog, store: ConversationStore, threads: ThreadSupervisor) {
    this.#log = log;
    this.#store = store;
    this.#threads = threads;
  }

  /**
   * Starts the instance in a new conversation: stores its record in the head and the thread that executes it. A repeated
   * command id throws.
   */
  start(commandId: string, start: InstanceStart): StartedInstance {
    const { plan_id, version, name, main_task_id } = start.template;
    const plan_instance_id = deriveId(this.#log.head.conversation.conversation_id, "inst");
    const instance = { plan_instance_id, plan_id, plan_version: version, name, main_task_id };
    const message = toSendCommand(start);
    const begun = storeThread(this.#log, this.#store, this.#threads, {
      commandId,
      request: start,
      createDrafts: (threadId) => [STARTED_DRAFT, createMessageDraft(threadId, message)],
      kind: { is_instance: true },
      mark: (head, position) => ({ ...head, instance: { ...instance, ...position } }),
    });
    return this.#toStarted({ ...instance, ...begun });
  }

  /**
   * Returns the instance that this command started, whatever the version of the workflow is now. Throws `conflict` if
   * another command created the conversation, and `unprocessable` if the id was used for another start.
   */
  getStarted(commandId: string, start: InstanceStart): StartedInstance {
    const { instance } = this.#log.head;
    const known = findRepeatedCommand(this.#store, commandId, (stored) => isSameJson(toInput(stored), toInput(start)));
    if (instance !== undefined && known?.thread_id === instance.thread_id) return this.#toStarted(instance);
    throw createFault("conflict", "workflow.instanceTaken");
  }

  /** Returns the instance as its readers see it; `not_started` before its first event. */
  async read(): Promise<WorkflowInstanceDetails> {
    this.#requireRecord();
    const items = await this.#log.readItems();
    const record = this.#requireRecord();
    const instance = foldInstance(items, record.end ?? "open");
    if (instance === null) return this.#toInitialInstance(record);
    // A cancelled instance publishes no event with its end time.
    const { ended_at = record.ended_at } = instance;
    return ended_at === undefined ? instance : { ...instance, ended_at };
  }

  /**
   * Retries the steps that hold the instance, with new `context` values by task id. Idempotent by command id. Throws
   * `conflict` if the instance is not held or has ended, `unprocessable` for an unknown task.
   */
  async resume(commandId: string, { context }: ResumeInstanceRequest): Promise<StartedInstance> {
    const { hold, status, name, tasks } = await this.read();
    // Nothing waits from here on: a repeated command finds the first one.
    const record = this.#requireRecord();
    const known = findRepeatedCommand(this.#store, commandId, (stored) =>
      isSameJson((stored as ResumeCommand).arguments?.["context"] ?? {}, context),
    );
    if (known !== null) return this.#toStarted({ ...record, seq: known.seq });
    if (record.end !== undefined || hold === undefined) {
      throw createFault("conflict", createMessage("workflow.notResumable", { status }));
    }
    const unknown = Object.keys(context).find((id) => tasks.every(({ task_id }) => task_id !== id));
    if (unknown !== undefined) {
      const text = createMessage("workflow.unknownTask", { task: unknown });
      throw createFault("unprocessable", text, { field: `context.${unknown}` });
    }
    const message = formatMessage(detectLanguage(name), createMessage("workflow.retryAnswer"));
    const values = Object.keys(context).length === 0 ? {} : { arguments: { context } };
    const answer = { message, request_id: hold.request_id, ...values };
    const { seq } = this.#threads.questions.acceptAnswer(commandId, answer);
    return this.#toStarted({ ...record, seq });
  }

  /**
   * Cancels the instance. Resolves with it when it has stopped, or after the cancellation timeout. Throws `conflict` if
   * it has ended.
   */
  async cancel(): Promise<WorkflowInstanceDetails> {
    const { thread_id, end } = this.#requireRecord();
    if (end !== undefined) {
      throw createFault("conflict", createMessage("workflow.ended", { status: (await this.read()).status }));
    }
    await this.#threads.cancel({ thread_id });
    return this.read();
  }

  #requireRecord(): InstanceRecord {
    const { instance } = this.#log.head;
    if (instance === undefined) throw createFault("not_found", "workflow.instanceNotFound");
    return instance;
  }

  #toStarted({ plan_instance_id, plan_id, plan_version, thread_id, seq }: InstanceRecord): StartedInstance {
    const { conversation_id } = this.#log.head.conversation;
    return { plan_instance_id, plan_id, plan_version, conversation_id, thread_id, seq };
  }

  /** Returns the state of an instance that has published no event yet, or that ended before its first event. */
  #toInitialInstance(record: InstanceRecord): WorkflowInstanceDetails {
    const { name, main_task_id, end } = record;
    const { seq: _, ...identity } = this.#toStarted(record);
    const status = end === undefined ? "not_started" : end === "cancelled" ? "cancelled" : "error";
    const { created_at: started_at } = this.#log.head.conversation;
    const nothing = { waiting_for_resume: false, tasks: [], listeners: [], log: [] };
    return { ...identity, name, main_task_id, status, started_at, ...nothing };
  }
}

/** Returns what a client gives to start an instance: the workflow and the input. */
function toInput(request: CommandRequest): object {
  if (!("template" in request)) return request;
  const { template, ...input } = request;
  return { ...input, plan_id: template.plan_id };
}
