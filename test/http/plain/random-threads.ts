// Random threads: what agents emit and retract, in any order.

import * as fc from "fast-check";
import type { ThreadRecord } from "../../../src/durable/conversation-api.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../../src/protocol/wire/items.ts";

export const THREAD = `th-${"1".repeat(32)}`;

/** An event without its number. */
export type ThreadStep = {
  readonly event: string;
  readonly task: number;
  readonly item: number;
  readonly text: string;
  readonly since: number;
};

const TEXTS = ["", "a", "words ", "中文", "\n", '{"x":1}'];

/** Generates one of `events`, with so few tasks and items that they collide. */
function createStepArbitrary(events: readonly string[], limits: { readonly position: number; readonly since: number }) {
  const position = fc.nat({ max: limits.position });
  const text = fc.constantFrom(...TEXTS);
  return fc.record({
    event: fc.constantFrom(...events),
    task: position,
    item: position,
    text,
    since: fc.nat(limits.since),
  });
}

const CONTENT_EVENTS = [
  "message_chunk",
  "reasoning",
  "tool_call_started",
  "tool_call_completed",
  "component_generator",
];
const OTHER_EVENTS = [
  "task_started",
  "message",
  "reasoning_started",
  "reasoning_completed",
  "task_completed",
  "task_failed",
];
const ALL_EVENTS = [
  ...CONTENT_EVENTS,
  ...OTHER_EVENTS,
  "message_chunk",
  "message_chunk",
  "task_waiting",
  "verification_completed",
];

/** Threads with events of all kinds. */
export const longThreads: fc.Arbitrary<ThreadStep[]> = fc.array(
  createStepArbitrary([...ALL_EVENTS, "task_retrying"], { position: 2, since: 30 }),
  {
    maxLength: 40,
  },
);
/** Threads in which the same few items are emitted and retracted repeatedly. */
export const denseThreads: fc.Arbitrary<ThreadStep[]> = fc.array(
  createStepArbitrary([...CONTENT_EVENTS, "task_retrying", "task_retrying"], { position: 0, since: 8 }),
  { maxLength: 10, size: "max" },
);
export const randomThreads = fc.oneof(longThreads, denseThreads);

function createFrame({ event, task, item, text, since }: ThreadStep, seq: number): Frame {
  const task_id = `task-${task}`;
  const family = event.replace(/_(started|completed)$/, "").replace("message_chunk", "text");
  const data = { conversation_id: "c", thread_id: THREAD, task_id, agent_name: "agent", role: "agent" };
  // A call has one result, also in random threads.
  const item_id = /^(text|reasoning|tool_call|component_generator)$/.test(family)
    ? `${family}-${task}-${item}`
    : `${event}-${seq}`;
  return { seq, event, data: { ...data, item_id, ...createPayload(event, item_id, text, since) } } as unknown as Frame;
}

function createPayload(event: string, id: string, text: string, since: number): object {
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

const STARTED_FRAME = {
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

function createDoneFrame(seq: number): Frame {
  return { seq, event: "done", data: { conversation_id: "c", thread_id: THREAD, role: "system", item_id: "done" } };
}

/**
 * Numbers the steps. A completed call does not start again unless it was retracted, and a paragraph never starts
 * again.
 */
export function createThread(happenings: readonly ThreadStep[]): Frame[] {
  const frames: Frame[] = [STARTED_FRAME];
  const items = new Map<string, Item>();
  const paragraphs = new Set<string>();
  for (const step of happenings) {
    const frame = createFrame(step, frames.length + 1);
    const { item_id: id } = frame.data;
    if (items.get(id)?.event === "tool_call_completed") continue;
    if (paragraphs.has(id) && !items.has(id)) continue;
    if (frame.event === "message_chunk" || frame.event === "reasoning") paragraphs.add(id);
    applyEventToItems(items, frame.seq, frame);
    frames.push(frame);
  }
  return [...frames, createDoneFrame(frames.length + 1)];
}

/** Returns the thread as a record from storage. */
export function createRecord(frames: readonly Frame[]): ThreadRecord {
  return { thread_id: THREAD, seq: 1, last_seq: frames.length, updated_at: 1, frames: [...frames], commands: [] };
}
