// Random threads as AG-UI runs: both client versions accept them, also with interruptions, and fold them to the
// history.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRunInput } from "../../../src/http/agui/run-input.ts";
import { RunEncoder } from "../../../src/http/agui/run-encoder.ts";
import { toMessages } from "../../../src/http/agui/agui-messages.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, type Item } from "../../../src/protocol/wire/items.ts";
import {
  createAgUiClient,
  listTypes,
  VERSIONS,
  type AgUiClient,
  type AgUiMessage,
  type AgUiEvent,
  type Version,
} from "../../e2e/protocols/agui-client.ts";
import { denseThreads, longThreads, THREAD, createThread, type ThreadStep } from "./random-threads.ts";
import { pickByLength } from "../../support/run-length.ts";

const RUNS = pickByLength(60, 5_000);

function foldItems(frames: readonly Frame[]): Map<string, Item> {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return items;
}

/**
 * Returns the messages that a client should have of a thread, except activities, which nothing removes. The order is
 * that of the first content of each message.
 */
function computeExpected(frames: readonly Frame[]): MessageShape[] {
  const items = new Map<string, Item>();
  const firstSeq = new Map<string, number>();
  for (const frame of frames) {
    applyEventToItems(items, frame.seq, frame);
    for (const item of items.values())
      if (toMessages(item).length > 0 && !firstSeq.has(item.item_id)) firstSeq.set(item.item_id, frame.seq);
    for (const id of firstSeq.keys()) if (!items.has(id)) firstSeq.delete(id);
  }
  const ordered = [...firstSeq.entries()].toSorted(([, a], [, b]) => a - b).map(([id]) => items.get(id));
  const messages = ordered
    .filter((item) => item !== undefined)
    .slice(1)
    .flatMap(toMessages);
  return messages.filter(({ role }) => role !== "activity").map(toShape);
}

type MessageShape = { readonly id: string } & Readonly<Record<string, unknown>>;

function toShape({
  id,
  role,
  content = "",
  toolCalls,
}: Pick<AgUiMessage, "id" | "role" | "content" | "toolCalls">): MessageShape {
  return { id, role, content, calls: toolCalls?.map(({ function: call }) => call) };
}

/** Creates a client of a server that sends the current `frames`. */
function createRunClient(version: Version, frames: () => readonly Frame[]): AgUiClient {
  const fetch = (_url: string, { body }: RequestInit): Promise<Response> => {
    const input = parseRunInput(JSON.parse(body as string));
    const run = new RunEncoder(input, { thread: THREAD, since: 1, isOwnAnswer: true }, input.messages);
    const events = [run.encodeOpening(), ...frames().map((frame) => run.encode(frame))].flat();
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }));
  };
  return createAgUiClient(version, "http://orrery.invalid/agui", { fetch });
}

/**
 * Runs a thread in runs that break off after the given numbers of frames, and one to its end. With `forgets`, the log
 * omits retracted events.
 */
async function runThread(version: Version, frames: readonly Frame[], cuts: readonly number[], forgets = false) {
  let sent: readonly Frame[] = [];
  let reached = 0;
  const client = createRunClient(version, () => sent);
  const runs: AgUiEvent[][] = [];
  const ends = [...cuts.map((cut) => 1 + (cut % (frames.length - 1))), frames.length];
  for (const [i, end] of ends.entries()) {
    const past = frames.slice(0, reached);
    const log = [...(forgets ? omitRetracted(past) : past), ...frames.slice(reached)];
    sent = log.filter(({ seq }) => seq <= end);
    reached = Math.max(reached, end);
    runs.push(await client.run(i === 0 ? "Hi" : null, { runId: "run-1" }));
  }
  return { client, runs };
}

function listShapes(client: AgUiClient): MessageShape[] {
  const messages = client.messages.slice(1).filter(({ role }) => role !== "activity");
  // Clients keep retracted reasoning as an empty message.
  return messages.filter(({ role, content }) => role !== "reasoning" || content !== "").map(toShape);
}

function expectMessages(client: AgUiClient, frames: readonly Frame[]): void {
  expect(listShapes(client)).toEqual(computeExpected(frames));
}

