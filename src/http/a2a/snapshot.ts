// Builds a complete A2A task from the stored record of a thread.

import type { Artifact, Message, Task } from "@a2a-js/sdk";
import { artifactOf, statusOf, textPart } from "../../a2a/parts.ts";
import type { ThreadRecord } from "../../durable/api.ts";
import { EVENTS_EXTENSION, taskIdOf } from "../../protocol/a2a.ts";
import type { AgentEvent } from "../../protocol/agent.ts";
import { shapeItems, textOf, type Item } from "../../protocol/items.ts";
import { foldThread, NEW_THREAD, type ThreadState } from "../../protocol/thread-state.ts";
import {
  componentPart,
  historyEntry,
  lastEvent,
  messageOf,
  STATES,
  SUB_CONVERSATION,
  usageEvent,
  type Place,
} from "./words.ts";

/** Options of a task snapshot. */
export type Shown = {
  /** True if the client knows our extension: components and usage are then sent as metadata instead of artifacts. */
  readonly isOurs: boolean;
  /** The number of most recent messages to include; undefined includes all. */
  readonly historyLength?: number | undefined;
  /** Defaults to true. */
  readonly hasArtifacts?: boolean;
};

/** Returns the state of a thread, folded from its frames. */
export function stateOf({ frames }: ThreadRecord): ThreadState {
  return frames.reduce(foldThread, NEW_THREAD);
}

/** Returns the A2A ids of a thread. */
export function placeIn(conversationId: string, threadId: string): Place {
  return { contextId: conversationId, taskId: taskIdOf(conversationId, threadId) };
}

/** Returns the task: its status, artifacts, history and extension metadata. */
export function taskOf(conversationId: string, record: ThreadRecord, shown: Shown): Task {
  const { historyLength, hasArtifacts = true, isOurs } = shown;
  const place = placeIn(conversationId, record.thread_id);
  const state = stateOf(record);
  const items = itemsIn(record);
  return {
    id: place.taskId,
    contextId: place.contextId,
    status: statusOf(STATES[state.status], messageOf(place, state), record.updated_at),
    artifacts: hasArtifacts ? items.flatMap((item) => artifactIn(item, isOurs)) : [],
    history: recent(historyOf(place, record), historyLength),
    metadata: isOurs ? metadataOf(eventsOf(state, items)) : undefined,
  };
}

/** Folds the frames of a record to items, without links to the conversations of agents. */
function itemsIn({ frames }: ThreadRecord): Item[] {
  const items = new Map<string, Item>();
  for (const frame of frames) shapeItems(items, frame.seq, frame);
  return [...items.values()].filter(({ payload }) => payload["component_type"] !== SUB_CONVERSATION);
}

/** Returns the artifact of an item: its text or its component. With our extension, components are metadata. */
function artifactIn(item: Item, isOurs: boolean): Artifact[] {
  const { event, item_id, agent_name, payload } = item;
  if (event === "message_chunk" && textOf(item) !== "")
    return [artifactOf(item_id, [textPart(textOf(item))], agent_name)];
  if (event !== "component_generator" || isOurs) return [];
  const type = String(payload["component_type"]);
  return [artifactOf(item_id, [componentPart(type, textOf(item))], type)];
}

/** Returns the messages of the user and the questions, oldest first. Messages keep the ids that clients gave them. */
function historyOf(place: Place, { frames, commands }: ThreadRecord): Message[] {
  const idAt = (seq: number) => commands.find((command) => command.seq === seq)?.id;
  return frames.map((frame) => historyEntry(place, frame, idAt)).filter((message) => message !== null);
}

/** Returns the last `length` messages. */
function recent(messages: Message[], length: number | undefined): Message[] {
  return length === undefined ? messages : messages.slice(Math.max(0, messages.length - length));
}

function metadataOf(events: readonly AgentEvent[]): Task["metadata"] {
  return events.length === 0 ? undefined : { [EVENTS_EXTENSION]: events };
}

/** Returns the events of our extension: the components, the usage, and the question or failure. */
function eventsOf(state: ThreadState, items: readonly Item[]): AgentEvent[] {
  const components = items
    .filter(({ event }) => event === "component_generator")
    .map((item): AgentEvent => componentEvent(item.item_id, String(item.payload["component_type"]), textOf(item)));
  const last = lastEvent(state);
  return [
    ...components,
    ...(state.usage === undefined ? [] : [usageEvent(state.usage)]),
    ...(last === undefined ? [] : [last]),
  ];
}

/** Returns a component as an event of our extension. */
export function componentEvent(component_id: string, component_type: string, content: string): AgentEvent {
  return { type: "component", component_type, content, component_id };
}
