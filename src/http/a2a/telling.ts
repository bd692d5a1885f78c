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
import { agentMessage, artifactOf, statusOf, textPart } from "../../a2a/parts.ts";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import type { AgentEvent } from "../../protocol/agent.ts";
import type { EventOf, Frame } from "../../protocol/events.ts";
import { jsonOrText } from "../../protocol/json-text.ts";
import { shapeItems, textOf, type Item } from "../../protocol/items.ts";
import { foldThread, isOver, NEW_THREAD, type ThreadState } from "../../protocol/thread-state.ts";
import { componentEvent } from "./snapshot.ts";
import {
  componentPart,
  historyEntry,
  lastEvent,
  messageOf,
  planWords,
  STATES,
  SUB_CONVERSATION,
  usageEvent,
  type Place,
} from "./words.ts";

/** The client's id of a message and its `seq` in the log. */
type Said = { readonly id: string; readonly seq: number };

/** The encoder of one thread for one client. */
export class Telling {
  #state: ThreadState = NEW_THREAD;
  #last = 0;
  /** The folded items by id. */
  readonly #made = new Map<string, Item>();
  readonly #place: Place;
  readonly #isOurs: boolean;
  readonly #message: Said | undefined;

  /** With `message`, the stream begins with this message. Without it, the client already has a snapshot of the task. */
  constructor(place: Place, isOurs: boolean, message?: Said) {
    this.#place = place;
    this.#isOurs = isOurs;
    this.#message = message;
  }

  /** The `seq` of the last frame that was passed. */
  get last(): number {
    return this.#last;
  }

