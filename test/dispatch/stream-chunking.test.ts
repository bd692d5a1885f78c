// I31: what an agent streams reads the same wherever the network cuts it, inside characters too.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createDispatcher } from "../../src/dispatch/dispatcher.ts";
import type { Agent, AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, requestFor, textOf } from "../agents/fixtures/local.ts";
import { between, randomFrom } from "../support/random.ts";
import { cardAt, sse, task, words } from "./fixtures/bad-server.ts";

const SEED = 20_261_121;
const RANDOM_SPLITS = 1_000;
const SAID = ["Zü", "rich 🌍", "\n想", "data: no\r\nevent", "end"];
const ENDED = { statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state: "TASK_STATE_COMPLETED" } } };

/** With carriage returns, comments, ids, and data over several lines. */
const stream = [
  `: hello\r\nid: 1\r\n${sse(task).trimEnd()}\r\n\r\n`,
  ...SAID.map((text) => sse(words(text)).replace('"jsonrpc"', '\ndata: "jsonrpc"')),
  sse(ENDED).replaceAll("\n", "\r\n"),
].join("");
const bytes = new TextEncoder().encode(stream);

let pieces: Uint8Array[] = [];
beforeEach(() => {
  vi.stubGlobal("fetch", (_: unknown, init?: RequestInit) => {
    if (init?.method !== "POST") return Promise.resolve(Response.json(cardAt("https://cut.dev/")));
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

const agents = createDispatcher({
  bindings: {},
  userId: "user-1",
  hosted: async () => [],
  remote: async () => [],
  disabled: async () => new Set(),
  settings: parseSettings({}),
  report: () => undefined,
});
const agent: Agent = {
  name: "cut",
  description: "",
  version: "1",
  skills: [],
  capabilities: { streaming: true, push_notifications: false },
  planner_passthrough: false,
  hidden: false,
  source: "url",
  url: "https://cut.dev/.well-known/agent-card.json",
  enabled: true,
};

async function heard(cuts: readonly number[]): Promise<{ text: string; last: AgentEvent | undefined }> {
  const ends = [...cuts, bytes.length];
  pieces = ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end));
  const events = await collect(agents.run(agent, requestFor("go"), new AbortController().signal));
  return { text: textOf(events), last: events.at(-1) };
}

const whole = { text: SAID.join(""), last: { type: "completed" } };

test("[I31] cut in two, anywhere", async () => {
  for (let at = 0; at <= bytes.length; at++) expect(await heard([at]), `cut at byte ${at}`).toEqual(whole);
});

test("[I31] byte by byte", async () => {
  expect(await heard(Array.from({ length: bytes.length }, (_, i) => i))).toEqual(whole);
});

test(`[I31] ${RANDOM_SPLITS} times at random`, async () => {
  const random = randomFrom(SEED);
  for (let round = 0; round < RANDOM_SPLITS; round++) {
    const count = between(random, 1, 40);
    const cuts = Array.from({ length: count }, () => between(random, 0, bytes.length)).toSorted((a, b) => a - b);
    expect(await heard(cuts), `cut at ${cuts.join()}`).toEqual(whole);
  }
});
