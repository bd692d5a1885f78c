// A1: an unreachable, slow, silent, babbling or oversized agent ends in one failure with a reason, in time.

import { afterEach, describe, expect, test, vi } from "vitest";
import { createDispatcher } from "../../src/dispatch/dispatcher.ts";
import type { Agent, AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, like, requestFor, within } from "../agents/fixtures/local.ts";
import { badServer, FAULTS, LEGACY_CARD, ONLY_IN_1_0, type Answer, type BadServer } from "./fixtures/bad-server.ts";
import { PLAIN_CARD, PLAIN_FAULTS } from "./fixtures/plain-faults.ts";

const settings = parseSettings({
  ALLOW_PRIVATE_AGENTS: "1",
  AGENT_TIMEOUT_SECONDS: "1.5",
  AGENT_IDLE_SECONDS: "0.5",
  AGENT_MAX_BYTES: "1000000",
  AGENT_MAX_EVENTS: "500",
});

let server: BadServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function runOn(
  answer: Answer,
  card: Record<string, unknown> = {},
  signal = new AbortController().signal,
): Promise<AgentEvent[]> {
  server = await badServer(answer, card);
  return collect(start(server, signal));
}

/** On a server of its own, for those that wait side by side. */
async function runAlone(answer: Answer, card: Record<string, unknown> = {}): Promise<AgentEvent[]> {
  const own = await badServer(answer, card);
  try {
    return await collect(start(own, new AbortController().signal));
  } finally {
    await own.close();
  }
}

function start({ url }: BadServer, signal: AbortSignal): AsyncIterable<AgentEvent> {
  const agents = createDispatcher({
    bindings: {},
    userId: "user-1",
    hosted: async () => [],
    remote: async () => [],
    disabled: async () => new Set(),
    settings,
    report: () => undefined,
  });
  return agents.run(agentAt(url), requestFor("go"), signal);
}

function agentAt(url: string): Agent {
  const capabilities = { streaming: true, push_notifications: false };
  return {
    name: "bad",
    description: "",
    version: "1",
    skills: [],
    capabilities,
    planner_passthrough: false,
    hidden: false,
    source: "url",
    url,
    enabled: true,
  };
}

/** What A1 asks about: one failure, as the last word, with a code and a sentence that tells no secrets. */
function outcomeOf(events: readonly AgentEvent[]): unknown {
  const failures = events.filter((event) => event.type === "failed");
  return { failures, isLast: events.at(-1) === failures[0] };
}

function oneFailure(code: string): unknown {
  return { failures: [{ type: "failed", reason: like(/^(?!.*secret)\w.*(\.$|: \w)/), code }], isLast: true };
}

/** Those that keep us waiting do so side by side; the others need the time of this process. */
function testEach(faults: typeof FAULTS, check: (how: string, fault: (typeof FAULTS)[string]) => Promise<void>): void {
  const { waits = [], acts = [] } = Object.groupBy(Object.entries(faults), ([how]) =>
    /^(hangs|drips|never finishes)/.test(how) ? "waits" : "acts",
  );
  test.concurrent.each(waits)("A1: %s", check);
  test.each(acts)("A1: %s", check);
}

describe("a streaming agent that", () => {
  testEach(FAULTS, async (_how, { code, says = /./, answer }) => {
    const events = await within(5000, runAlone(answer));
    expect(outcomeOf(events)).toEqual(oneFailure(code));
    expect(events.at(-1)).toMatchObject({ reason: like(says) });
  });
});

describe("an agent without a stream that", () => {
  testEach(PLAIN_FAULTS, async (_how, { code, answer }) => {
    expect(outcomeOf(await within(5000, runAlone(answer, PLAIN_CARD)))).toEqual(oneFailure(code));
  });
});

describe("a 0.3 agent that", () => {
  const codes: Record<string, string> = {
    "answers nothing": "agent_protocol",
    "sends deep JSON as data": "agent_protocol",
  };
  const legacy = Object.fromEntries(Object.entries(FAULTS).filter(([how]) => !ONLY_IN_1_0.test(how)));
  testEach(legacy, async (how, { code, answer }) => {
    const events = await within(5000, runAlone(answer, LEGACY_CARD));
    // Streams that begin as 1.0 does are no A2A 0.3 from their first event on.
    const begins = /hangs in its body|drips|cut mid|promises more|never ends/.test(how);
    expect(outcomeOf(events)).toEqual(oneFailure(begins ? "agent_protocol" : (codes[how] ?? code)));
  });
});

test("A1: nobody listens at the address", async () => {
  const closed = await badServer(() => undefined);
  await closed.close();
  const events = await within(2000, collect(start(closed, new AbortController().signal)));
  expect(outcomeOf(events)).toEqual(oneFailure("agent_unreachable"));
});

test("A1: an address that must not be called is not called", async () => {
  const strict = parseSettings({});
  const options = {
    bindings: {},
    userId: "user-1",
    hosted: async () => [],
    remote: async () => [],
    disabled: async () => new Set<string>(),
    settings: strict,
    report: () => undefined,
  };
  server = await badServer(() => undefined);
  const events = await collect(
    createDispatcher(options).run(agentAt(server.url), requestFor("go"), new AbortController().signal),
  );
  expect(outcomeOf(events)).toEqual(oneFailure("agent_unreachable"));
  expect(server.methods).toEqual([]);
});

test("T5: leaving early closes the stream and tells the agent which task to stop", async () => {
  server = await badServer((response, _request, body) => {
    if (body.includes("CancelTask")) response.writeHead(200).end("{}");
    else FAULTS["hangs in its body"]?.answer(response, _request, body);
  });
  for await (const event of start(server, new AbortController().signal)) {
    expect(event).toEqual({ type: "accepted", remote_task_id: "t-1" });
    break;
  }
  await within(1000, server.closed);
  await vi.waitFor(() => expect(server?.methods).toEqual(["SendStreamingMessage", "CancelTask"]));
  expect(JSON.parse(server.bodies[1] ?? "")).toMatchObject({ params: { id: "t-1" } });
});

test("T5: aborting does the same, at once, with one failure as the last word", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const started = Date.now();
  const events = await runOn(
    (response, request, body) => {
      if (body.includes("CancelTask")) response.writeHead(200).end("{}");
      else FAULTS["hangs in its body"]?.answer(response, request, body);
    },
    {},
    stop.signal,
  );
  expect(events.map((event) => event.type)).toEqual(["accepted", "failed"]);
  expect(events.at(-1)).toMatchObject({ code: "agent_cancelled" });
  expect(Date.now() - started).toBeLessThan(450);
  await vi.waitFor(() => expect(server?.methods).toEqual(["SendStreamingMessage", "CancelTask"]));
});

test("T5: an agent that does not answer the cancellation does not hold us", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const started = Date.now();
  await runOn(
    (response, request, body) =>
      body.includes("CancelTask") ? undefined : FAULTS["hangs in its body"]?.answer(response, request, body),
    {},
    stop.signal,
  );
  expect(Date.now() - started).toBeLessThan(400);
});

test("an aborted signal before the start calls nobody", async () => {
  const events = await runOn(() => undefined, {}, AbortSignal.abort());
  expect(events).toMatchObject([{ type: "failed", code: "agent_cancelled" }]);
  expect(server?.methods).toEqual([]);
});

test("a slow reader of ours is not the agent's silence", async () => {
  server = await badServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { message } })}\n\n`);
  });
  const events: AgentEvent[] = [];
  for await (const event of start(server, new AbortController().signal)) {
    events.push(event);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(events.map((event) => event.type)).toEqual(["accepted", "text", "completed"]);
});
