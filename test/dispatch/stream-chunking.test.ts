// I31: a stream gives the same events wherever the network splits it, also inside characters.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { collect, createRequest, joinTextEvents } from "../agents/fixtures/local-agent.ts";
import { createCard, formatSse, workingTask, createTextUpdate } from "./fixtures/faulty-server.ts";
import { createTestDispatcher, createUrlAgent } from "./fixtures/test-dispatcher.ts";

const TEXTS = ["Zü", "rich 🌍", "\n想", "data: no\r\nevent", "end"];
const ENDED = { statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state: "TASK_STATE_COMPLETED" } } };

/** Contains carriage returns, comments, ids, and data on several lines. */
const stream = [
  `: hello\r\nid: 1\r\n${formatSse(workingTask).trimEnd()}\r\n\r\n`,
  ...TEXTS.map((text) => formatSse(createTextUpdate(text)).replace('"jsonrpc"', '\ndata: "jsonrpc"')),
  formatSse(ENDED).replaceAll("\n", "\r\n"),
].join("");
const bytes = new TextEncoder().encode(stream);

let pieces: Uint8Array[] = [];
beforeEach(() => {
  vi.stubGlobal("fetch", (_: unknown, init?: RequestInit) => {
    if (init?.method !== "POST") return Promise.resolve(Response.json(createCard("https://cut.dev/")));
    const left = [...pieces];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const { agents } = createTestDispatcher();
const agent = createUrlAgent("https://cut.dev/.well-known/agent-card.json");

async function readStream(cuts: readonly number[]): Promise<{ text: string; last: AgentEvent | undefined }> {
  const ends = [...cuts, bytes.length];
  pieces = ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
  const events = await collect(agents.run(agent, createRequest("go"), new AbortController().signal));
  return { text: joinTextEvents(events), last: events.at(-1) };
}

const EXPECTED = { text: TEXTS.join(""), last: { type: "completed" } };

test("[I31] reads the same text from a stream split at any byte", async () => {
  for (let at = 0; at <= bytes.length; at++) expect(await readStream([at]), `cut at byte ${at}`).toEqual(EXPECTED);
});

test("[I31] reads the same text from a stream split at every byte", async () => {
  expect(await readStream(Array.from({ length: bytes.length }, (_, i) => i))).toEqual(EXPECTED);
});