  /** True after the thread has ended. */
  get isOver(): boolean {
    return isOver(this.#state.status);
  }

  /** True while the thread has an open question. Other tasks of it may still run. */
  get isAsking(): boolean {
    return this.#state.status === "input_required";
  }

  /** Applies frames that the client already has, without encoding them. */
  know(frames: readonly Frame[]): void {
    for (const frame of frames) this.hear(frame);
  }

  /**
   * Returns the events of a frame; an empty list if the frame was passed before or has no A2A form. The first frame
   * that shows work is encoded as a plain working status if nothing else is sent for it.
   */
  hear(frame: Frame): StreamResponse[] {
    if (frame.seq <= this.#last) return [];
    this.#last = frame.seq;
    const wasIdle = this.#state.status === "submitted";
    this.#state = foldThread(this.#state, frame);
    const told = frame.event === "task_retrying" ? this.#retracted(frame) : this.#shaped(frame);
    const isFirst = wasIdle && this.#state.status === "working" && told.length === 0;
    return isFirst ? [this.#working()] : told;
  }

  /** Returns the last status of the stream: the end of the thread, or the questions that it waits for. */
  closing(): StreamResponse {
    return this.#status(STATES[this.#state.status], messageOf(this.#place, this.#state), lastEvent(this.#state));
  }

  /** Folds a frame into the items and encodes it. Later chunks of a text are appended to its artifact. */
  #shaped(frame: Frame): StreamResponse[] {
    const isBegun = textOf(this.#made.get(frame.data.item_id)) !== "";
    shapeItems(this.#made, frame.seq, frame);
    return this.#told(frame, isBegun);
  }

  /** Encodes a frame. `isContinued` is true for a text whose first part was sent. */
  #told(frame: Frame, goesOn = false): StreamResponse[] {
    switch (frame.event) {
      case "thread_started":
        return [this.#task(frame)];
      case "plan_created":
        return frame.data.payload.plan.tasks.length > 1
          ? [this.#progress(frame, planWords(frame.data.payload.plan))]
          : [];
      case "task_started":
        return this.#begun(frame);
      case "message":
        if (frame.seq === this.#message?.seq) return [this.#task(frame)];
        return frame.data.role === "user" ? [this.#working()] : [this.#notified(frame, frame.data.payload.content)];
      case "message_chunk":
        return frame.data.payload.content === "" ? [] : [this.#text(frame, goesOn)];
      case "component_generator":
        return frame.data.payload.component_type === SUB_CONVERSATION ? [] : [this.#component(frame)];
      case "verification_completed":
        return [this.#progress(frame, frame.data.payload.summary)];
      case "done":
        return this.#ended();
      default:
        return this.#isOurs ? this.#extra(frame) : [];
    }
  }

  /** Encodes events that only our extension has. */
  #extra(frame: Frame): StreamResponse[] {
    switch (frame.event) {
      case "reasoning":
        return [this.#working({ type: "reasoning", text: frame.data.payload.content })];
      case "tool_call_started":
      case "tool_call_completed":
        return [this.#working(toolEvent(frame))];
      default:
        return [];
    }
  }

  /** Encodes the first event of a stream: the task with the message that started it. */
  #task(frame: EventOf<"thread_started" | "message"> & Frame): StreamResponse {
    const said = historyEntry(this.#place, frame, () => this.#message?.id);
    const isNew = frame.event === "thread_started";
    const value: Task = {
      id: this.#place.taskId,
      contextId: this.#place.contextId,
      status: statusOf(isNew ? TaskState.TASK_STATE_SUBMITTED : TaskState.TASK_STATE_WORKING),
      artifacts: [],
      history: said === null ? [] : [said],
      metadata: undefined,
    };
    return { payload: { $case: "task", value } };
  }

  /** Encodes the start of a task. A plan with one task is not reported, because it equals the request. */
  #begun(frame: EventOf<"task_started"> & Frame): StreamResponse[] {
    const isIt = ({ task_id }: { readonly task_id: string }) => task_id === frame.data.task_id;
    const plan = this.#state.plans.find(({ tasks }) => tasks.some(isIt));
    const task = plan?.tasks.find(isIt);
    if (plan === undefined || task === undefined || plan.tasks.length < 2) return [];
    return [this.#progress(frame, `${task.agent_name}: ${task.title}`)];
  }

  /** Encodes the end of the thread, preceded by the usage for clients with our extension. */
  #ended(): StreamResponse[] {
    const { usage } = this.#state;
    const used = this.#isOurs && usage !== undefined ? [this.#working(usageEvent(usage))] : [];
    return [...used, this.closing()];
  }

  #text({ data }: EventOf<"message_chunk">, append: boolean): StreamResponse {
    return this.#artifact(artifactOf(data.item_id, [textPart(data.payload.content)], data.agent_name), append);
  }

  /** Encodes a component: an event of our extension, or an artifact. */
  #component({ data }: EventOf<"component_generator">): StreamResponse {
    const { component_type, content } = data.payload;
    if (this.#isOurs) return this.#working(componentEvent(data.item_id, component_type, content));
    return this.#artifact(artifactOf(data.item_id, [componentPart(component_type, content)], component_type), false);
  }

  /** Encodes a retraction: compares the items before and after it, and updates the artifacts that have changed. */
  #retracted(frame: EventOf<"task_retrying"> & Frame): StreamResponse[] {
    const before = new Map(this.#made);
    shapeItems(this.#made, frame.seq, frame);
    const lost = [...before.values()].filter(({ item_id }) => !this.#made.has(item_id));
    const changed = [...this.#made.values()].filter((item) => before.get(item.item_id) !== item);
    if (lost.length + changed.length === 0) return [];
    if (this.#isOurs) return this.#anew(frame.data.payload.content);
    const emptied = lost
      .filter(isArtifact)
      .map(({ item_id }) => this.#artifact(artifactOf(item_id, [textPart("")]), false));
    return [...emptied, ...changed.filter(isArtifact).flatMap((item) => this.#told(frameOf(item)))];
  }

  /** Encodes a retraction for our extension, which clears all output, and repeats the remaining output. */
  #anew(reason: string): StreamResponse[] {
    const since = this.#message?.seq ?? 0;
    const left = [...this.#made.values()].filter(({ seq, role }) => seq > since && role !== "user");
    return [this.#working({ type: "retracted", reason }), ...left.flatMap((item) => this.#told(frameOf(item)))];
  }

  /** `append` adds to an artifact with the same id; otherwise it is replaced. */
  #artifact(artifact: Artifact, append: boolean): StreamResponse {
    const value = { ...this.#place, artifact, append, lastChunk: false, metadata: undefined };
    return { payload: { $case: "artifactUpdate", value } };
  }

  /** Encodes a notification: an event of our extension, or the text of a status update. */
  #notified(frame: Frame, text: string): StreamResponse {
    return this.#isOurs ? this.#working({ type: "notification", text }) : this.#progress(frame, text);
  }

  /** Returns a working status with a message. The message id is unique per frame. */
  #progress({ seq }: Frame, text: string): StreamResponse {
    const parts: Part[] = [textPart(text)];
    return this.#status(TaskState.TASK_STATE_WORKING, agentMessage(this.#place, parts, `${this.#place.taskId}.${seq}`));
  }

  /** Returns a working status, with an event of our extension if the client knows it. */
  #working(event?: AgentEvent): StreamResponse {
    return this.#status(TaskState.TASK_STATE_WORKING, undefined, event);
  }

  #status(state: TaskState, message: ReturnType<typeof messageOf>, event?: AgentEvent): StreamResponse {
    const metadata = event === undefined || !this.#isOurs ? undefined : { [EVENTS_EXTENSION]: event };
    return {
      payload: { $case: "statusUpdate", value: { ...this.#place, status: statusOf(state, message), metadata } },
    };
  }
}

/** True for items that are sent as artifacts without our extension. */
function isArtifact({ event, payload }: Item): boolean {
  if (event === "component_generator") return payload["component_type"] !== SUB_CONVERSATION;
  return event === "message_chunk";
}

/** Returns one frame with the complete content of an item. */
function frameOf(item: Item): Frame {
  return { seq: item.seq, event: item.event, data: item } as unknown as Frame;
}

/** Converts a tool call frame to an agent event. */
function toolEvent(frame: EventOf<"tool_call_started"> | EventOf<"tool_call_completed">): AgentEvent {
  const { data } = frame;
  const { tool_call_id: call_id, tool_name: tool, tool_arguments } = data.payload;
  const call = { call_id, tool, ...(tool_arguments === undefined ? {} : { arguments: tool_arguments }) };
  if (frame.event === "tool_call_started") return { type: "tool_started", ...call };
  return { type: "tool_completed", ...call, result: resultIn(frame.data.payload.tool_result) };
}

/** Returns the text of a tool result. The log contains it as a JSON list of objects with `content`. */
function resultIn(text: string): string {
  const list = jsonOrText(text);
  const isList =
    Array.isArray(list) && list.every((entry) => typeof (entry as { content?: unknown })?.content === "string");
  return isList ? list.map((entry) => (entry as { content: string }).content).join("\n") : text;
}
