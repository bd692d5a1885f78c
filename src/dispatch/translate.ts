// Translates the A2A responses of one exchange to agent events, for agents with and without our extension.
//
// D2. After `isOver` no events follow.
// D3. Progress messages of a working agent become reasoning, unless they turn out to be its whole answer.
// D4. Responses about another task than that of the exchange are ignored.
//
// It owns the task id, the context id, the last progress, and the three objects that remove repetitions: text,
// attachments and events. Batches must be passed in order. An unreadable response throws an `AgentFailure`
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
import { EVENTS_EXTENSION } from "../protocol/a2a.ts";
import type { AgentEvent } from "../protocol/agent.ts";
import { unreachable } from "../protocol/assert.ts";
import { Attachments, type Shown } from "./attachments.ts";
import { AgentFailure, ASKS_FOR_CREDENTIALS, brief, failed } from "./failure.ts";
import { Heard } from "./heard.ts";
import { toState, type Recalled, type Standing } from "./recall.ts";
import { parseEvents, push, textOf } from "./said.ts";
import { Telling } from "./telling.ts";

const NO_REASON = "The agent failed and gave no reason.";
const NO_PROMPT = "The agent needs more information.";

/** The translation of one exchange with an agent. */
export class Translation {
  /** The agent's own id of the task, once known. It is used to poll and to cancel. */
  taskId: string | undefined;
  isOver = false;
  #accepted = false;
  #progress = "";
  #telling: Telling;
  readonly #attachments: Attachments;
  readonly #heard = new Heard();
  /** The state at the agent's last checkpoint. */
  #kept: Standing;
  readonly #ourContext: string;
  #context = "";

  /**
   * `context` is our id of the conversation; `before` is the state of the task from before its question or a crash.
   */
  constructor(context: string, before: Recalled = { context_id: "", artifacts: {} }) {
    this.#ourContext = context;
    this.#telling = new Telling(before);
    this.#attachments = new Attachments(before.attached);
    const { context_id, going_on: goingOn } = before;
    this.#context = context_id;
    if (goingOn !== undefined) {
      this.taskId = goingOn.task_id;
      this.#accepted = true;
      this.#progress = goingOn.progress;
    }
    this.#kept = this.standing;
  }

  /** The state from which the exchange continues after a crash. */
  get standing(): Standing {
    const { artifacts, ...told } = this.#telling.standing;
    const going_on = { task_id: this.taskId ?? "", ...told, progress: this.#progress };
    return { context_id: this.#context, artifacts, attached: this.#attachments.marks, going_on };
  }

  /**
   * Translates a batch and appends its events to `events`, joining neighbouring text. After an error, `events`
   * contains everything before the unreadable response.
   */
  translate(responses: readonly StreamResponse[], events: AgentEvent[] = []): AgentEvent[] {
    for (const { payload } of responses) {
      if (this.isOver || payload === undefined) break;
      if (this.isOfAnother(payload.$case === "task" ? payload.value.id : payload.value.taskId)) continue;
      switch (payload.$case) {
        case "task":
          this.#task(payload.value, events);
          break;
        case "message":
          this.#accept("", events);
          this.#message(payload.value, events);
          if (this.taskId === undefined) this.#finish({ type: "completed" }, events);
          break;
        case "statusUpdate":
          this.#accept(payload.value.taskId, events);
          this.#statusUpdate(payload.value, events);
          break;
        case "artifactUpdate":
          this.#accept(payload.value.taskId, events);
          this.#artifactUpdate(payload.value, events);
          break;
        default:
          unreachable(payload);
      }
    }
    return events;
  }

  /** True if the id belongs to another task. Some agents omit ids, so an empty id matches. */
  isOfAnother(taskId: string): boolean {
    return taskId !== "" && this.taskId !== undefined && taskId !== this.taskId;
  }

  #accept(taskId: string, events: AgentEvent[]): void {
    if (this.#accepted && (taskId === "" || this.taskId !== undefined)) return;
    this.#accepted = true;
    if (taskId !== "") this.taskId = taskId;
    events.push({ type: "accepted", ...(taskId === "" ? {} : { remote_task_id: taskId }) });
  }

  #task(task: Task, events: AgentEvent[]): void {
    this.#accept(task.id, events);
    this.#context = task.contextId || this.#context;
    const ours: unknown = task.metadata?.[EVENTS_EXTENSION];
    const known = ours === undefined ? [] : parseEvents(ours);
    for (const event of this.#heard.newIn(known)) this.#event(event, events);
    for (const artifact of task.artifacts) this.#artifact(artifact, "again", events);
    if (task.status !== undefined) this.#lastWord(task.status, known.at(-1), events);
  }

  #statusUpdate({ status, metadata, contextId }: TaskStatusUpdateEvent, events: AgentEvent[]): void {
    // An omitted context id changes nothing.
    this.#context = contextId || this.#context;
    const ours: unknown = metadata?.[EVENTS_EXTENSION];
    const [event] = ours === undefined ? [] : parseEvents([ours]);
    if (status === undefined || status.state === TaskState.TASK_STATE_WORKING) {
      if (event !== undefined) this.#event(event, events);
      else if (status !== undefined) this.#status(status, events);
    } else {
      this.#lastWord(status, event, events);
    }
  }

  /**
   * Applies a status. An event of our extension may be more precise: the code of a failure, the options of a
   * question.
   */
  #lastWord(status: TaskStatus, event: AgentEvent | undefined, events: AgentEvent[]): void {
    if (status.state === TaskState.TASK_STATE_FAILED && event?.type === "failed")
      this.#finish({ ...event, reason: brief(event.reason) || NO_REASON }, events);
    else if (status.state === TaskState.TASK_STATE_INPUT_REQUIRED && event?.type === "input_required")
      this.#finish({ ...event, prompt: worded(event.prompt) || NO_PROMPT }, events);
    else this.#status(status, events);
  }

