// The fold of events into items. An item is the result of all events with the same item id: a paragraph, a tool call, a
// component. Server history and client view use the same fold, so they cannot differ (L2).
//
// The module owns a weak map from items to the events that made them. Only `applyEventToItems` writes it.
// Invariants: items are immutable, and a map of items is ordered by `seq`. Events must arrive in the order of `seq`.
// A retraction restores the items that would exist without the retracted events (L3). Text items ("grow") have no
// history: a retraction removes them as a whole.

import type { ConversationEvent, EventName } from "./events.ts";

/** One item. Role, ids and agent name are those of the last event that changed it. */
export type Item = {
  readonly item_id: string;
  /** The `seq` of its first event. Items are ordered by it. */
  readonly seq: number;
  /** The last event; `reasoning` for all three events of reasoning. */
  readonly event: EventName;
  readonly role: "user" | "agent" | "system";
  readonly conversation_id: string;
  readonly thread_id?: string;
  readonly task_id?: string;
  readonly agent_name?: string;
  /** The members of all payloads; later ones win. `content` of a growing text is the whole text. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Time of the first event in ms since the epoch. Only the server knows it. */
  readonly created_at?: number;
};

/** The effect of each event on its item. The compiler requires an entry for each new event. */
const ITEM_EFFECT = {
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
export type ItemMap = ReadonlyMap<string, Item>;

/** A linked list of the events of an item, newest first. Text items have none. */
type ItemHistoryEntry = {
  readonly seq: number;
  readonly event: ConversationEvent;
  readonly at: number | undefined;
  readonly previous: ItemHistoryEntry | undefined;
};
const itemHistory = new WeakMap<Item, ItemHistoryEntry>();

/**
 * Folds one event into `items`, in place. `at` is the time of the event in ms since the epoch. `task_retrying` retracts
 * the output of its task (L3): the items become those without the retracted events (L2). Some events change no item.
 */
export function applyEventToItems(items: Map<string, Item>, seq: number, event: ConversationEvent, at?: number): void {
  switch (ITEM_EFFECT[event.event]) {
    case "none":
      return;
    case "retract":
      if (event.event === "task_retrying") retractItems(items, event.data.task_id, event.data.payload.since ?? 0);
      return;
    case "set":
    case "grow":
      setOrGrowItem(items, seq, event, at);
  }
}

function setOrGrowItem(items: Map<string, Item>, seq: number, event: ConversationEvent, at: number | undefined): void {
  const before = items.get(event.data.item_id);
  const item = buildItem(before, seq, event, at);
  if (ITEM_EFFECT[event.event] === "set")
    itemHistory.set(item, { seq, event, at, previous: before === undefined ? undefined : itemHistory.get(before) });
  items.set(item.item_id, item);
}

function buildItem(before: Item | undefined, seq: number, event: ConversationEvent, at: number | undefined): Item {
  const { data } = event;
  const payload: Record<string, unknown> = "payload" in data ? data.payload : {};
  const isGrowing = ITEM_EFFECT[event.event] === "grow";
  const text = isGrowing
    ? getItemText(before) + (typeof payload["content"] === "string" ? payload["content"] : "")
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
    payload: isGrowing ? { ...payload, content: text } : { ...before?.payload, ...payload },
    metadata: {
      ...before?.metadata,
      ...data.metadata,
      ...(event.event === "reasoning_completed" ? { finished: true } : {}),
    },
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
  };
}

/** Returns the text of a message or reasoning item; "" for undefined and for items without text. */
export function getItemText(item: Item | undefined): string {
  const content = item?.payload["content"];
  return typeof content === "string" ? content : "";
}

/** Removes the items with retracted events and rebuilds them from their remaining events, in the order of `seq`. */
function retractItems(items: Map<string, Item>, taskId: string, since: number): void {
  const isKept = (entry: { readonly task_id?: string | undefined }, seq: number) =>
    entry.task_id !== taskId || seq <= since;
  const remaining: ItemHistoryEntry[] = [];
  for (const [id, item] of items) {
    const events = [...readItemHistory(item)];
    const kept = events.filter(({ seq, event }) => isKept("task_id" in event.data ? event.data : {}, seq));
    if (events.length === 0 ? isKept(item, item.seq) : kept.length === events.length) continue;
    items.delete(id);
    remaining.push(...kept);
  }
  if (remaining.length === 0) return;
  for (const { seq, event, at } of remaining.toSorted((a, b) => a.seq - b.seq)) setOrGrowItem(items, seq, event, at);
  const inOrder = [...items].toSorted(([, a], [, b]) => a.seq - b.seq);
  items.clear();
  for (const [id, item] of inOrder) items.set(id, item);
}

function* readItemHistory(item: Item): Generator<ItemHistoryEntry> {
  for (let entry = itemHistory.get(item); entry !== undefined; entry = entry.previous) yield entry;
}
