// Threads of any course as runs of AG-UI: both clients take them, however often they break off, and fold to what is here.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inputOf } from "../../../src/http/agui/input.ts";
import { Run } from "../../../src/http/agui/run.ts";
import { messagesOf } from "../../../src/http/agui/transcript.ts";
import type { Frame } from "../../../src/protocol/events.ts";
import { shapeItems, type Item } from "../../../src/protocol/items.ts";
import {
  clientOf,
  typesOf,
  VERSIONS,
  type AgUiClient,
  type Said,
  type Told,
  type Version,
} from "../../e2e/protocols/agui-client.ts";

const THREAD = "th-1";
/** `AGUI_RUNS=5000` for a longer search. */
const RUNS = Number(process.env["AGUI_RUNS"] ?? 100);

/** What happens, before it has a number. */
type Happening = {
  readonly event: string;
  readonly task: number;
  readonly item: number;
  readonly text: string;
  readonly since: number;
};

const happening = fc.record({
  event: fc.constantFrom(
    "task_started",
    "message_chunk",
    "message_chunk",
    "message_chunk",
    "message",
    "reasoning_started",
    "reasoning",
    "reasoning_completed",
    "tool_call_started",
    "tool_call_completed",
    "component_generator",
    "task_retrying",
    "task_completed",
    "task_failed",
    "task_waiting",
    "verification_completed",
  ),
  task: fc.integer({ min: 0, max: 2 }),
  item: fc.integer({ min: 0, max: 2 }),
  text: fc.constantFrom("", "a", "words ", "中文", "\n", '{"x":1}'),
  since: fc.nat({ max: 30 }),
});

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

/** A call that came to its result does not begin again, unless it was taken back. */
function threadOf(happenings: readonly Happening[]): Frame[] {
  const frames: Frame[] = [begun];
  const items = new Map<string, Item>();
  for (const one of happenings) {
    const frame = frameOf(one, frames.length + 1);
    if (items.get(frame.data.item_id)?.event === "tool_call_completed") continue;
    shapeItems(items, frame.seq, frame);
    frames.push(frame);
  }
  return [...frames, doneAt(frames.length + 1)];
}

function itemsOf(frames: readonly Frame[]): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const frame of frames) shapeItems(items, frame.seq, frame);
  return items;
}

/**
 * What the client should have of a thread, but for its activities, which nothing removes. A message stands where there
 * was first something in it.
 */
function expected(frames: readonly Frame[]): unknown[] {
  const items = new Map<string, Item>();
  const since = new Map<string, number>();
  for (const frame of frames) {
    shapeItems(items, frame.seq, frame);
    for (const item of items.values())
      if (messagesOf(item).length > 0 && !since.has(item.item_id)) since.set(item.item_id, frame.seq);
    for (const id of since.keys()) if (!items.has(id)) since.delete(id);
  }
  const there = [...since.entries()].toSorted(([, a], [, b]) => a - b).map(([id]) => items.get(id));
  const said = there
    .filter((item) => item !== undefined)
    .slice(1)
    .flatMap(messagesOf);
  return said.filter(({ role }) => role !== "activity").map(shape);
}

function shape({ id, role, content = "", toolCalls }: Pick<Said, "id" | "role" | "content" | "toolCalls">): unknown {
  return { id, role, content, calls: toolCalls?.map(({ function: call }) => call) };
}

/** A client of a server that tells of `frames`, and breaks off after so many of them. */
function listening(version: Version, frames: () => readonly Frame[]): AgUiClient {
  const fetch = (_url: string, { body }: RequestInit): Promise<Response> => {
    const input = inputOf(JSON.parse(body as string));
    const run = new Run(input, { thread: THREAD, since: 1, isOwnAnswer: true }, input.messages);
    const events = [run.opening(), ...frames().map((frame) => run.hear(frame))].flat();
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
  };
  return clientOf(version, "http://orrery.invalid/agui", { fetch });
}

/** Hears a thread in runs that break off after so many frames each, and one to its end. A log may forget what was taken back. */
async function hear(version: Version, frames: readonly Frame[], cuts: readonly number[], forgets = false) {
  let told: readonly Frame[] = [];
  let reached = 0;
  const client = listening(version, () => told);
  const runs: Told[][] = [];
  const ends = [...cuts.map((cut) => 1 + (cut % (frames.length - 1))), frames.length];
  for (const [i, end] of ends.entries()) {
    const past = frames.slice(0, reached);
    const log = [...(forgets ? rememberedOf(past) : past), ...frames.slice(reached)];
    told = log.filter(({ seq }) => seq <= end);
    reached = Math.max(reached, end);
    runs.push(await client.run(i === 0 ? "Hi" : null, { runId: "run-1" }));
  }
  return { client, runs };
}

