// Coming back: from every number that was ever given out, on every door, and from numbers that never were.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { isDone, listenTo } from "../support/listener.ts";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { personAt } from "../support/person.ts";
import { plainSocket, type PlainSocket } from "../support/plain-socket.ts";
import { replayFaults } from "../support/replay.ts";
import { pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

/** `REPLAY_EVENTS=1000` for a longer log. */
const LOG_EVENTS = Number(process.env["REPLAY_EVENTS"] ?? 400);

let model: ModelServer;
let runtime: Runtime;
const opened: { close(): void }[] = [];

beforeAll(async () => {
  model = await startModelServer();
  // Readers that have left are noticed a little later on a busy machine.
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url, MAX_LISTENERS: "2000" } });
});
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

const newConversation = async (url: string) => (await createApi({ url }).createConversation()).conversation_id;

async function open(url: string, conversationId: string, after: number | string = 0): Promise<PlainSocket> {
  const socket = await plainSocket(url, conversationId, after);
  opened.push(socket);
  return socket;
}

const text = (count: number, mark = "w") => Array.from({ length: count }, (_, i) => `${mark}${i}é💥 `).join("");

function words(count: number, paceMs = 0): string {
  return `Tell ${model.act({ triage: { text: text(count), paceMs } })}`;
}

/** Three tasks, two of them side by side, with reasoning, tools and paragraphs that interrupt each other. */
function plan(): string {
  const part = (mark: string) =>
    model.act({
      "agent:assistant": [
        { reasoning: text(15, "r"), calls: [{ name: "calculate", arguments: { expression: "2+2" } }], paceMs: 2 },
        { text: text(60, mark), paceMs: 2 },
      ],
    });
  const briefs = [{ query: `A ${part("a")}` }, { query: `B ${part("b")}` }, { query: `C ${part("c")}`, after: ["t0"] }];
  const synthesis = { text: text(30, "s"), paceMs: 2 };
  return `Do ${model.act({ triage: handoff("needs_planning"), planner: planOf(...briefs), synthesis })}`;
}

/** What somebody with a plain socket has heard, event by event, as it was sent. */
function eventsOf({ texts }: PlainSocket): string[] {
  return texts.filter((one) => one.startsWith('{"seq":'));
}

describe("[I4] [I5] from every number on comes exactly what was sent after it, byte for byte", () => {
  test(`on every door, in a log of ${LOG_EVENTS} events`, async () => {
    const conversationId = await newConversation(runtime.url);
    const live = await open(runtime.url, conversationId);
    while (eventsOf(live).length < LOG_EVENTS) await say(live, plan());
    const sent = eventsOf(live);
    const last = sent.length;
    const path = `${runtime.url}/api/v1/conversations/${conversationId}/events`;
    for (let after = 0; after <= last; after++) {
      const { events } = (await (await fetch(`${path}?after=${after}&limit=10000`)).json()) as { events: Frame[] };
      expect(
        replayFaults(
          sent,
          after,
          events.map((event) => JSON.stringify(event)),
        ),
      ).toEqual([]);
    }
    for (let after = 0; after <= last; after += 9) {
      const back = await plainSocket(runtime.url, conversationId, after);
      await back.until((frame) => "type" in frame && frame.type === "caught_up");
      back.close();
      expect(replayFaults(sent, after, eventsOf(back))).toEqual([]);
    }
    for (let after = 0; after < last; after += 19) {
      const lines = await streamed(path, after, last);
      expect(replayFaults(sent, after, lines)).toEqual([]);
    }
  });

  test("while it goes on", async () => {
    const conversationId = await newConversation(runtime.url);
    const live = await open(runtime.url, conversationId);
    let isOver = false;
    const producing = (async () => {
      for (let i = 0; i < 3; i++) await say(live, plan());
      isOver = true;
    })();
    const backs: { after: number; socket: PlainSocket }[] = [];
    for (let i = 0; !isOver; i++) {
      const seen = eventsOf(live).length;
      const after = i % 3 === 0 ? seen : Math.floor((seen * (i % 7)) / 7);
      backs.push({ after, socket: await open(runtime.url, conversationId, after) });
    }
    await producing;
    const sent = eventsOf(live);
    expect(backs.length).toBeGreaterThan(20);
    for (const { after, socket } of backs) {
      await socket.until((frame) => "event" in frame && frame.seq === sent.length).catch(() => undefined);
      expect(replayFaults(sent, after, eventsOf(socket))).toEqual([]);
    }
  });

  test("which can fail", () => {
    const chunk = (seq: number, content: string) =>
      JSON.stringify({ seq, event: "message_chunk", data: { item_id: "i", payload: { content } } });
    const done = (seq: number) => JSON.stringify({ seq, event: "done", data: { item_id: "d" } });
    const sent = [chunk(1, "a"), chunk(2, "b"), chunk(3, "c"), done(4)];
    expect(replayFaults(sent, 1, [chunk(3, "bc"), done(4)])).toEqual([]);
    expect(replayFaults(sent, 1, [chunk(3, "c"), done(4)])).toHaveLength(1);
    expect(replayFaults(sent, 1, [chunk(3, "abc"), done(4)])).toHaveLength(1);
    expect(replayFaults(sent, 1, [chunk(3, "bc")])).toHaveLength(1);
    expect(replayFaults(sent, 1, [chunk(3, "bc"), done(4), done(4)])).toHaveLength(1);
    expect(replayFaults(sent, 1, [chunk(3, "bc"), done(4).replace("d", "e")])).toHaveLength(1);
    expect(replayFaults(sent, 0, [chunk(3, "bc"), done(4)])).toHaveLength(1);
  });
});

