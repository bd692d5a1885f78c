// Threads of any course: what agents say and take back, in any order.

import * as fc from "fast-check";
import type { ThreadRecord } from "../../../src/durable/conversation-api.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../../src/protocol/wire/items.ts";

export const THREAD = `th-${"1".repeat(32)}`;

/** What happens, before it has a number. */
export type Happening = {
  readonly event: string;
  readonly task: number;
  readonly item: number;
  readonly text: string;
  readonly since: number;
};

const TEXTS = ["", "a", "words ", "中文", "\n", '{"x":1}'];

/** One of `events`, of few enough tasks and items that they meet. */
function happeningOf(events: readonly string[], most: { readonly place: number; readonly since: number }) {
  const place = fc.nat({ max: most.place });
  const text = fc.constantFrom(...TEXTS);
  return fc.record({ event: fc.constantFrom(...events), task: place, item: place, text, since: fc.nat(most.since) });
}

const SAID = ["message_chunk", "reasoning", "tool_call_started", "tool_call_completed", "component_generator"];
const OTHERS = ["task_started", "message", "reasoning_started", "reasoning_completed", "task_completed", "task_failed"];
const ANY = [...SAID, ...OTHERS, "message_chunk", "message_chunk", "task_waiting", "verification_completed"];

/** Of all kinds. */
export const long: fc.Arbitrary<Happening[]> = fc.array(
  happeningOf([...ANY, "task_retrying"], { place: 2, since: 30 }),
  {
    maxLength: 40,
  },
);
/** In which the same few things are said and taken back again and again. */
export const crowded: fc.Arbitrary<Happening[]> = fc.array(
  happeningOf([...SAID, "task_retrying", "task_retrying"], { place: 0, since: 8 }),
  { maxLength: 10, size: "max" },
);
export const course = fc.oneof(long, crowded);

function frameOf({ event, task, item, text, since }: Happening, seq: number): Frame {
  const task_id = `task-${task}`;
  const family = event.replace(/_(started|completed)$/, "").replace("message_chunk", "text");
  const data = { conversation_id: "c", thread_id: THREAD, task_id, agent_name: "agent", role: "agent" };
  // A call has one result, whatever else is odd.
  const item_id = /^(text|reasoning|tool_call|component_generator)$/.test(family)
    ? `${family}-${task}-${item}`
    : `${event}-${seq}`;
  return { seq, event, data: { ...data, item_id, ...payloadOf(event, item_id, text, since) } } as unknown as Frame;
}

function payloadOf(event: string, id: string, text: string, since: number): object {
  const call = { tool_call_id: id, tool_name: "look", ...(text === "" ? {} : { tool_arguments: '{"x":1}' }) };
  switch (event) {
    case "tool_call_started":
      return { payload: call };
    case "tool_call_completed":
      return { payload: { ...call, tool_result: JSON.stringify([{ content: "found" }]) } };
    case "component_generator":
      return { payload: { component_type: "page", content: JSON.stringify({ text }) } };
    case "task_retrying":
      return { payload: { content: "Again.", attempt: 2, ...(since === 0 ? {} : { since }) } };
    case "task_waiting":
      return { payload: { content: `Which? ${text}`, request_id: "req-1" } };
    case "verification_completed":
      return { payload: { summary: "Fine.", results: [] } };
    case "task_started":
    case "task_completed":
    case "reasoning_started":
    case "reasoning_completed":
      return {};
    default:
      return { payload: { content: text } };
  }
}

const begun = {
  seq: 1,
  event: "thread_started",
  data: {
    conversation_id: "c",
    thread_id: THREAD,
    task_id: "ask",
    item_id: "said",
    role: "user",
    payload: { content: "Hi" },
  },
} as Frame;

function doneAt(seq: number): Frame {
  return { seq, event: "done", data: { conversation_id: "c", thread_id: THREAD, role: "system", item_id: "done" } };
}

/** A call that came to its result does not begin again, unless it was taken back; a paragraph never does. */
export function threadOf(happenings: readonly Happening[]): Frame[] {
  const frames: Frame[] = [begun];
  const items = new Map<string, Item>();
  const paragraphs = new Set<string>();
  for (const one of happenings) {
    const frame = frameOf(one, frames.length + 1);
    const { item_id: id } = frame.data;
    if (items.get(id)?.event === "tool_call_completed") continue;
    if (paragraphs.has(id) && !items.has(id)) continue;
    if (frame.event === "message_chunk" || frame.event === "reasoning") paragraphs.add(id);
    applyEventToItems(items, frame.seq, frame);
    frames.push(frame);
  }
  return [...frames, doneAt(frames.length + 1)];
}

/** A thread as it is read from storage. */
export function recordOf(frames: readonly Frame[]): ThreadRecord {
  return { thread_id: THREAD, seq: 1, last_seq: frames.length, updated_at: 1, frames: [...frames], commands: [] };
}
