// Translates the A2A responses of one exchange to agent events, for agents with and without our extension.
//
// D2. After `isOver` no events follow.
// D3. Progress messages of a working agent become reasoning, unless they turn out to be its whole answer.
// D4. Responses about another task than that of the exchange are ignored.
//
// It owns the task id, the context id, the last progress, and the three objects that remove repetitions: text,
// attachments and events. Batches must be passed in order. An unreadable response throws a `Failure`
// (`agent_protocol`); events before it are in the list of the caller.

import {
  Role,
  TaskState,
  type Artifact,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import { EVENTS_EXTENSION } from "../protocol/agents/a2a-extension.ts";
import type { AgentEvent } from "../protocol/agents/agent.ts";
import { assertNever } from "../lib/assert.ts";
import type { Language } from "../language/detect-language.ts";
import { createMessage, formatMessage, type MessageKey, type MessageParameters } from "../language/messages.ts";
import { ComponentDedup, type ArtifactForm } from "./component-dedup.ts";
import { toShortLine } from "./agent-failure.ts";
import { encodeQuestionState, type RemoteTaskState, type RunningTaskState } from "./remote-task-state.ts";
import { parseEvents, appendEvent, joinTextParts } from "./agent-events.ts";
import { TextDedup, EventDedup } from "./text-dedup.ts";
import type { AgentFailureCode } from "../protocol/wire/message-error.ts";

/** The translation of one exchange with an agent. */
export class A2ATranslator {
  /** The agent's own id of the task, once known. It is used to poll and to cancel. */
  taskId: string | undefined;
  /** True once a final event was translated: `completed`, `failed` or `input_required` (D2). */
  isOver = false;
  #accepted = false;
  #progress = "";
  #textDedup: TextDedup;
  readonly #components: ComponentDedup;
  readonly #eventDedup = new EventDedup();
  /** The state at the agent's last checkpoint. */
  #checkpoint: RunningTaskState;
  readonly #conversationId: string;
  readonly #language: Language;
  #contextId = "";

  /**
   * `conversationId` is our own id; `before` is the state of the task from before its question or a crash; `language`
   * is that of the request, for our own sentences.
   */
  constructor(
    conversationId: string,
    before: RemoteTaskState = { context_id: "", artifacts: {} },
    language: Language = "en",
  ) {
    this.#conversationId = conversationId;
    this.#language = language;
    this.#textDedup = new TextDedup(before);
    this.#components = new ComponentDedup(before.attached);
    const { context_id, going_on: goingOn } = before;
    this.#contextId = context_id;
    if (goingOn !== undefined) {
      this.taskId = goingOn.task_id;
      this.#accepted = true;
      this.#progress = goingOn.progress;
    }
    this.#checkpoint = this.state;
  }

  /** The state from which the exchange continues after a crash. */
  get state(): RunningTaskState {
    const { artifacts, ...textState } = this.#textDedup.state;
    const going_on = { task_id: this.taskId ?? "", ...textState, progress: this.#progress };
    return { context_id: this.#contextId, artifacts, attached: this.#components.marks, going_on };
  }

  /**
   * Translates a batch, appends its events to `events`, joining neighbouring text, and returns `events`. Responses
   * after the end and about other tasks are ignored. If it throws, `events` contains everything before the unreadable
   * response.
   */
  translate(responses: readonly StreamResponse[], events: AgentEvent[] = []): AgentEvent[] {
    for (const { payload } of responses) {
      if (this.isOver || payload === undefined) break;
      if (this.isOtherTask(payload.$case === "task" ? payload.value.id : payload.value.taskId)) continue;
      switch (payload.$case) {
        case "task":
          this.#applyTask(payload.value, events);
          break;
        case "message":
          this.#accept("", events);
          this.#applyMessage(payload.value, events);
          if (this.taskId === undefined) this.#finish({ type: "completed" }, events);
          break;
        case "statusUpdate":
          this.#accept(payload.value.taskId, events);
          this.#applyStatusUpdate(payload.value, events);
          break;
        case "artifactUpdate":
          this.#accept(payload.value.taskId, events);
          this.#applyArtifactUpdate(payload.value, events);
          break;
        default:
          assertNever(payload);
      }
    }
    return events;
  }

  /** True if the id belongs to another task. Some agents omit ids, so an empty id matches. */
  isOtherTask(taskId: string): boolean {
    return taskId !== "" && this.taskId !== undefined && taskId !== this.taskId;
  }

  #accept(taskId: string, events: AgentEvent[]): void {
    if (this.#accepted && (taskId === "" || this.taskId !== undefined)) return;
    this.#accepted = true;
    if (taskId !== "") this.taskId = taskId;
    events.push({ type: "accepted", ...(taskId === "" ? {} : { remote_task_id: taskId }) });
  }

  #applyTask(task: Task, events: AgentEvent[]): void {
    this.#accept(task.id, events);
    this.#contextId = task.contextId || this.#contextId;
    const ours: unknown = task.metadata?.[EVENTS_EXTENSION];
    const known = ours === undefined ? [] : parseEvents(ours);
    for (const event of this.#eventDedup.filterNew(known)) this.#applyEvent(event, events);
    for (const artifact of task.artifacts) this.#applyArtifact(artifact, "again", events);
    if (task.status !== undefined) this.#applyDetailedStatus(task.status, known.at(-1), events);
  }

  #applyStatusUpdate({ status, metadata, contextId }: TaskStatusUpdateEvent, events: AgentEvent[]): void {
    // An omitted context id changes nothing.
    this.#contextId = contextId || this.#contextId;
    const ours: unknown = metadata?.[EVENTS_EXTENSION];
    const [event] = ours === undefined ? [] : parseEvents([ours]);
    if (status === undefined || status.state === TaskState.TASK_STATE_WORKING) {
      if (event !== undefined) this.#applyEvent(event, events);
      else if (status !== undefined) this.#applyStatus(status, events);
    } else {
      this.#applyDetailedStatus(status, event, events);
    }
  }

  /**
   * Applies a status. An event of our extension may be more precise: the code of a failure, the options of a
   * question.
   */
  #applyDetailedStatus(status: TaskStatus, event: AgentEvent | undefined, events: AgentEvent[]): void {
    if (status.state === TaskState.TASK_STATE_FAILED && event?.type === "failed")
      this.#finish({ ...event, reason: toShortLine(event.reason) || this.#format("agent.failed") }, events);
    else if (status.state === TaskState.TASK_STATE_INPUT_REQUIRED && event?.type === "input_required")
      this.#finish({ ...event, prompt: blankToEmpty(event.prompt) || this.#format("agent.needsInput") }, events);
    else this.#applyStatus(status, events);
  }

  /** Applies an event of our extension. It cannot end the task: only a status does. */
  #applyEvent(event: AgentEvent, events: AgentEvent[]): void {
    this.#eventDedup.record(event);
    switch (event.type) {
      case "text":
        this.#textDedup.addText(event.text, events);
        break;
      case "reasoning":
      case "notification":
      case "tool_started":
      case "tool_completed":
      case "component":
      case "criterion":
      case "usage":
        appendEvent(events, event);
        break;
      case "checkpoint":
        this.#checkpoint = this.state;
        this.#components.commit();
        appendEvent(events, event);
        break;
      case "retracted":
        // As after a crash, the retracted output may come again.
        this.#textDedup = new TextDedup(this.#checkpoint);
        this.#progress = this.#checkpoint.going_on.progress;
        this.#components.retract();
        appendEvent(events, { ...event, reason: toShortLine(event.reason) });
        break;
      case "accepted":
      case "completed":
      case "failed":
      case "input_required":
        break;
      default:
        assertNever(event);
    }
  }

  #applyStatus({ state, message }: TaskStatus, events: AgentEvent[]): void {
    const words = message === undefined ? "" : blankToEmpty(joinTextParts(message.parts));
    switch (state) {
      case TaskState.TASK_STATE_UNSPECIFIED:
      case TaskState.UNRECOGNIZED:
      case TaskState.TASK_STATE_SUBMITTED:
        break;
      case TaskState.TASK_STATE_WORKING:
        if (words !== "" && this.#isNewProgress(message, words)) {
          this.#progress = words;
          appendEvent(events, { type: "reasoning", text: `${words}\n` });
        }
        break;
      case TaskState.TASK_STATE_COMPLETED:
        if (message !== undefined) this.#applyMessage(message, events);
        if (this.#textDedup.isEmpty && this.#progress !== "") this.#textDedup.addText(this.#progress, events);
        this.#finish({ type: "completed" }, events);
        break;
      case TaskState.TASK_STATE_INPUT_REQUIRED:
        if (message !== undefined) this.#addAttachments(message, events);
        this.#finish(this.#createQuestion(words), events);
        break;
      case TaskState.TASK_STATE_FAILED:
        this.#fail("agent_failed", words || this.#format("agent.failed"), events);
        break;
      case TaskState.TASK_STATE_REJECTED:
        this.#fail("agent_rejected", this.#formatReason("agent.declined", "agent.declinedReason", words), events);
        break;
      case TaskState.TASK_STATE_CANCELED:
        this.#fail("agent_cancelled", this.#format("agent.cancelledTask"), events);
        break;
      case TaskState.TASK_STATE_AUTH_REQUIRED:
        this.#fail(
          "agent_unauthorized",
          this.#formatReason("agent.credentialsRequired", "agent.credentialsRequiredReason", words),
          events,
        );
        break;
      default:
        assertNever(state);
    }
  }

  #createQuestion(words: string): AgentEvent {
    const state = encodeQuestionState({
      context_id: this.#contextId === this.#conversationId ? "" : this.#contextId,
      artifacts: this.#textDedup.artifactTexts,
      attached: this.#components.marks,
    });
    return {
      type: "input_required",
      prompt: words || this.#format("agent.needsInput"),
      ...(state === undefined ? {} : { state }),
    };
  }

  /** Applies a message that is part of the agent's answer. */
  #applyMessage(message: Message, events: AgentEvent[]): void {
    if (message.role === Role.ROLE_USER || !this.#isNewMessage(message)) return;
    this.#textDedup.addMessage(joinTextParts(message.parts), events);
    this.#addAttachments(message, events);
  }

  #addAttachments({ messageId, parts }: Message, events: AgentEvent[]): void {
    for (const attached of this.#components.convertParts(this.taskId, messageId, parts)) events.push(attached);
  }

  #applyArtifactUpdate({ artifact, append, metadata }: TaskArtifactUpdateEvent, events: AgentEvent[]): void {
    const ours: unknown = metadata?.[EVENTS_EXTENSION];
    for (const event of ours === undefined ? [] : parseEvents([ours])) this.#applyEvent(event, events);
    if (artifact !== undefined) this.#applyArtifact(artifact, append ? "piece" : "whole", events);
  }

  #applyArtifact(artifact: Artifact, kind: ArtifactForm, events: AgentEvent[]): void {
    const text = joinTextParts(artifact.parts);
    const isOld = kind === "again" && this.#textDedup.isUnchangedArtifact(artifact.artifactId, text);
    if (!isOld) this.#textDedup.addArtifact(artifact.artifactId, text, kind === "piece", events);
    for (const attached of this.#components.convertArtifact(this.taskId, artifact, kind)) events.push(attached);
  }

  #isNewMessage(message: Message | undefined): boolean {
    return this.#textDedup.recordMessageId(message?.messageId ?? "");
  }

  /** True for new progress. Progress without an id is compared by its text, because polling repeats it. */
  #isNewProgress(message: Message | undefined, words: string): boolean {
    return (message?.messageId ?? "") === "" ? words !== this.#progress : this.#isNewMessage(message);
  }

  #format(key: MessageKey, params?: MessageParameters): string {
    return formatMessage(this.#language, createMessage(key, params));
  }

  /** Formats one of two messages: without or with the reason that the agent gives. */
  #formatReason(bareKey: MessageKey, key: MessageKey, reason: string): string {
    return reason === "" ? this.#format(bareKey) : this.#format(key, { reason });
  }

  #fail(code: AgentFailureCode, reason: string, events: AgentEvent[]): void {
    this.#finish({ type: "failed", reason: toShortLine(reason), code }, events);
  }

  #finish(event: AgentEvent, events: AgentEvent[]): void {
    this.isOver = true;
    events.push(event);
  }
}

/** Returns an empty string for blank text. */
function blankToEmpty(words: string): string {
  return words.trim() === "" ? "" : words;
}
