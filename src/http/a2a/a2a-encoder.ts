// Encodes the log of one thread as a stream of A2A events.
//
// State of one encoder: the folded thread state, the items (for retractions), and the last encoded `seq`. Frames must
// be passed in order; a frame with a known `seq` is ignored, so a caller may reconnect with an overlap.
// - The first event of a new thread is the task itself; a client that already has the task receives updates only.
// - Questions are sent once, together, when the thread pauses (`encodeFinalStatus`). Until then other tasks of the
//   thread may run, and clients stop reading at the first question.
// - A2A cannot remove an artifact: an empty artifact replaces a retracted artifact. Clients with our extension receive
//   a `retracted` event and the remaining output once more.
// - Events that A2A has no type for are sent to clients with our extension only, as metadata of a status update.

import type { Artifact, Part, StreamResponse, Task } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import { createAgentMessage, createArtifact, createTaskStatus, createTextPart } from "../../a2a/data-model.ts";
import { EVENTS_EXTENSION } from "../../protocol/agents/a2a-extension.ts";
import type { AgentEvent } from "../../protocol/agents/agent.ts";
import type { EventOf, Frame } from "../../protocol/wire/events.ts";
import { parseJsonOrText } from "../../lib/parse-json.ts";
import { applyEventToItems, getItemText, type Item } from "../../protocol/wire/items.ts";
import {
  foldThread,
  isFinalThreadStatus,
  INITIAL_THREAD_STATE,
  type ThreadState,
} from "../../protocol/wire/thread-state.ts";
import { toComponentEvent } from "./task-snapshot.ts";
import {
  toComponentPart,
  toHistoryMessage,
  toFinalEvent,
  buildStatusMessage,
  formatPlan,
  A2A_STATES,
  SUB_CONVERSATION,
  toUsageEvent,
  type A2ATaskRef,
} from "./task-messages.ts";

/** The client's id of a message and its `seq` in the log. */
type SentMessagePosition = { readonly id: string; readonly seq: number };

/** The encoder of one thread for one client. */
export class A2AEncoder {
  #state: ThreadState = INITIAL_THREAD_STATE;
  #lastSeq = 0;
  /** The folded items by id. */
  readonly #items = new Map<string, Item>();
  readonly #taskRef: A2ATaskRef;
  readonly #usesExtension: boolean;
  readonly #sentMessage: SentMessagePosition | undefined;

  /**
   * With `sentMessage`, the stream begins with this message. Without it, the client already has a snapshot of the task.
   */
  constructor(taskRef: A2ATaskRef, usesExtension: boolean, sentMessage?: SentMessagePosition) {
    this.#taskRef = taskRef;
    this.#usesExtension = usesExtension;
    this.#sentMessage = sentMessage;
  }