  /** Applies an event of our extension. It cannot end the task: only a status does. */
  #event(event: AgentEvent, events: AgentEvent[]): void {
    this.#heard.note(event);
    switch (event.type) {
      case "text":
        this.#telling.text(event.text, events);
        break;
      case "reasoning":
      case "notification":
      case "tool_started":
      case "tool_completed":
      case "component":
      case "usage":
        push(events, event);
        break;
      case "checkpoint":
        this.#kept = this.standing;
        this.#attachments.keep();
        push(events, event);
        break;
      case "retracted":
        // As after a crash, the retracted output may come again.
        this.#telling = new Telling(this.#kept);
        this.#progress = this.#kept.going_on.progress;
        this.#attachments.retract();
        push(events, { ...event, reason: brief(event.reason) });
        break;
      case "accepted":
      case "completed":
      case "failed":
      case "input_required":
        break;
      default:
        unreachable(event);
    }
  }

  #status({ state, message }: TaskStatus, events: AgentEvent[]): void {
    const words = message === undefined ? "" : worded(textOf(message.parts));
    switch (state) {
      case TaskState.TASK_STATE_UNSPECIFIED:
      case TaskState.UNRECOGNIZED:
      case TaskState.TASK_STATE_SUBMITTED:
        break;
      case TaskState.TASK_STATE_WORKING:
        if (words !== "" && this.#isNews(message, words)) {
          this.#progress = words;
          push(events, { type: "reasoning", text: `${words}\n` });
        }
        break;
      case TaskState.TASK_STATE_COMPLETED:
        if (message !== undefined) this.#message(message, events);
        if (this.#telling.isSilent && this.#progress !== "") this.#telling.text(this.#progress, events);
        this.#finish({ type: "completed" }, events);
        break;
      case TaskState.TASK_STATE_INPUT_REQUIRED:
        if (message !== undefined) this.#attached(message, events);
        this.#finish(this.#question(words), events);
        break;
      case TaskState.TASK_STATE_FAILED:
        this.#fail("agent_failed", words || NO_REASON, events);
        break;
      case TaskState.TASK_STATE_REJECTED:
        this.#fail(
          "agent_rejected",
          words === "" ? "The agent declined the task." : `The agent declined the task: ${words}`,
          events,
        );
        break;
      case TaskState.TASK_STATE_CANCELED:
        this.#fail("agent_cancelled", "The agent cancelled the task.", events);
        break;
      case TaskState.TASK_STATE_AUTH_REQUIRED:
        this.#fail(
          "agent_unauthorized",
          words === "" ? ASKS_FOR_CREDENTIALS : `The agent asks for credentials: ${words}`,
          events,
        );
        break;
      default:
        unreachable(state);
    }
  }

  #question(words: string): AgentEvent {
    const state = toState({
      context_id: this.#context === this.#ourContext ? "" : this.#context,
      artifacts: this.#telling.shown,
      attached: this.#attachments.marks,
    });
    return { type: "input_required", prompt: words || NO_PROMPT, ...(state === undefined ? {} : { state }) };
  }

  /** Applies a message that is part of the agent's answer. */
  #message(message: Message, events: AgentEvent[]): void {
    if (message.role === Role.ROLE_USER || !this.#isNew(message)) return;
    this.#telling.message(textOf(message.parts), events);
    this.#attached(message, events);
  }

  #attached({ messageId, parts }: Message, events: AgentEvent[]): void {
    for (const attached of this.#attachments.of(this.taskId, messageId, parts)) events.push(attached);
  }

  #artifactUpdate({ artifact, append, metadata }: TaskArtifactUpdateEvent, events: AgentEvent[]): void {
    const ours: unknown = metadata?.[EVENTS_EXTENSION];
    for (const event of ours === undefined ? [] : parseEvents([ours])) this.#event(event, events);
    if (artifact !== undefined) this.#artifact(artifact, append ? "piece" : "whole", events);
  }

  #artifact(artifact: Artifact, kind: Shown, events: AgentEvent[]): void {
    const text = textOf(artifact.parts);
    const isOld = kind === "again" && this.#telling.wasShown(artifact.artifactId, text);
    if (!isOld) this.#telling.artifact(artifact.artifactId, text, kind === "piece", events);
    for (const attached of this.#attachments.ofArtifact(this.taskId, artifact, kind)) events.push(attached);
  }

  #isNew(message: Message | undefined): boolean {
    return this.#telling.isNew(message?.messageId ?? "");
  }

  /** True for new progress. Progress without an id is compared by its text, because polling repeats it. */
  #isNews(message: Message | undefined, words: string): boolean {
    return (message?.messageId ?? "") === "" ? words !== this.#progress : this.#isNew(message);
  }

  #fail(
    code: "agent_failed" | "agent_rejected" | "agent_cancelled" | "agent_unauthorized",
    words: string,
    events: AgentEvent[],
  ): void {
    this.#finish(failed(new AgentFailure(code, brief(words))), events);
  }

  #finish(event: AgentEvent, events: AgentEvent[]): void {
    this.isOver = true;
    events.push(event);
  }
}

/** Returns an empty string for blank text. */
function worded(words: string): string {
  return words.trim() === "" ? "" : words;
}
