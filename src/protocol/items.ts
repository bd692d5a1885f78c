// The fold of events into items. An item is the result of all events with the same item id: a paragraph, a tool call, a
// component. Server history and client view use the same fold, so they cannot differ (L2).
//
// The module owns a weak map from items to the events that made them. Only `applyEventToItems` writes it.
// Invariants: items are immutable, and a map of items is ordered by `seq`. Events must arrive in the order of `seq`.
// A retraction restores the items that would exist without the retracted events (L3). Text items ("grow") have no
// history: a retraction removes them as a whole.

import type { ConversationEvent, EventName } from "./events.ts";

/** One item, with the envelope of the last event that changed it. */
export type Item = {
  readonly item_id: string;
  /** The `seq` of its first event. Items are ordered by it. */
  readonly seq: number;
  readonly event: EventName;
  readonly role: "user" | "agent" | "system";
  readonly conversation_id: string;
  readonly thread_id?: string;
  readonly task_id?: string;
  readonly agent_name?: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Time of the first event in ms since the epoch. Only the server knows it. */
  readonly created_at?: number;
};

/** The effect of each event on its item. The compiler requires an entry for each new event. */
const SHAPING = {
  conversation_started: "none",
  thread_started: "set",
  triage_completed: "set",
  plan_created: "set",
  plan_require_user_input: "set",
  plan_failed: "set",
  system_failed: "set",
  done: "none",
  task_started: "none",
  task_completed: "none",
  task_failed: "set",
  task_cancelled: "set",
  task_waiting: "set",
  task_retrying: "retract",
  message_chunk: "grow",
  message: "set",
  reasoning_started: "grow",
  reasoning: "grow",
  reasoning_completed: "grow",
  tool_call_started: "set",
  tool_call_completed: "set",
  component_generator: "set",
  verification_completed: "set",
} as const satisfies Record<EventName, "none" | "set" | "grow" | "retract">;

/** Items by id, in the order of their first events. */
export type Items = ReadonlyMap<string, Item>;

/** A linked list of the events of an item, newest first. Text items have none. */
type Made = {
  readonly seq: number;
  readonly event: ConversationEvent;
  readonly at: number | undefined;
  readonly before: Made | undefined;
};
const made = new WeakMap<Item, Made>();

/**
 * Folds one event into `items`, in place. `at` is the time of the event in ms since the epoch. `task_retrying` retracts
 * the output of its task (L3): the items become those without the retracted events (L2).
 */
export function shapeItems(items: Map<string, Item>, seq: number, event: ConversationEvent, at?: number): void {
  switch (SHAPING[event.event]) {
    case "none":
      return;
    case "retract":
      if (event.event === "task_retrying") retract(items, event.data.task_id, event.data.payload.since ?? 0);
      return;
    case "set":
    case "grow":
      shape(items, seq, event, at);
  }
}

function shape(items: Map<string, Item>, seq: number, event: ConversationEvent, at: number | undefined): void {
  const before = items.get(event.data.item_id);
  const item = shaped(before, seq, event, at);
  if (SHAPING[event.event] === "set")
    made.set(item, { seq, event, at, before: before === undefined ? undefined : made.get(before) });
  items.set(item.item_id, item);
}

function shaped(before: Item | undefined, seq: number, event: ConversationEvent, at: number | undefined): Item {
  const { data } = event;
  const payload: Record<string, unknown> = "payload" in data ? data.payload : {};
  const growing = SHAPING[event.event] === "grow";
  const text = growing
    ? textOf(before) + (typeof payload["content"] === "string" ? payload["content"] : "")
    : undefined;
  const createdAt = before?.created_at ?? at;
  return {
    item_id: data.item_id,
    seq: before?.seq ?? seq,
    event: event.event.startsWith("reasoning") ? "reasoning" : event.event,
    role: data.role,
    conversation_id: data.conversation_id,
    ...("thread_id" in data && data.thread_id !== undefined ? { thread_id: data.thread_id } : {}),
    ...("task_id" in data && data.task_id !== undefined ? { task_id: data.task_id } : {}),
    ...(data.agent_name === undefined ? {} : { agent_name: data.agent_name }),
    payload: growing ? { ...payload, content: text } : { ...before?.payload, ...payload },
    metadata: {
      ...before?.metadata,
      ...data.metadata,
      ...(event.event === "reasoning_completed" ? { finished: true } : {}),
    },
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
  };
}

/** Returns the text of a message or reasoning item; "" for undefined and for items without text. */
export function textOf(item: Item | undefined): string {
  const content = item?.payload["content"];
  return typeof content === "string" ? content : "";
}

/** Removes the items with retracted events and rebuilds them from their remaining events, in the order of `seq`. */
function retract(items: Map<string, Item>, taskId: string, since: number): void {
  const isLeft = (one: { readonly task_id?: string | undefined }, seq: number) =>
    one.task_id !== taskId || seq <= since;
  const left: Made[] = [];
  for (const [id, item] of items) {
    const events = [...eventsOf(item)];
    const stays = events.filter(({ seq, event }) => isLeft("task_id" in event.data ? event.data : {}, seq));
    if (events.length === 0 ? isLeft(item, item.seq) : stays.length === events.length) continue;
    items.delete(id);
    left.push(...stays);
  }
  if (left.length === 0) return;
  for (const { seq, event, at } of left.toSorted((a, b) => a.seq - b.seq)) shape(items, seq, event, at);
  const inOrder = [...items].toSorted(([, a], [, b]) => a.seq - b.seq);
  items.clear();
  for (const [id, item] of inOrder) items.set(id, item);
}

function* eventsOf(item: Item): Generator<Made> {
  for (let one = made.get(item); one !== undefined; one = one.before) yield one;
}
