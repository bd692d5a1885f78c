// Lines that break. Whoever comes back sees what one who never left sees (L2).

import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import type { ConnectOptions } from "../../src/client/connect.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { SocketConstructor } from "../../src/client/live-socket.ts";
import { frailLineTo } from "../support/frail-line.ts";
import { isDone, listenTo, type Listener } from "../support/listener.ts";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { personAt, type Person } from "../support/person.ts";
import { between, randomFrom } from "../support/random.ts";
import { breachesIn, pictureFrom, pictureOf, reusedNumbers } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

const SEEDS = [20_261_121, 20_261_122, 20_261_123];
const LOSSES = 100;

let model: ModelServer;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Node's own, as the client sees it. */
const Socket = WebSocket as unknown as SocketConstructor;

const words = (count: number, mark = "w") => Array.from({ length: count }, (_, i) => `${mark}${i} `).join("");

function paragraph(): string {
  return `Tell ${model.act({ triage: { reasoning: words(20, "r"), text: words(150), paceMs: 5 } })}`;
}

function plan(): string {
  const part = (mark: string) =>
    model.act({
      "agent:assistant": [
        { text: words(30, mark), calls: [{ name: "calculate", arguments: { expression: "2+2" } }], paceMs: 5 },
        { text: words(40, mark), paceMs: 5 },
      ],
    });
  const briefs = [{ query: `A ${part("a")}` }, { query: `B ${part("b")}` }, { query: `C ${part("c")}`, after: ["t0"] }];
  const synthesis = { text: words(30, "s"), paceMs: 5 };
  return `Do ${model.act({ triage: handoff("needs_planning"), planner: planOf(...briefs), synthesis })}`;
}

async function newConversation(): Promise<string> {
  return (await createApi({ url: runtime.url }).createConversation()).conversation_id;
}

function listen(options: Partial<ConnectOptions> & { readonly conversationId: string }): Listener {
  const listener = listenTo({ url: runtime.url, ...options });
  onTestFinished(() => listener.close());
  return listener;
}

