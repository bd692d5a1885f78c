// An Orrery as the agent of another one: what the outer one is told comes to what the history of the inner one says.

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
import { course, recordOf, THREAD, threadOf, type Happening } from "./course.ts";

const PLACE = { contextId: "c", taskId: `c.${THREAD}` };
/** `A2A_RUNS=5000` for a longer search. */
const RUNS = Number(process.env["A2A_RUNS"] ?? 200);

/** Words that tell pieces apart: which of them stand, and how often. */
const piecesIn = (text: string): string[] => (text.match(/<\d+>/g) ?? []).toSorted();

type Kept = { text: string; reasoning: string; notes: string; calls: object; components: object };

/** What the outer one keeps of what its agent says. */
function keptOf(events: readonly AgentEvent[]): Kept {
  const back = events.findLastIndex(({ type }) => type === "retracted");
  const left = events.slice(back + 1);
  const join = (type: "text" | "reasoning" | "notification") =>
    left.map((event) => (event.type === type ? event.text : "")).join("");
  const calls = left.flatMap((event): [string, unknown][] => {
    if (event.type === "tool_started") return [[event.call_id, null]];
    return event.type === "tool_completed" ? [[event.call_id, event.result]] : [];
  });
  const components = left.flatMap((event): [string, unknown][] =>
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

function itemsOf(frames: readonly Frame[]): Item[] {
  const items = new Map<string, Item>();
  for (const frame of frames) applyEventToItems(items, frame.seq, frame);
  return [...items.values()];
}

/** The same of the inner one's history. */
function saidIn(frames: readonly Frame[]): Kept {
  const items = itemsOf(frames);
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

const inPieces = ({ text, reasoning, notes, ...rest }: Kept) => ({
  text: piecesIn(text),
  reasoning: piecesIn(reasoning),
  notes: piecesIn(notes),
  ...rest,
});

function marked(frame: Frame): Frame {
  if (!/^(message|message_chunk|reasoning)$/.test(frame.event)) return frame;
  return { ...frame, data: { ...frame.data, payload: { content: `<${frame.seq}>` } } } as unknown as Frame;
}

/** What goes over the line. */
function wire(responses: readonly StreamResponse[]): StreamResponse[] {
  return responses.map((told) => StreamResponse.fromJSON(JSON.parse(JSON.stringify(StreamResponse.toJSON(told)))));
}

function happened(event: string, text = "", since = 0): Happening {
  return { event, task: 0, item: since, text, since };
}

test("[L2] both halves of a text that was taken back and said again are not kept", () => {
  const frames = threadOf([
    happened("message_chunk", "Half a"),
    happened("task_retrying"),
    { ...happened("message_chunk", "Half a loaf."), item: 1 },
  ]);
  const telling = new A2AEncoder(PLACE, true);
  const translation = new A2ATranslator("c");
  const events = frames.flatMap((frame) => translation.translate(wire(telling.encode(frame))));
  expect(keptOf(events).text).toBe("Half a loaf.");
  expect(events).toContainEqual({ type: "retracted", reason: "Again." });
});

test("[L2] an outer runtime keeps what the inner one keeps, whatever that says and takes back", () => {
  const told = fc.tuple(course, fc.nat(40));
  fc.assert(
    fc.property(told, ([all, cut]) => {
      const frames = threadOf(all).map(marked);
      const [begun, joined] = [outer(), outer()];
      const known = frames.slice(0, cut);
      // A task that asks is at its end for whoever looks at it.
      const isAsking = computeThreadState(recordOf(known)).status === "input_required";
      joined.join(known);
      for (const [i, frame] of frames.entries()) {
        const said = inPieces(saidIn(frames.slice(0, i + 1)));
        expect(begun.hear(frame), `after ${frame.seq}`).toEqual(said);
        const { text, components } = joined.hear(frame);
        if (i >= cut && !isAsking)
          expect({ text, components }, `joined, after ${frame.seq}`).toEqual({
            text: said.text,
            components: said.components,
          });
      }
    }),
    { numRuns: RUNS },
  );
});

/** Hears a thread of another, from its beginning or from how it stands. */
function outer() {
  const telling = new A2AEncoder(PLACE, true);
  const translation = new A2ATranslator("c");
  const events: AgentEvent[] = [];
  const hear = (responses: StreamResponse[]) => void events.push(...translation.translate(wire(responses)));
  return {
    join(frames: readonly Frame[]) {
      telling.applyKnown(frames);
      if (frames.length === 0) return;
      hear([{ payload: { $case: "task", value: buildTask("c", recordOf(frames), { usesExtension: true }) } }]);
    },
    hear(frame: Frame) {
      hear(telling.encode(frame));
      return inPieces(keptOf(events));
    },
  };
}

/** What the outer one hears of a message at `seq` to a conversation that stands as `frames` when it looks. */
async function heard(frames: readonly Frame[], seq: number, taskId = ""): Promise<AgentEvent[]> {
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
    follow: async (_: string, after: number) => {
      const lines = frames.filter((frame) => frame.seq > after).map((frame) => `${JSON.stringify(frame)}\n`);
      return new Response(lines.join("")).body;
    },
  };
  const desk = {
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
  const portions = streamMessage(desk as unknown as A2ARequestContext, SendMessageRequest.fromJSON({ message }));
  const translation = new A2ATranslator("c");
  const events: AgentEvent[] = [];
  for (;;) {
    const { done, value } = await portions.next();
    events.push(...translation.translate(wire(value)));
    if (done === true) return events;
  }
}

describe("a message of an outer runtime", () => {
  const answered = threadOf([
    happened("message_chunk", "Looked."),
    { ...happened("task_waiting"), task: 1 },
    happened("message", "20"),
    { ...happened("message_chunk", "Paid."), item: 1 },
    happened("component_generator", "paid"),
  ]).map((frame) => (frame.event === "message" ? { ...frame, data: { ...frame.data, role: "user" } } : frame) as Frame);

  test("[L2] that answers brings what comes after it, and nothing that was told before", async () => {
    const events = await heard(answered, 4, PLACE.taskId);
    expect(keptOf(events).text).toBe("Paid.");
    expect(events[0]).toEqual({ type: "accepted", remote_task_id: PLACE.taskId });
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("[L2] [T2] that comes again brings all that has come of it, whatever A2A has no place for", async () => {
    const course = [
      happened("reasoning", "Hm."),
      happened("component_generator", "old"),
      happened("message_chunk", "Half a"),
      happened("tool_call_started"),
      happened("component_generator", "new"),
      happened("task_retrying", "", 3),
    ];
    const frames = threadOf(course);
    expect(keptOf(await heard(frames, 1))).toEqual(saidIn(frames));
  });
});
