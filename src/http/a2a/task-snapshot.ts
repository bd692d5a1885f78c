// Builds a complete A2A task from the stored record of a thread.

import type { Artifact, Message, Task } from "@a2a-js/sdk";
import { createArtifact, createTaskStatus, createTextPart } from "../../a2a/data-model.ts";
import type { ThreadRecord } from "../../durable/conversation-api.ts";
import { EVENTS_EXTENSION, formatA2ATaskId } from "../../protocol/agents/a2a-extension.ts";
import type { AgentEvent } from "../../protocol/agents/agent.ts";
import { applyEventToItems, getItemText, type Item } from "../../protocol/wire/items.ts";
import { foldThread, INITIAL_THREAD_STATE, type ThreadState } from "../../protocol/wire/thread-state.ts";
import {
  toComponentPart,
  toHistoryMessage,
  toFinalEvent,
  buildStatusMessage,
  A2A_STATES,
  SUB_CONVERSATION,
  toUsageEvent,
  type A2ATaskRef,
} from "./task-messages.ts";

/** Options of a task snapshot. */
export type TaskSnapshotOptions = {
  /** True if the client knows our extension: components and usage are then sent as metadata instead of artifacts. */
  readonly usesExtension: boolean;
  /** The number of most recent messages in the history; undefined includes all. */
  readonly historyLength?: number | undefined;
  /** True, the default, to include the artifacts. */
  readonly hasArtifacts?: boolean;
};

/** Returns the state of a thread, folded from its frames. */
export function computeThreadState({ frames }: ThreadRecord): ThreadState {
  return frames.reduce(foldThread, INITIAL_THREAD_STATE);
}

/** Returns the A2A ids of a thread. */
export function toTaskRef(conversationId: string, threadId: string): A2ATaskRef {
  return { contextId: conversationId, taskId: formatA2ATaskId(conversationId, threadId) };
}

/** Returns the task: its status, artifacts, history and extension metadata. */
export function buildTask(conversationId: string, record: ThreadRecord, options: TaskSnapshotOptions): Task {
  const { historyLength, hasArtifacts = true, usesExtension } = options;
  const taskRef = toTaskRef(conversationId, record.thread_id);
  const state = computeThreadState(record);
  const items = collectItems(record);
  return {
    id: taskRef.taskId,
    contextId: taskRef.contextId,
    status: createTaskStatus(A2A_STATES[state.status], buildStatusMessage(taskRef, state), record.updated_at),
    artifacts: hasArtifacts ? items.flatMap((item) => toArtifacts(item, usesExtension)) : [],
    history: limitHistory(buildHistory(taskRef, record), historyLength),
    metadata: usesExtension ? toExtensionMetadata(buildExtensionEvents(state, items)) : undefined,
  };
}

/** Folds the frames of a record to items, without links to the conversations of agents. */
function collectItems({ frames }: ThreadRecord): Item[] {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return [...items.values()].filter(({ payload }) => payload["component_type"] !== SUB_CONVERSATION);
}

/** Returns the artifact of an item: its text or its component. With our extension, components are metadata. */
function toArtifacts(item: Item, usesExtension: boolean): Artifact[] {
  const { event, item_id, agent_name, payload } = item;
  if (event === "message_chunk" && getItemText(item) !== "")
    return [createArtifact(item_id, [createTextPart(getItemText(item))], agent_name)];
  if (event !== "component_generator" || usesExtension) return [];
  const type = String(payload["component_type"]);
  return [createArtifact(item_id, [toComponentPart(type, getItemText(item))], type)];
}

/** Returns the messages of the user and the questions, oldest first. Messages keep the ids that clients gave them. */
function buildHistory(taskRef: A2ATaskRef, { frames, commands }: ThreadRecord): Message[] {
  const idAt = (seq: number) => commands.find((command) => command.seq === seq)?.id;
  return frames.map((frame) => toHistoryMessage(taskRef, frame, idAt)).filter((message) => message !== null);
}

/** Returns the last `length` messages. */
function limitHistory(messages: Message[], length: number | undefined): Message[] {
  return length === undefined ? messages : messages.slice(Math.max(0, messages.length - length));
}

function toExtensionMetadata(events: readonly AgentEvent[]): Task["metadata"] {
  return events.length === 0 ? undefined : { [EVENTS_EXTENSION]: events };
}

/** Returns the events of our extension: the components, the usage, and the question or failure. */
function buildExtensionEvents(state: ThreadState, items: readonly Item[]): AgentEvent[] {
  const components = items
    .filter(({ event }) => event === "component_generator")
    .map((item): AgentEvent =>
      toComponentEvent(item.item_id, String(item.payload["component_type"]), getItemText(item)),
    );
  const last = toFinalEvent(state);
  return [
    ...components,
    ...(state.usage === undefined ? [] : [toUsageEvent(state.usage)]),
    ...(last === undefined ? [] : [last]),
  ];
}

/** Returns a component as an event of our extension. */
export function toComponentEvent(component_id: string, component_type: string, content: string): AgentEvent {
  return { type: "component", component_type, content, component_id };
}
