// One Orrery as the agent of another: the events that the outer runtime keeps equal the history of the inner one.

import { SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { A2ATranslator } from "../../../src/dispatch/a2a-translator.ts";
import type { A2ARequestContext } from "../../../src/http/a2a/a2a-request-context.ts";
import { streamMessage } from "../../../src/http/a2a/send-message.ts";
import { computeThreadState, buildTask } from "../../../src/http/a2a/task-snapshot.ts";
import { A2AEncoder } from "../../../src/http/a2a/a2a-encoder.ts";
import { EVENTS_EXTENSION } from "../../../src/protocol/agents/a2a-extension.ts";
import type { AgentEvent } from "../../../src/protocol/agents/agent.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import { applyEventToItems, getItemText, type Item } from "../../../src/protocol/wire/items.ts";
import { randomThreads, createRecord, THREAD, createThread, type ThreadStep } from "./random-threads.ts";
import { pickByLength } from "../../support/run-length.ts";

const TASK_SCOPE = { contextId: "c", taskId: `c.${THREAD}` };
const RUNS = pickByLength(120, 5_000);

/** Lists the numbered pieces of a text, to compare which of them are present and how often. */
const listPieces = (text: string): string[] => (text.match(/<\d+>/g) ?? []).toSorted();

type KeptContent = { text: string; reasoning: string; notes: string; calls: object; components: object };

/** Returns the content that the outer runtime keeps of the events of its agent. */
function computeKept(events: readonly AgentEvent[]): KeptContent {
  const retractedAt = events.findLastIndex(({ type }) => type === "retracted");
  const remaining = events.slice(retractedAt + 1);
  const join = (type: "text" | "reasoning" | "notification") =>
    remaining.map((event) => (event.type === type ? event.text : "")).join("");
  const calls = remaining.flatMap((event): [string, unknown][] => {
    if (event.type === "tool_started") return [[event.call_id, null]];
    return event.type === "tool_completed" ? [[event.call_id, event.result]] : [];
  });
  const components = remaining.flatMap((event): [string, unknown][] =>
    event.type === "component" ? [[event.component_id ?? "", event.content]] : [],
  );
  return {
    text: join("text"),
    reasoning: join("reasoning"),
    notes: join("notification"),
    calls: Object.fromEntries(calls),
    components: Object.fromEntries(components),
  };
}

function foldItems(frames: readonly Frame[]): Item[] {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return [...items.values()];
}

/** Returns the same content of the history of the inner runtime. */
function computeHistory(frames: readonly Frame[]): KeptContent {
  const items = foldItems(frames);
  const join = (name: string) => items.map((item) => (item.event === name ? getItemText(item) : "")).join("");
  const calls = items.flatMap(({ event, payload }): [string, unknown][] => {
    if (event === "tool_call_started") return [[String(payload["tool_call_id"]), null]];
    return event === "tool_call_completed" ? [[String(payload["tool_call_id"]), "found"]] : [];
  });
  const components = items.flatMap((item): [string, unknown][] =>
    item.event === "component_generator" ? [[item.item_id, getItemText(item)]] : [],
  );
  return {
    text: join("message_chunk"),
    reasoning: join("reasoning"),
    notes: join("message"),
    calls: Object.fromEntries(calls),
    components: Object.fromEntries(components),
  };
}

const toPieces = ({ text, reasoning, notes, ...rest }: KeptContent) => ({
  text: listPieces(text),
  reasoning: listPieces(reasoning),
  notes: listPieces(notes),
  ...rest,
});

function markText(frame: Frame): Frame {
  if (!/^(message|message_chunk|reasoning)$/.test(frame.event)) return frame;
  return { ...frame, data: { ...frame.data, payload: { content: `<${frame.seq}>` } } } as unknown as Frame;
}

/** Encodes and decodes responses as on the wire. */
function roundTrip(responses: readonly StreamResponse[]): StreamResponse[] {
  return responses.map((response) =>
    StreamResponse.fromJSON(JSON.parse(JSON.stringify(StreamResponse.toJSON(response)))),
  );
}

function createStep(event: string, text = "", since = 0): ThreadStep {
  return { event, task: 0, item: since, text, since };
}

test("[L2] a retracted and repeated text is kept once", () => {
  const frames = createThread([
    createStep("message_chunk", "Half a"),
    createStep("task_retrying"),
    { ...createStep("message_chunk", "Half a loaf."), item: 1 },
  ]);
  const encoder = new A2AEncoder(TASK_SCOPE, true);
  const translator = new A2ATranslator("c");
  const events = frames.flatMap((frame) => translator.translate(roundTrip(encoder.encode(frame))));
  expect(computeKept(events).text).toBe("Half a loaf.");
  expect(events).toContainEqual({ type: "retracted", reason: "Again." });
});

test("[L2] an outer runtime keeps the same content as the inner one, whatever that emits and retracts", () => {
  const turns = fc.tuple(randomThreads, fc.nat(40));
  fc.assert(
    fc.property(turns, ([all, cut]) => {
      const frames = createThread(all).map(markText);
      const [fromStart, fromSnapshot] = [createOuter(), createOuter()];
      const knownFrames = frames.slice(0, cut);
      // A subscription to a task that asks ends at once.
      const isAsking = computeThreadState(createRecord(knownFrames)).status === "input_required";
      fromSnapshot.applySnapshot(knownFrames);
      for (const [i, frame] of frames.entries()) {
        const expected = toPieces(computeHistory(frames.slice(0, i + 1)));
        expect(fromStart.applyFrame(frame), `after ${frame.seq}`).toEqual(expected);
        const { text, components } = fromSnapshot.applyFrame(frame);
        if (i >= cut && !isAsking)
          expect({ text, components }, `joined, after ${frame.seq}`).toEqual({
            text: expected.text,
            components: expected.components,
          });
      }
    }),
    { numRuns: RUNS },
  );
});

/** Creates an outer runtime that follows a thread from its start or from a snapshot. */
function createOuter() {
  const encoder = new A2AEncoder(TASK_SCOPE, true);
  const translator = new A2ATranslator("c");
  const events: AgentEvent[] = [];
  const receive = (responses: StreamResponse[]) => void events.push(...translator.translate(roundTrip(responses)));
  return {
    applySnapshot(frames: readonly Frame[]) {
      encoder.applyKnown(frames);
      if (frames.length === 0) return;
      receive([{ payload: { $case: "task", value: buildTask("c", createRecord(frames), { usesExtension: true }) } }]);
    },
    applyFrame(frame: Frame) {
      receive(encoder.encode(frame));
      return toPieces(computeKept(events));
    },
  };
}

/** Collects the events of the outer runtime for a message at `seq` to a conversation with these frames. */
async function collectEvents(frames: readonly Frame[], seq: number, taskId = ""): Promise<AgentEvent[]> {
  const accepted = { conversation_id: "c", thread_id: THREAD, seq, is_first: false };
  const operations = {
    start: async () => accepted,
    resume: async () => accepted,
    getThread: async () => ({
      thread_id: THREAD,
      seq: 1,
      last_seq: 1,
      updated_at: 1,
      frames,
      commands: [{ id: "m", seq }],
    }),
    follow: async ({ query: { after } }: { query: { after: number } }) => {
      const lines = frames.filter((frame) => frame.seq > after).map((frame) => `${JSON.stringify(frame)}\n`);
      return new Response(lines.join("")).body;
    },
  };
  const context = {
    operations,
    agent: null,
    dialect: "1.0",
    usesExtension: true,
    expiresAt: null,
    disconnectSignal: new AbortController().signal,
  };
  const message = {
    messageId: "m",
    taskId,
    role: "ROLE_USER",
    parts: [{ text: "20" }],
    extensions: [EVENTS_EXTENSION],
  };
  const batches = streamMessage(context as unknown as A2ARequestContext, SendMessageRequest.fromJSON({ message }));
  const translator = new A2ATranslator("c");
  const events: AgentEvent[] = [];
  for (;;) {
    const { done, value } = await batches.next();
    events.push(...translator.translate(roundTrip(value)));
    if (done === true) return events;
  }
}

describe("a message of an outer runtime", () => {
  const answeredFrames = createThread([
    createStep("message_chunk", "Looked."),
    { ...createStep("task_waiting"), task: 1 },
    createStep("message", "20"),
    { ...createStep("message_chunk", "Paid."), item: 1 },
    createStep("component_generator", "paid"),
  ]).map((frame) => (frame.event === "message" ? { ...frame, data: { ...frame.data, role: "user" } } : frame) as Frame);

  test("[L2] that answers a question returns the events after it, and no earlier ones", async () => {
    const events = await collectEvents(answeredFrames, 4, TASK_SCOPE.taskId);
    expect(computeKept(events).text).toBe("Paid.");
    expect(events[0]).toEqual({ type: "accepted", remote_task_id: TASK_SCOPE.taskId });
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("[L2] [T2] that is repeated returns all events so far, also those without a place in A2A", async () => {
    const steps = [
      createStep("reasoning", "Hm."),
      createStep("component_generator", "old"),
      createStep("message_chunk", "Half a"),
      createStep("tool_call_started"),
      createStep("component_generator", "new"),
      createStep("task_retrying", "", 3),
    ];
    const frames = createThread(steps);
    expect(computeKept(await collectEvents(frames, 1))).toEqual(computeHistory(frames));
  });
});
