// Threads of any course as runs of AG-UI: both clients take them, however often they break off, and fold to what is here.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRunInput } from "../../../src/http/agui/run-input.ts";
import { RunEncoder } from "../../../src/http/agui/run-encoder.ts";
import { toMessages } from "../../../src/http/agui/agui-messages.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../../src/protocol/wire/items.ts";
import {
  clientOf,
  typesOf,
  VERSIONS,
  type AgUiClient,
  type Said,
  type Told,
  type Version,
} from "../../e2e/protocols/agui-client.ts";
import { crowded, long, THREAD, threadOf, type Happening } from "./course.ts";

/** `AGUI_RUNS=5000` for a longer search. */
const RUNS = Number(process.env["AGUI_RUNS"] ?? 100);

function itemsOf(frames: readonly Frame[]): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return items;
}

/**
 * What the client should have of a thread, but for its activities, which nothing removes. A message stands where there
 * was first something in it.
 */
function expected(frames: readonly Frame[]): Shape[] {
  const items = new Map<string, Item>();
  const since = new Map<string, number>();
  for (const frame of frames) {
    applyEventToItems(items, frame.seq, frame);
    for (const item of items.values())
      if (toMessages(item).length > 0 && !since.has(item.item_id)) since.set(item.item_id, frame.seq);
    for (const id of since.keys()) if (!items.has(id)) since.delete(id);
  }
  const there = [...since.entries()].toSorted(([, a], [, b]) => a - b).map(([id]) => items.get(id));
  const said = there
    .filter((item) => item !== undefined)
    .slice(1)
    .flatMap(toMessages);
  return said.filter(({ role }) => role !== "activity").map(shape);
}

type Shape = { readonly id: string } & Readonly<Record<string, unknown>>;

function shape({ id, role, content = "", toolCalls }: Pick<Said, "id" | "role" | "content" | "toolCalls">): Shape {
  return { id, role, content, calls: toolCalls?.map(({ function: call }) => call) };
}

/** A client of a server that tells of `frames`, and breaks off after so many of them. */
function listening(version: Version, frames: () => readonly Frame[]): AgUiClient {
  const fetch = (_url: string, { body }: RequestInit): Promise<Response> => {
    const input = parseRunInput(JSON.parse(body as string));
    const run = new RunEncoder(input, { thread: THREAD, since: 1, isOwnAnswer: true }, input.messages);
    const events = [run.encodeOpening(), ...frames().map((frame) => run.encode(frame))].flat();
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

function heardBy(client: AgUiClient): Shape[] {
  const said = client.messages.slice(1).filter(({ role }) => role !== "activity");
  // Clients keep their reasoning when nothing of it is left: then it is empty.
  return said.filter(({ role, content }) => role !== "reasoning" || content !== "").map(shape);
}

function agrees(client: AgUiClient, frames: readonly Frame[]): void {
  expect(heardBy(client)).toEqual(expected(frames));
}

function byId(shapes: readonly Shape[]): Shape[] {
  return shapes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A log that has forgotten a component cannot take it out. */
function agreesInActivities(client: AgUiClient, frames: readonly Frame[]): void {
  const there = client.messages.filter(({ role, content }) => role === "activity" && !isTakenBack(content));
  const components = [...itemsOf(frames).values()].filter(({ event }) => event === "component_generator");
  const contents = components.flatMap(toMessages).map(({ id, content }) => [id, content]);
  expect(Object.fromEntries(there.map(({ id, content }) => [id, content]))).toEqual(Object.fromEntries(contents));
}

function isTakenBack(content: unknown): boolean {
  return typeof content === "object" && content !== null && "taken_back" in content;
}

describe.each(VERSIONS)("the client %s", (version) => {
  test("hears any thread, in one piece or in several", { timeout: 60_000 }, async () => {
    const told = fc.tuple(long, fc.array(fc.nat(60), { maxLength: 3 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(told, async ([all, cuts, forgets]) => {
        const frames = threadOf(all);
        const { client, runs } = await hear(version, frames, cuts, forgets);
        expect(typesOf(runs.at(-1) ?? []).at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
        agrees(client, withResults(frames));
        if (!forgets) agreesInActivities(client, frames);
      }),
      { numRuns: RUNS },
    );
  });

  test(
    "[L2] has what the history says, however often the same is said and taken back",
    { timeout: 60_000 },
    async () => {
      const told = fc.tuple(crowded, fc.array(fc.nat(20), { maxLength: 1 }));
      await fc.assert(
        fc.asyncProperty(told, async ([all, cuts]) => {
          const frames = threadOf(all);
          const { client } = await hear(version, frames, cuts);
          agreesInActivities(client, frames);
          // What came again under its id stands where it did, or at the end, if it was heard of in several pieces.
          if (cuts.length === 0) agrees(client, withResults(frames));
          else expect(byId(heardBy(client))).toEqual(byId(expected(withResults(frames))));
        }),
        { numRuns: RUNS },
      );
    },
  );

  test("hears what is left of a thread whose log has forgotten what was taken back", async () => {
    const thread = threadOf([
      happened("reasoning", 0, 0, "Hm. "),
      happened("message_chunk", 0, 0, "Kept. "),
      happened("message_chunk", 0, 1, "Lost. "),
      happened("tool_call_completed", 0, 1, "x"),
      happened("task_retrying", 0, 0, "", 3),
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

  test("[L2] has a component and a call again as they were before what was taken back", async () => {
    const thoughtBetter = [
      happened("component_generator", 0, 0, "old"),
      happened("tool_call_started", 0, 0, "{}"),
      happened("component_generator", 0, 0, "new"),
      happened("component_generator", 0, 1, "new"),
      happened("tool_call_completed", 0, 0, "{}"),
      happened("task_retrying", 0, 0, "", 3),
    ];
    for (const more of [[], [happened("tool_call_completed", 0, 0, "{}")]]) {
      const thread = threadOf([...thoughtBetter, ...more]);
      const { client } = await hear(version, thread, []);
      agreesInActivities(client, thread);
      agrees(client, withResults(thread));
    }
  });
});

function happened(event: string, task: number, item: number, text = "", since = 0): Happening {
  return { event, task, item, text, since };
}

/** Without what was taken back. */
function rememberedOf(frames: readonly Frame[]): Frame[] {
  const before = new Map<number, Item>();
  const items = new Map<string, Item>();
  for (const frame of frames) {
    applyEventToItems(items, frame.seq, frame);
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