test.each(SEEDS)(`[L1] [L2] [I4] ${LOSSES} lost lines at random moments leave the same picture (%d)`, async (seed) => {
  const random = randomFrom(seed);
  const frail = await frailLineTo(runtime.url, () => ({
    bytes: between(random, 0, 20_000),
    ms: between(random, 10, 90),
  }));
  onTestFinished(() => frail.close());
  const conversations = await Promise.all([newConversation(), newConversation(), newConversation()]);
  const listeners = conversations.flatMap((conversationId) =>
    [1, 2].map(() => ({ conversationId, listener: listen({ conversationId, url: frail.url }) })),
  );
  const losses = () => listeners.reduce((total, { listener }) => total + listener.losses, 0);
  for (let round = 0; losses() < LOSSES; round++) {
    await Promise.all(
      listeners.map(async ({ listener }, i) => {
        const { thread_id } = await listener.line.send((round + i) % 2 === 0 ? paragraph() : plan());
        await listener.until(isDone(thread_id));
      }),
    );
  }
  frail.mend();
  frail.breakAll();
  const logs = new Map(await Promise.all(conversations.map(async (id) => [id, await person.history(id)] as const)));
  for (const { conversationId, listener } of listeners) {
    const log = logs.get(conversationId) ?? [];
    expect(breachesIn(log)).toEqual([]);
    await listener.hasSeen(log.at(-1)?.seq ?? 0);
    expect(pictureOf(listener.line.view)).toEqual(pictureFrom(log));
    expect(pictureFrom(listener.heard)).toEqual(pictureFrom(log));
    const numbers = listener.events.map(({ frame }) => frame.seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  }
  for (const id of conversations) {
    const seen = listeners
      .filter(({ conversationId }) => conversationId === id)
      .flatMap(({ listener }) => listener.events);
    expect(reusedNumbers([...seen.map(({ frame }) => frame), ...(logs.get(id) ?? [])])).toEqual([]);
  }
});

test("[L2] [I4] from every number on, what follows completes the picture", async () => {
  const conversationId = await newConversation();
  const listener = listen({ conversationId });
  const { thread_id } = await listener.line.send(plan());
  await listener.until(isDone(thread_id));
  const live = listener.events.map(({ frame }) => frame);
  const whole = pictureFrom(live);
  const last = live.at(-1)?.seq ?? 0;
  expect(live.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
  for (let after = 0; after <= last; after++) {
    const path = `/api/v1/conversations/${conversationId}/events?after=${after}`;
    const { events } = await person.get<{ events: typeof live }>(path);
    expect(pictureFrom([...live.slice(0, after), ...events])).toEqual(whole);
  }
});

test("[F13] [L2] whoever joins while a paragraph is open sees all of it, on a socket and over SSE", async () => {
  const conversationId = await newConversation();
  const first = listen({ conversationId });
  const { thread_id } = await first.line.send(paragraph());
  await first.until(({ event }) => event === "message_chunk");
  const late = listen({ conversationId });
  const stop = new AbortController();
  const stream = await fetch(`${runtime.url}/api/v1/conversations/${conversationId}/events`, {
    headers: { accept: "text/event-stream", "last-event-id": "0" },
    signal: stop.signal,
  });
  await Promise.all([first.until(isDone(thread_id)), late.until(isDone(thread_id))]);
  let text = "";
  for await (const piece of (stream.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes('"event":"done"')) break;
  }
  stop.abort();
  const log = pictureFrom(await person.history(conversationId));
  expect(pictureFrom(first.heard)).toEqual(log);
  expect(pictureFrom(late.heard)).toEqual(log);
  const frames = text.split("\n").filter((line) => line.startsWith("data: "));
  expect(
    pictureFrom(frames.map((line) => JSON.parse(line.slice(6)) as (typeof first.events)[number]["frame"])),
  ).toEqual(log);
});

test("[F13] work goes on when everybody has left, and is there afterwards", async () => {
  const conversationId = await newConversation();
  const listener = listen({ conversationId });
  const { thread_id } = await listener.line.send(plan());
  await listener.until(({ event }) => event === "task_started");
  listener.close();
  const back = listen({ conversationId });
  await back.until(isDone(thread_id));
  expect(breachesIn(await person.history(conversationId))).toEqual([]);
  expect(pictureFrom(back.heard)).toEqual(pictureFrom(await person.history(conversationId)));
});

test.each(["-1", "NaN", "1e3", "9007199254740993", "x"])("[I4] a socket after %s is refused", async (after) => {
  const conversationId = await newConversation();
  const address = `${runtime.url.replace("http", "ws")}/api/v1/conversations/${conversationId}/ws?after=${after}`;
  const socket = new Socket(address);
  const outcome = await new Promise((resolve) => {
    socket.onopen = () => resolve("open");
    socket.onclose = socket.onerror = () => resolve("refused");
  });
  expect(outcome).toBe("refused");
  const response = await person.request("GET", `/api/v1/conversations/${conversationId}/events?after=${after}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_request", field: "after" });
});

describe("the comparison can fail", () => {
  /** Always asks for everything, whatever the client has: as if `after` did not exist. */
  class Forgetful extends Socket {
    constructor(url: string) {
      const address = new URL(url);
      address.searchParams.set("after", "0");
      super(address.href);
    }
  }

  test.each([
    { client: "the client", kind: Socket, isRight: true },
    { client: "a client that forgets where it was", kind: Forgetful, isRight: false },
  ])("$client, away in the middle of a paragraph, is right: $isRight", async ({ kind, isRight }) => {
    const frail = await frailLineTo(runtime.url, () => null);
    onTestFinished(() => frail.close());
    const conversationId = await newConversation();
    const away = { backoff: { minMs: 300, maxMs: 300 } };
    const listener = listen({ conversationId, url: frail.url, WebSocket: kind, timing: away });
    const { thread_id } = await listener.line.send(paragraph());
    // The first chunk is always replayed alone; from the second on, what is replayed has to be cut in the right place.
    let chunks = 0;
    await listener.until(({ event }) => event === "message_chunk" && ++chunks === 3);
    frail.breakAll();
    await listener.until(isDone(thread_id));
    const log = await person.history(conversationId);
    await listener.hasSeen(log.at(-1)?.seq ?? 0);
    const isSame = isDeepStrictEqual(pictureOf(listener.line.view), pictureFrom(log));
    expect(listener.losses).toBe(1);
    expect(isSame).toBe(isRight);
  });
});

test("[L2] history that is read in pages is the same history", async () => {
  const conversationId = await newConversation();
  const listener = listen({ conversationId });
  const { thread_id } = await listener.line.send(plan());
  await listener.until(isDone(thread_id));
  for (const limit of [1, 2, 3, 7]) {
    const frames: Frame[] = [];
    for (let after = 0; ;) {
      const path = `/api/v1/conversations/${conversationId}/events?after=${after}&limit=${limit}`;
      const page = await person.get<{ events: Frame[]; next: number }>(path);
      if (page.events.length === 0) break;
      frames.push(...page.events);
      after = page.next;
    }
    expect(pictureFrom(frames)).toEqual(pictureFrom(listener.heard));
  }
});