  /** The `seq` of the last frame that was passed; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** True after the thread has ended. */
  get isOver(): boolean {
    return isFinalThreadStatus(this.#state.status);
  }

  /** True while the thread has an open question. Other tasks of it may still run. */
  get isAwaitingInput(): boolean {
    return this.#state.status === "input_required";
  }

  /** Applies frames that the client already has, without encoding them. */
  applyKnown(frames: readonly Frame[]): void {
    for (const frame of frames) this.encode(frame);
  }

  /**
   * Returns the events of a frame; an empty list if the frame was passed before or has no A2A form. The first frame
   * that shows work is encoded as a plain working status if nothing else is sent for it. The end of the thread includes
   * the final status.
   */
  encode(frame: Frame): StreamResponse[] {
    if (frame.seq <= this.#lastSeq) return [];
    this.#lastSeq = frame.seq;
    const wasIdle = this.#state.status === "submitted";
    this.#state = foldThread(this.#state, frame);
    const responses = frame.event === "task_retrying" ? this.#encodeRetraction(frame) : this.#encodeItem(frame);
    const isFirst = wasIdle && this.#state.status === "working" && responses.length === 0;
    return isFirst ? [this.#createWorkingUpdate()] : responses;
  }

  /** Returns the current status of the thread: its end, or the questions that it waits for. Changes nothing. */
  encodeFinalStatus(): StreamResponse {
    return this.#createStatusUpdate(
      A2A_STATES[this.#state.status],
      buildStatusMessage(this.#taskRef, this.#state),
      toFinalEvent(this.#state),
    );
  }

  /** Folds a frame into the items and encodes it. Later chunks of a text are appended to its artifact. */
  #encodeItem(frame: Frame): StreamResponse[] {
    const hasStarted = getItemText(this.#items.get(frame.data.item_id)) !== "";
    applyEventToItems(this.#items, frame.seq, frame);
    return this.#encodeFrame(frame, hasStarted);
  }

  /** Encodes a frame. `isContinued` is true for a text whose first part was sent. */
  #encodeFrame(frame: Frame, isContinued = false): StreamResponse[] {
    switch (frame.event) {
      case "thread_started":
        return [this.#encodeTask(frame)];
      case "plan_created":
        return frame.data.payload.plan.tasks.length > 1
          ? [this.#createProgressUpdate(frame, formatPlan(frame.data.payload.plan))]
          : [];
      case "task_started":
        return this.#encodeTaskStart(frame);
      case "message":
        if (frame.seq === this.#sentMessage?.seq) return [this.#encodeTask(frame)];
        return frame.data.role === "user"
          ? [this.#createWorkingUpdate()]
          : [this.#encodeNotification(frame, frame.data.payload.content)];
      case "message_chunk":
        return frame.data.payload.content === "" ? [] : [this.#encodeText(frame, isContinued)];
      case "component_generator":
        return frame.data.payload.component_type === SUB_CONVERSATION ? [] : [this.#encodeComponent(frame)];
      case "verification_completed":
        return [this.#createProgressUpdate(frame, frame.data.payload.summary)];
      case "done":
        return this.#encodeDone();
      default:
        return this.#usesExtension ? this.#encodeExtensionEvent(frame) : [];
    }
  }

  /** Encodes events that only our extension has. */
  #encodeExtensionEvent(frame: Frame): StreamResponse[] {
    switch (frame.event) {
      case "reasoning":
        return [this.#createWorkingUpdate({ type: "reasoning", text: frame.data.payload.content })];
      case "tool_call_started":
      case "tool_call_completed":
        return [this.#createWorkingUpdate(toToolEvent(frame))];
      default:
        return [];
    }
  }

  /** Encodes the first event of a stream: the task with the message that started it. */
  #encodeTask(frame: EventOf<"thread_started" | "message"> & Frame): StreamResponse {
    const historyMessage = toHistoryMessage(this.#taskRef, frame, () => this.#sentMessage?.id);
    const isNew = frame.event === "thread_started";
    const value: Task = {
      id: this.#taskRef.taskId,
      contextId: this.#taskRef.contextId,
      status: createTaskStatus(isNew ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING),
      artifacts: [],
      history: historyMessage === null ? [] : [historyMessage],
      metadata: undefined,
    };
    return { payload: { $case: "task", value } };
  }

  /** Encodes the start of a task. A plan with one task is not reported, because it equals the request. */
  #encodeTaskStart(frame: EventOf<"task_started"> & Frame): StreamResponse[] {
    const isStartedTask = ({ task_id }: { readonly task_id: string }) => task_id === frame.data.task_id;
    const plan = this.#state.plans.find(({ tasks }) => tasks.some(isStartedTask));
    const task = plan?.tasks.find(isStartedTask);
    if (plan === undefined || task === undefined || plan.tasks.length < 2) return [];
    return [this.#createProgressUpdate(frame, `${task.agent_name}: ${task.title}`)];
  }

  /** Encodes the end of the thread, preceded by the usage for clients with our extension. */
  #encodeDone(): StreamResponse[] {
    const { usage } = this.#state;
    const used = this.#usesExtension && usage !== undefined ? [this.#createWorkingUpdate(toUsageEvent(usage))] : [];
    return [...used, this.encodeFinalStatus()];
  }

  #encodeText({ data }: EventOf<"message_chunk">, append: boolean): StreamResponse {
    return this.#createArtifactUpdate(
      createArtifact(data.item_id, [createTextPart(data.payload.content)], data.agent_name),
      append,
    );
  }

  /** Encodes a component: an event of our extension, or an artifact. */
  #encodeComponent({ data }: EventOf<"component_generator">): StreamResponse {
    const { component_type, content } = data.payload;
    if (this.#usesExtension) return this.#createWorkingUpdate(toComponentEvent(data.item_id, component_type, content));
    return this.#createArtifactUpdate(
      createArtifact(data.item_id, [toComponentPart(component_type, content)], component_type),
      false,
    );
  }

  /** Encodes a retraction: compares the items before and after it, and updates the artifacts that have changed. */
  #encodeRetraction(frame: EventOf<"task_retrying"> & Frame): StreamResponse[] {
    const before = new Map(this.#items);
    applyEventToItems(this.#items, frame.seq, frame);
    const removed = [...before.values()].filter(({ item_id }) => !this.#items.has(item_id));
    const changed = [...this.#items.values()].filter((item) => before.get(item.item_id) !== item);
    if (removed.length + changed.length === 0) return [];
    if (this.#usesExtension) return this.#encodeRetractionEvent(frame.data.payload.content);
    const emptied = removed
      .filter(isArtifact)
      .map(({ item_id }) => this.#createArtifactUpdate(createArtifact(item_id, [createTextPart("")]), false));
    return [...emptied, ...changed.filter(isArtifact).flatMap((item) => this.#encodeFrame(toFrame(item)))];
  }

  /** Encodes a retraction for our extension, which clears all output, and repeats the remaining output. */
  #encodeRetractionEvent(reason: string): StreamResponse[] {
    const since = this.#sentMessage?.seq ?? 0;
    const remaining = [...this.#items.values()].filter(({ seq, role }) => seq > since && role !== "user");
    return [
      this.#createWorkingUpdate({ type: "retracted", reason }),
      ...remaining.flatMap((item) => this.#encodeFrame(toFrame(item))),
    ];
  }

  /** `append` adds to an artifact with the same id; otherwise it is replaced. */
  #createArtifactUpdate(artifact: Artifact, append: boolean): StreamResponse {
    const value = { ...this.#taskRef, artifact, append, lastChunk: false, metadata: undefined };
    return { payload: { $case: "artifactUpdate", value } };
  }

  /** Encodes a notification: an event of our extension, or the text of a status update. */
  #encodeNotification(frame: Frame, text: string): StreamResponse {
    return this.#usesExtension
      ? this.#createWorkingUpdate({ type: "notification", text })
      : this.#createProgressUpdate(frame, text);
  }

  /** Returns a working status with a message. The message id is unique per frame. */
  #createProgressUpdate({ seq }: Frame, text: string): StreamResponse {
    const parts: Part[] = [createTextPart(text)];
    return this.#createStatusUpdate(
      TaskState.TASK_STATE_WORKING,
      createAgentMessage(this.#taskRef, parts, `${this.#taskRef.taskId}.${seq}`),
    );
  }

  /** Returns a working status, with an event of our extension if the client knows it. */
  #createWorkingUpdate(event?: AgentEvent): StreamResponse {
    return this.#createStatusUpdate(TaskState.TASK_STATE_WORKING, undefined, event);
  }

  #createStatusUpdate(
    state: TaskState,
    message: ReturnType<typeof buildStatusMessage>,
    event?: AgentEvent,
  ): StreamResponse {
    const metadata = event === undefined || !this.#usesExtension ? undefined : { [EVENTS_EXTENSION]: event };
    return {
      payload: {
        $case: "statusUpdate",
        value: { ...this.#taskRef, status: createTaskStatus(state, message), metadata },
      },
    };
  }
}

/** True for items that are sent as artifacts without our extension. */
function isArtifact({ event, payload }: Item): boolean {
  if (event === "component_generator") return payload["component_type"] !== SUB_CONVERSATION;
  return event === "message_chunk";
}

/** Returns one frame with the complete content of an item. */
function toFrame(item: Item): Frame {
  return { seq: item.seq, event: item.event, data: item } as unknown as Frame;
}

/** Converts a tool call frame to an agent event. */
function toToolEvent(frame: EventOf<"tool_call_started"> | EventOf<"tool_call_completed">): AgentEvent {
  const { data } = frame;
  const { tool_call_id: call_id, tool_name: tool, tool_arguments } = data.payload;
  const call = { call_id, tool, ...(tool_arguments === undefined ? {} : { arguments: tool_arguments }) };
  if (frame.event === "tool_call_started") return { type: "tool_started", ...call };
  return { type: "tool_completed", ...call, result: extractResultText(frame.data.payload.tool_result) };
}

/** Returns the text of a tool result. The log contains it as a JSON list of objects with `content`. */
function extractResultText(text: string): string {
  const list = parseJsonOrText(text);
  const isList =
    Array.isArray(list) && list.every((entry) => typeof (entry as { content?: unknown })?.content === "string");
  return isList ? list.map((entry) => (entry as { content: string }).content).join("\n") : text;
}