/** Says it and hears it to its end. */
async function say(socket: PlainSocket, message: string): Promise<void> {
  const id = crypto.randomUUID();
  socket.socket.send(JSON.stringify({ type: "send", id, message }));
  const ack = await socket.until((frame) => "type" in frame && frame.type === "ack" && frame.id === id);
  const threadId = "type" in ack && ack.type === "ack" ? ack.thread_id : undefined;
  await socket.until((frame) => "event" in frame && isDone(threadId)(frame));
}

/** The data of an event stream that comes back after a number, up to another. */
async function streamed(path: string, after: number, last: number): Promise<string[]> {
  const stop = new AbortController();
  const headers = { accept: "text/event-stream", "last-event-id": String(after) };
  const response = await fetch(path, { headers, signal: stop.signal });
  let heard = "";
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    heard += piece;
    if (heard.includes(`id: ${last}\n`) && heard.endsWith("\n\n")) break;
  }
  stop.abort();
  return heard.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
}

describe("[I4] whoever comes back with a number that never was is told to start over", () => {
  const never = async (url: string) => {
    const person = personAt(url);
    const { conversationId, frames } = await person.say(words(5));
    return { person, conversationId, last: frames.at(-1)?.seq ?? 0 };
  };

  test("on a socket, by an error and a close code", async () => {
    const { conversationId, last } = await never(runtime.url);
    for (const after of [last + 1, 999_999_999_999_999]) {
      const { frames, closed } = await open(runtime.url, conversationId, after);
      expect(await closed).toMatchObject({ code: 4409 });
      expect(frames).toMatchObject([{ type: "error", code: "seq_unknown", field: "after" }]);
    }
    const { until } = await open(runtime.url, conversationId, last);
    expect(await until((frame) => "type" in frame && frame.type === "caught_up")).toMatchObject({ seq: last });
  });

  test("on a page and on a stream, by a problem", async () => {
    const { person, conversationId, last } = await never(runtime.url);
    const path = `/api/v1/conversations/${conversationId}/events`;
    const sse = { accept: "text/event-stream" };
    for (const after of [last + 1, 999_999_999_999_999]) {
      for (const response of [
        await person.request("GET", `${path}?after=${after}`),
        await person.request("GET", `${path}?after=${after}`, undefined, sse),
        await person.request("GET", path, undefined, { ...sse, "last-event-id": String(after) }),
      ]) {
        expect([response.status, await response.json()]).toMatchObject([409, { code: "seq_unknown", field: "after" }]);
      }
    }
    expect(await person.get(`${path}?after=${last}`)).toEqual({ events: [], next: last });
  });

  test.each(["-1", "NaN", "1.5", "1e3", "Infinity", String(2 ** 53), "9".repeat(400), "0x1", "%00"])(
    "what is no number is refused as such: %s",
    async (after) => {
      const { person, conversationId } = await never(runtime.url);
      const path = `/api/v1/conversations/${conversationId}/events`;
      const sse = { accept: "text/event-stream" };
      await expect(open(runtime.url, conversationId, after)).rejects.toMatchObject({
        code: "invalid_request",
        field: "after",
      });
      const problem = { code: "invalid_request", field: "after" };
      expect(await (await person.request("GET", `${path}?after=${after}`)).json()).toMatchObject(problem);
      expect(await (await person.request("GET", `${path}?after=${after}`, undefined, sse)).json()).toMatchObject(
        problem,
      );
      const id = { ...sse, "last-event-id": after };
      expect(await (await person.request("GET", path, undefined, id)).json()).toMatchObject({
        code: "invalid_request",
      });
    },
  );

  test("a client does so by itself when its conversation was deleted and begun anew", async () => {
    const person = personAt(runtime.url);
    const conversation_id = "begun-anew";
    const begin = (message: string) => person.request("POST", "/api/v1/messages", { conversation_id, message });
    await begin(words(200));
    let resets = 0;
    const listener = listenTo({
      url: runtime.url,
      conversationId: conversation_id,
      timing: { pingEveryMs: 200 },
      onReset: () => void (resets += 1),
    });
    opened.push(listener);
    await listener.until(({ event }) => event === "done");
    expect((await person.request("DELETE", `/api/v1/conversations/${conversation_id}`)).status).toBe(200);
    await begin(words(2));
    // The object is awake: it leaves closed sockets half open.
    await expect.poll(() => resets).toBe(1);
    await expect.poll(async () => (await person.history(conversation_id)).at(-1)?.event).toBe("done");
    const log = await person.history(conversation_id);
    await listener.hasSeen(log.at(-1)?.seq ?? 0);
    expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
    expect(listener.line.view.threads).toHaveLength(1);
  });
});

test("[L1] [I4] who saw an open paragraph before its host died comes back without starting over", async () => {
  const own = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  try {
    const conversationId = await newConversation(own.url);
    let resets = 0;
    const listener = listenTo({ url: own.url, conversationId, onReset: () => void (resets += 1) });
    opened.push(listener);
    const { thread_id } = await listener.line.send(words(300, 5));
    await listener.until(({ event, seq }) => event === "message_chunk" && seq > 20);
    await own.kill();
    const seen = listener.line.view.seq;
    await own.restart();
    await listener.until(isDone(thread_id));
    const log = await personAt(own.url).history(conversationId);
    expect(seen).toBeGreaterThan(20);
    expect(resets).toBe(0);
    await listener.hasSeen(log.at(-1)?.seq ?? 0);
    expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
  } finally {
    await own.stop();
  }
});