function agrees(client: AgUiClient, frames: readonly Frame[]): void {
  const said = client.messages.slice(1).filter(({ role }) => role !== "activity");
  // Clients keep their reasoning when nothing of it is left: then it is empty.
  const heard = said.filter(({ role, content }) => role !== "reasoning" || content !== "").map(shape);
  expect(heard).toEqual(expected(frames));
}

describe.each(VERSIONS)("the client %s", (version) => {
  test("hears any thread, in one piece or in several", { timeout: 60_000 }, async () => {
    const course = fc.tuple(
      fc.array(happening, { maxLength: 40 }),
      fc.array(fc.nat(60), { maxLength: 3 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(course, async ([all, cuts, forgets]) => {
        const frames = threadOf(all);
        const { client, runs } = await hear(version, frames, cuts, forgets);
        expect(typesOf(runs.at(-1) ?? []).at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
        agrees(client, withResults(frames));
      }),
      { numRuns: RUNS },
    );
  });

  test("hears what is left of a thread whose log has forgotten what was taken back", async () => {
    const thread = threadOf([
      happened("reasoning", 0, 0, "Hm. "),
      happened("message_chunk", 0, 0, "Kept. "),
      happened("message_chunk", 0, 1, "Lost. "),
      happened("tool_call_completed", 0, 1, "x"),
      { ...happened("task_retrying", 0, 0), since: 3 },
      happened("message_chunk", 0, 2, "Instead."),
    ]);
    // The retry is heard of in the second run, whose log begins without what it takes back.
    const left = thread.filter(({ seq }) => seq !== 4 && seq !== 5);
    let told = thread.slice(0, 5);
    const client = listening(version, () => told);
    await client.run("Hi", { runId: "run-1" });
    told = left;
    const runs = [await client.run(null, { runId: "run-1" })];
    expect(typesOf(runs.at(-1) ?? [])).toContain("MESSAGES_SNAPSHOT");
    agrees(client, thread);
  });

  test("is not left with calls to answer, nor with components or thoughts that were taken back", async () => {
    const thread = threadOf([
      happened("reasoning", 0, 0, "Hm. "),
      happened("tool_call_started", 0, 0, ""),
      happened("tool_call_started", 1, 0, ""),
      happened("component_generator", 0, 0, "shown"),
      happened("task_retrying", 0, 0),
    ]);
    const { client, runs } = await hear(version, thread, []);
    const results = runs.flat().filter(({ type }) => type === "TOOL_CALL_RESULT");
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(["tool_call-0-0", "tool_call-1-0"]);
    const activities = client.messages.filter(({ role }) => role === "activity");
    expect(activities.map(({ content }) => content)).toEqual([{ taken_back: true }]);
    expect(client.messages.filter(({ role }) => role === "reasoning").map(({ content }) => content)).toEqual([""]);
    expect(client.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).toEqual(["tool_call-1-0"]);
  });
});

function happened(event: string, task: number, item: number, text = ""): Happening {
  return { event, task, item, text, since: 0 };
}

/** Without what was taken back. */
function rememberedOf(frames: readonly Frame[]): Frame[] {
  const before = new Map<number, Item>();
  const items = new Map<string, Item>();
  for (const frame of frames) {
    shapeItems(items, frame.seq, frame);
    const item = items.get(frame.data.item_id);
    if (item !== undefined) before.set(frame.seq, item);
  }
  return frames.filter(({ seq, data }) => !before.has(seq) || items.get(data.item_id)?.seq === before.get(seq)?.seq);
}

/** Calls that never came to a result are told one all the same. */
function withResults(frames: readonly Frame[]): Frame[] {
  const calls = [...itemsOf(frames).values()].filter(({ event }) => event === "tool_call_started");
  const answers = calls.map(({ item_id, task_id, payload }, i) => {
    const result = {
      ...payload,
      tool_result: JSON.stringify([{ content: "There is no result: the work ended before it." }]),
    };
    const data = {
      conversation_id: "c",
      thread_id: THREAD,
      task_id,
      agent_name: "agent",
      role: "agent",
      item_id,
      payload: result,
    };
    return { seq: frames.length + 2 + i, event: "tool_call_completed", data } as unknown as Frame;
  });
  return [...frames, ...answers];
}
