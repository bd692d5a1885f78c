// [L1] [L2] A reader that returns after any event receives each later event once, in order and as it was first sent,
// through any door that has a cursor. Events are numbered from 1 without gaps.

import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { ApiUser } from "../support/api-user.ts";
import { findReplayFaults } from "../support/check-replay.ts";
import { findViolations } from "../support/invariants.ts";
import { pickByLength } from "../support/run-length.ts";
import { signToken } from "../http/tokens.ts";
import { callRpc, createConversation, openSocket, request } from "./doors.ts";
import { createUser, scriptAnswer, scriptPlan, startContractSetup, type Setup } from "./setup.ts";

const WORDS = Array.from({ length: 40 }, (_, i) => `w${i}é💥`).join(" ");
/** HTTP replays from every event, the other doors from every n-th. */
const STRIDE = pickByLength(7, 1);

let setup: Setup;
let ada: { readonly name: string; readonly api: ApiUser };

beforeAll(async () => {
  setup = await startContractSetup();
  ada = await createUser(setup, "ada");
});

const getEventsPath = (conversation: string) => `/api/v1/conversations/${conversation}/events`;

/** Reads lines of a body until one has the number `last`, and then disconnects. */
async function readUntil(response: Response, last: number, stop: AbortController): Promise<string[]> {
  const lines: string[] = [];
  let rest = "";
  for await (const piece of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map((line) => line.replace(/^data: /, "")).filter((line) => line.startsWith('{"seq":')));
    if (lines.some((line) => isLine(line, last))) break;
  }
  stop.abort();
  return lines;
}

async function fetchStream(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  expect(response.status).toBe(200);
  return response;
}

const isLine = (line: string, seq: number) => line.startsWith(`{"seq":${seq},`);

/** Opens a socket. Resolves with the growing list of the events that it receives, as text, and with its end. */
async function listen(conversation: string, after: number | string) {
  const socket = await openSocket(setup, ada.name, conversation, after);
  if (typeof socket === "string") throw new Error(socket);
  const lines: string[] = [];
  const errors: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    if (String(data).startsWith('{"seq":')) lines.push(String(data));
    else if (String(data).includes('"type":"error"')) errors.push(String(data));
  });
  const closed = new Promise<string>((resolve) => {
    for (const event of ["close", "error"] as const)
      socket.addEventListener(event, () => resolve(errors.join() || "refused"));
  });
  return { lines, closed, close: () => socket.close() };
}

/** Resolves with the events after `after` up to `last`, as text. */
type Reader = (conversation: string, after: number, last: number) => Promise<readonly string[]>;

const READERS: Readonly<Record<string, Reader>> = {
  HTTP: async (conversation, after) => {
    const { text } = await request(setup, ada.name, "GET", `${getEventsPath(conversation)}?after=${after}&limit=10000`);
    return (JSON.parse(text) as { events: Frame[] }).events.map((event) => JSON.stringify(event));
  },
  "pages of HTTP": async (conversation, after) => {
    const lines: string[] = [];
    for (let cursor = after; ;) {
      const path = `${getEventsPath(conversation)}?after=${cursor}&limit=${1 + (after % 7)}`;
      const { text } = await request(setup, ada.name, "GET", path);
      const { events, next } = JSON.parse(text) as { events: Frame[]; next: number };
      if (events.length === 0) return lines;
      lines.push(...events.map((event) => JSON.stringify(event)));
      cursor = next;
    }
  },
  SSE: async (conversation, after, last) => {
    const stop = new AbortController();
    const authorization = `Bearer ${await signToken({ sub: ada.name })}`;
    const headers = { accept: "text/event-stream", "last-event-id": String(after), authorization };
    const path = setup.runtime.url + getEventsPath(conversation);
    return readUntil(await fetchStream(path, { headers, signal: stop.signal }), last, stop);
  },
  socket: async (conversation, after, last) => {
    const { lines, close } = await listen(conversation, after);
    await vi.waitFor(() => expect(lines.some((line) => isLine(line, last))).toBe(true), 10_000);
    close();
    return lines;
  },
  "RPC events": async (conversation, after) => {
    const { value } = JSON.parse(await callRpc(setup, "events", [ada.name, conversation, after, 10_000])) as {
      value: { events: Frame[] };
    };
    return value.events.map((event) => JSON.stringify(event));
  },
  "RPC follow": async (conversation, after, last) => {
    const stop = new AbortController();
    const body = JSON.stringify([ada.name, conversation, after]);
    const init = { method: "POST", body, signal: stop.signal };
    return readUntil(await fetchStream(`${setup.runtime.getUrl("caller")}/follow`, init), last, stop);
  },
};

describe("[L1] [L2] [I4] [I5] a replay", () => {
  let conversation: string;
  /** The events that a socket received while they were published. */
  let sent: readonly string[];

  beforeAll(async () => {
    conversation = await createConversation(setup, ada.name);
    const live = await listen(conversation, 0);
    for (const { message } of [scriptPlan(setup, WORDS, 3), scriptAnswer(setup, WORDS, 20)])
      await ada.api.sendAndWait(message, { conversation });
    const last = (await ada.api.history(conversation)).at(-1)?.seq ?? 0;
    await vi.waitFor(() => expect(live.lines.some((line) => isLine(line, last))).toBe(true), 10_000);
    live.close();
    sent = live.lines;
  });

  test("starts at 1, has no gaps and violates no invariant", () => {
    const frames = sent.map((line) => JSON.parse(line) as Frame);
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, i) => i + 1));
    expect(frames.length).toBeGreaterThan(30);
    expect(findViolations(frames)).toEqual([]);
  });

  test.each(Object.entries(READERS))(
    "over %s equals the events that were sent, after any of them",
    async (name, read) => {
      for (let after = 0; after < sent.length; after += name === "HTTP" ? 1 : STRIDE) {
        const replayed = await read(conversation, after, sent.length);
        expect(findReplayFaults(sent, after, replayed)).toEqual([]);
      }
    },
  );

  /** Reads with a cursor of any form. Resolves with the text of the refusal. */
  const CURSORS: Readonly<Record<string, (after: string) => Promise<string>>> = {
    HTTP: async (after) =>
      (await request(setup, ada.name, "GET", `${getEventsPath(conversation)}?after=${after}`)).text,
    SSE: async (after) => {
      const headers = { accept: "text/event-stream" };
      const path = `${getEventsPath(conversation)}?after=${after}`;
      return (await request(setup, ada.name, "GET", path, undefined, headers)).text;
    },
    "Last-Event-ID": async (after) => {
      const headers = { accept: "text/event-stream", "last-event-id": decodeURIComponent(after) };
      return (await request(setup, ada.name, "GET", getEventsPath(conversation), undefined, headers)).text;
    },
    socket: async (after) => (await listen(conversation, after)).closed,
    RPC: (after) => callRpc(setup, "events", [ada.name, conversation, Number(after)]),
    "RPC follow": (after) => callRpc(setup, "follow", [ada.name, conversation, Number(after)]),
  };

  test.each(Object.entries(CURSORS))("over %s is refused after an event that does not exist", async (_, read) => {
    for (const after of [sent.length + 1, 999_999_999_999_999])
      expect(await read(String(after))).toContain('"code":"seq_unknown"');
  });

  test.each(Object.entries(CURSORS))("over %s is refused after something that is no number", async (_, read) => {
    for (const after of ["-1", "NaN", "1.5", "Infinity", String(2 ** 53), "9".repeat(400)])
      expect(await read(after), after).toMatch(/^refused$|"code":"invalid_request"/);
  });
});
