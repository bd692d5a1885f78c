// A thread as a stream of A2A: each frame becomes what an A2A client can use of it.

import type { Artifact, Part, StreamResponse, Task } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import { agentMessage, artifactOf, statusOf, textPart } from "../../a2a/parts.ts";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import type { AgentEvent } from "../../protocol/agent.ts";
import type { EventOf, Frame } from "../../protocol/events.ts";
import { jsonOrText } from "../../protocol/json-text.ts";
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

/** Where an artifact came from: what is taken back takes it along. */
type Made = { readonly taskId: string; readonly seq: number };

/**
 * Tells of one thread. What it asks is told once it rests, all at once: until then other tasks of it may be at work,
 * and a client that reads of a question stops reading.
 */
export class Telling {
  #state: ThreadState = NEW_THREAD;
  #last = 0;
  readonly #made = new Map<string, Made>();
  readonly #place: Place;
  readonly #isOurs: boolean;
  readonly #messageId: string | undefined;

  /** `messageId` is that of the message which began the thread, where it is known. */
  constructor(place: Place, isOurs: boolean, messageId?: string) {
    this.#place = place;
    this.#isOurs = isOurs;
    this.#messageId = messageId;
  }

  /** The number of the last frame that was heard. */
  get last(): number {
    return this.#last;
  }

  get isOver(): boolean {
    return isOver(this.#state.status);
  }

  get isAsking(): boolean {
    return this.#state.status === "input_required";
  }

  /** Hears frames of which the client knows already. */
  know(frames: readonly Frame[]): void {
    for (const frame of frames) this.hear(frame);
  }

  /** What a frame tells; nothing for one that was heard before. */
  hear(frame: Frame): StreamResponse[] {
    if (frame.seq <= this.#last) return [];
    this.#last = frame.seq;
    const wasIdle = this.#state.status === "submitted";
    this.#state = foldThread(this.#state, frame);
    const told = this.#told(frame);
    const isFirst = wasIdle && this.#state.status === "working" && told.length === 0;
    return isFirst ? [this.#working()] : told;
  }

  /** How the thread stands when its stream ends: its end, or the questions that it rests on. */
  closing(): StreamResponse {
    return this.#status(STATES[this.#state.status], messageOf(this.#place, this.#state), lastEvent(this.#state));
  }

  #told(frame: Frame): StreamResponse[] {
    switch (frame.event) {
      case "thread_started":
        return [this.#task(frame)];
      case "plan_created":
        return frame.data.payload.plan.tasks.length > 1 ? [this.#progress(planWords(frame.data.payload.plan))] : [];
      case "task_started":
        return this.#begun(frame.data.task_id);
      case "message":
        return frame.data.role === "user" ? [this.#working()] : [this.#notified(frame.data.payload.content)];
      case "message_chunk":
        return [this.#grown(frame)];
      case "component_generator":
        return frame.data.payload.component_type === SUB_CONVERSATION ? [] : [this.#component(frame)];
      case "task_retrying":
        return this.#retracted(frame.data.task_id, frame.data.payload.since ?? 0);
      case "verification_completed":
        return [this.#progress(frame.data.payload.summary)];
      case "done":
        return this.#ended();
      default:
        return this.#isOurs ? this.#extra(frame) : [];
    }
  }

  /** What only our extension has a word for. */
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

  #task(frame: EventOf<"thread_started"> & Frame): StreamResponse {
    const said = historyEntry(this.#place, frame, () => this.#messageId);
    const value: Task = {
      id: this.#place.taskId,
      contextId: this.#place.contextId,
      status: statusOf(TaskState.TASK_STATE_SUBMITTED),
      artifacts: [],
      history: said === null ? [] : [said],
      metadata: undefined,
    };
    return { payload: { $case: "task", value } };
  }

  /** That one of several tasks begins. */
  #begun(taskId: string): StreamResponse[] {
    const plan = this.#state.plans.find(({ tasks }) => tasks.some((task) => task.task_id === taskId));
    const task = plan?.tasks.find((one) => one.task_id === taskId);
    if (plan === undefined || task === undefined || plan.tasks.length < 2) return [];
    return [this.#progress(`${task.agent_name}: ${task.title}`)];
  }

  #ended(): StreamResponse[] {
    const { usage } = this.#state;
    const used = this.#isOurs && usage !== undefined ? [this.#working(usageEvent(usage))] : [];
    return [...used, this.closing()];
  }

  #grown({ seq, data }: EventOf<"message_chunk"> & Frame): StreamResponse {
    const append = this.#made.has(data.item_id);
    this.#made.set(data.item_id, { taskId: data.task_id, seq: this.#made.get(data.item_id)?.seq ?? seq });
    return this.#artifact(artifactOf(data.item_id, [textPart(data.payload.content)], data.agent_name), append);
  }

  #component({ seq, data }: EventOf<"component_generator"> & Frame): StreamResponse {
    const { component_type, content } = data.payload;
    if (this.#isOurs) return this.#working(componentEvent(data.item_id, component_type, content));
    this.#made.set(data.item_id, { taskId: data.task_id, seq: this.#made.get(data.item_id)?.seq ?? seq });
    return this.#artifact(artifactOf(data.item_id, [componentPart(component_type, content)], component_type), false);
  }

  /** A2A cannot take an artifact away, so it is emptied. */
  #retracted(taskId: string, since: number): StreamResponse[] {
    const lost = [...this.#made].filter(([, made]) => made.taskId === taskId && made.seq > since);
    for (const [id] of lost) this.#made.delete(id);
    return lost.map(([id]) => this.#artifact(artifactOf(id, [textPart("")]), false));
  }

  #artifact(artifact: Artifact, append: boolean): StreamResponse {
    const value = { ...this.#place, artifact, append, lastChunk: false, metadata: undefined };
    return { payload: { $case: "artifactUpdate", value } };
  }

  #notified(text: string): StreamResponse {
    return this.#isOurs ? this.#working({ type: "notification", text }) : this.#progress(text);
  }

  #progress(text: string): StreamResponse {
    const parts: Part[] = [textPart(text)];
    return this.#status(
      TaskState.TASK_STATE_WORKING,
      agentMessage(this.#place, parts, `${this.#place.taskId}.${this.#last}`),
    );
  }

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

function toolEvent(frame: EventOf<"tool_call_started"> | EventOf<"tool_call_completed">): AgentEvent {
  const { data } = frame;
  const { tool_call_id: call_id, tool_name: tool, tool_arguments } = data.payload;
  const call = { call_id, tool, ...(tool_arguments === undefined ? {} : { arguments: tool_arguments }) };
  if (frame.event === "tool_call_started") return { type: "tool_started", ...call };
  return { type: "tool_completed", ...call, result: resultIn(frame.data.payload.tool_result) };
}

/** Readers get the result of a tool as a list of texts. */
function resultIn(text: string): string {
  const list = jsonOrText(text);
  const isList =
    Array.isArray(list) && list.every((entry) => typeof (entry as { content?: unknown })?.content === "string");
  return isList ? list.map((entry) => (entry as { content: string }).content).join("\n") : text;
}