function sortById(shapes: readonly MessageShape[]): MessageShape[] {
  return shapes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Retracted components can only be removed by a log that still contains them. */
function expectActivities(client: AgUiClient, frames: readonly Frame[]): void {
  const activities = client.messages.filter(({ role, content }) => role === "activity" && !isRetracted(content));
  const components = [...foldItems(frames).values()].filter(({ event }) => event === "component_generator");
  const contents = components.flatMap(toMessages).map(({ id, content }) => [id, content]);
  expect(Object.fromEntries(activities.map(({ id, content }) => [id, content]))).toEqual(Object.fromEntries(contents));
}

function isRetracted(content: unknown): boolean {
  return typeof content === "object" && content !== null && "taken_back" in content;
}

describe.each(VERSIONS)("the AG-UI client %s", (version) => {
  test("receives any thread, in one run or several", { timeout: 60_000 }, async () => {
    const turns = fc.tuple(longThreads, fc.array(fc.nat(60), { maxLength: 3 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(turns, async ([all, cuts, forgets]) => {
        const frames = createThread(all);
        const { client, runs } = await runThread(version, frames, cuts, forgets);
        expect(listTypes(runs.at(-1) ?? []).at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
        expectMessages(client, addResults(frames));
        if (!forgets) expectActivities(client, frames);
      }),
      { numRuns: RUNS },
    );
  });

  test(
    "[L2] has the content of the history, however often the same items are emitted and retracted",
    { timeout: 60_000 },
    async () => {
      const turns = fc.tuple(denseThreads, fc.array(fc.nat(20), { maxLength: 1 }));
      await fc.assert(
        fc.asyncProperty(turns, async ([all, cuts]) => {
          const frames = createThread(all);
          const { client } = await runThread(version, frames, cuts);
          expectActivities(client, frames);
          // With several runs, a repeated item stands at its old place or at the end.
          if (cuts.length === 0) expectMessages(client, addResults(frames));
          else expect(sortById(listShapes(client))).toEqual(sortById(computeExpected(addResults(frames))));
        }),
        { numRuns: RUNS },
      );
    },
  );

  test("receives the rest of a thread whose log omits retracted events", async () => {
    const thread = createThread([
      createStep("reasoning", 0, 0, "Hm. "),
      createStep("message_chunk", 0, 0, "Kept. "),
      createStep("message_chunk", 0, 1, "Lost. "),
      createStep("tool_call_completed", 0, 1, "x"),
      createStep("task_retrying", 0, 0, "", 3),
      createStep("message_chunk", 0, 2, "Instead."),
    ]);
    // The retry arrives in the second run, whose log starts without the events that it retracts.
    const remaining = thread.filter(({ seq }) => seq !== 4 && seq !== 5);
    let sent = thread.slice(0, 5);
    const client = createRunClient(version, () => sent);
    await client.run("Hi", { runId: "run-1" });
    sent = remaining;
    const runs = [await client.run(null, { runId: "run-1" })];
    expect(listTypes(runs.at(-1) ?? [])).toContain("MESSAGES_SNAPSHOT");
    expectMessages(client, thread);
  });

  test("has no unanswered calls, and no retracted components or reasoning", async () => {
    const thread = createThread([
      createStep("reasoning", 0, 0, "Hm. "),
      createStep("tool_call_started", 0, 0, ""),
      createStep("tool_call_started", 1, 0, ""),
      createStep("component_generator", 0, 0, "shown"),
      createStep("task_retrying", 0, 0),
    ]);
    const { client, runs } = await runThread(version, thread, []);
    const results = runs.flat().filter(({ type }) => type === "TOOL_CALL_RESULT");
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(["tool_call-0-0", "tool_call-1-0"]);
    const activities = client.messages.filter(({ role }) => role === "activity");
    expect(activities.map(({ content }) => content)).toEqual([{ taken_back: true }]);
    expect(client.messages.filter(({ role }) => role === "reasoning").map(({ content }) => content)).toEqual([""]);
    expect(client.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).toEqual(["tool_call-1-0"]);
  });

  test("[L2] has a component and a call as they were before the retracted events", async () => {
    const retracting = [
      createStep("component_generator", 0, 0, "old"),
      createStep("tool_call_started", 0, 0, "{}"),
      createStep("component_generator", 0, 0, "new"),
      createStep("component_generator", 0, 1, "new"),
      createStep("tool_call_completed", 0, 0, "{}"),
      createStep("task_retrying", 0, 0, "", 3),
    ];
    for (const more of [[], [createStep("tool_call_completed", 0, 0, "{}")]]) {
      const thread = createThread([...retracting, ...more]);
      const { client } = await runThread(version, thread, []);
      expectActivities(client, thread);
      expectMessages(client, addResults(thread));
    }
  });
});

function createStep(event: string, task: number, item: number, text = "", since = 0): ThreadStep {
  return { event, task, item, text, since };
}

/** Omits retracted events. */
function omitRetracted(frames: readonly Frame[]): Frame[] {
  const before = new Map<number, Item>();
  const items = new Map<string, Item>();
  for (const frame of frames) {
    applyEventToItems(items, frame.seq, frame);
    const item = items.get(frame.data.item_id);
    if (item !== undefined) before.set(frame.seq, item);
  }
  return frames.filter(({ seq, data }) => !before.has(seq) || items.get(data.item_id)?.seq === before.get(seq)?.seq);
}

/** Adds results for calls that have none, as the encoder does. */
function addResults(frames: readonly Frame[]): Frame[] {
  const calls = [...foldItems(frames).values()].filter(({ event }) => event === "tool_call_started");
  const answers = calls.map(({ item_id, task_id, payload }, i) => {
    const result = {
      ...payload,
      tool_result: JSON.stringify([{ content: "No result: the work ended early." }]),
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
