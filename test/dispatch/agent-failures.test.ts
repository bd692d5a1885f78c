// A1: an unreachable, slow, silent, endless or oversized agent ends in exactly one failure with a reason, in time.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { collect, stringLike, createRequest, rejectAfter } from "../agents/fixtures/local-agent.ts";
import { startFaultyServer, type AnswerHandler, type FaultyServer } from "./fixtures/faulty-server.ts";
import { FAULTS, LEGACY_CARD, ONLY_IN_1_0 } from "./fixtures/streaming-faults.ts";
import { UNARY_CARD, UNARY_FAULTS } from "./fixtures/unary-faults.ts";
import { createTestDispatcher, createUrlAgent } from "./fixtures/test-dispatcher.ts";

const settings = parseSettings({
  ALLOW_PRIVATE_AGENTS: "1",
  AGENT_TIMEOUT_SECONDS: "1.5",
  AGENT_IDLE_SECONDS: "0.5",
  AGENT_MAX_BYTES: "1000000",
  AGENT_MAX_EVENTS: "500",
});

const never = new AbortController().signal;
let server: FaultyServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function runWithServer(
  answer: AnswerHandler,
  card: Record<string, unknown> = {},
  signal = never,
): Promise<AgentEvent[]> {
  server = await startFaultyServer(answer, card);
  return collect(start(server, signal));
}

/** Runs on a separate server, for tests that run concurrently. */
async function runOnOwnServer(answer: AnswerHandler, card: Record<string, unknown> = {}): Promise<AgentEvent[]> {
  const ownServer = await startFaultyServer(answer, card);
  try {
    return await collect(start(ownServer, never));
  } finally {
    await ownServer.close();
  }
}

function start({ url }: FaultyServer, signal: AbortSignal): AsyncIterable<AgentEvent> {
  const agents = createTestDispatcher({}, { settings }).agents;
  return agents.run(createUrlAgent(url), createRequest("go"), signal);
}

/** Sends nothing after the first event, and answers a cancellation. */
const hangAfterStart: AnswerHandler = (response, request, body) => {
  if (body.includes("CancelTask")) response.writeHead(200).end("{}");
  else FAULTS["hangs in its body"]?.answer(response, request, body);
};

/** Returns the failures and whether the failure is the last event, for comparison with `expectOneFailure`. */
function getOutcome(events: readonly AgentEvent[]): unknown {
  const failures = events.filter((event) => event.type === "failed");
  return { failures, isLast: events.at(-1) === failures[0] };
}

function expectOneFailure(code: string): unknown {
  return { failures: [{ type: "failed", reason: stringLike(/^(?!.*secret)\w.*(\.$|: \w)/), code }], isLast: true };
}

/** Faults that mostly wait run concurrently; the others need the CPU of this process. */
function testFaults(
  faults: typeof FAULTS,
  check: (name: string, fault: (typeof FAULTS)[string]) => Promise<void>,
): void {
  const { waits = [], acts = [] } = Object.groupBy(Object.entries(faults), ([name]) =>
    /^(hangs|drips|never finishes)/.test(name) ? "waits" : "acts",
  );
  test.concurrent.each(waits)("[A1] an agent that %s fails exactly once, with a reason", check);
  test.each(acts)("[A1] an agent that %s fails exactly once, with a reason", check);
}

describe("streaming agent", () => {
  testFaults(FAULTS, async (_how, { code, reasonPattern: says = /./, answer }) => {
    const events = await rejectAfter(5000, runOnOwnServer(answer));
    expect(getOutcome(events)).toEqual(expectOneFailure(code));
    expect(events.at(-1)).toMatchObject({ reason: stringLike(says) });
  });
});

describe("non-streaming agent", () => {
  testFaults(UNARY_FAULTS, async (_how, { code, answer }) => {
    expect(getOutcome(await rejectAfter(5000, runOnOwnServer(answer, UNARY_CARD)))).toEqual(expectOneFailure(code));
  });
});

describe("A2A 0.3 agent", () => {
  const codes: Record<string, string> = {
    "answers nothing": "agent_protocol",
    "sends deep JSON as data": "agent_protocol",
  };
  const legacy = Object.fromEntries(Object.entries(FAULTS).filter(([name]) => !ONLY_IN_1_0.test(name)));
  testFaults(legacy, async (name, { code, answer }) => {
    const events = await rejectAfter(5000, runOnOwnServer(answer, LEGACY_CARD));
    // A stream that begins in the 1.0 format is invalid in A2A 0.3 from its first event.
    const isInvalidFromStart = /hangs in its body|drips|cut mid|promises more|never ends/.test(name);
    expect(getOutcome(events)).toEqual(expectOneFailure(isInvalidFromStart ? "agent_protocol" : (codes[name] ?? code)));
  });
});

test("[A1] fails once if nothing listens at the URL", async () => {
  const closed = await startFaultyServer(() => undefined);
  await closed.close();
  const events = await rejectAfter(2000, collect(start(closed, never)));
  expect(getOutcome(events)).toEqual(expectOneFailure("agent_unreachable"));
});

test("[A1] does not call a forbidden URL", async () => {
  server = await startFaultyServer(() => undefined);
  const agent = createUrlAgent(server.url);
  const events = await collect(createTestDispatcher().agents.run(agent, createRequest("go"), never));
  expect(getOutcome(events)).toEqual(expectOneFailure("agent_unreachable"));
  expect(server.methods).toEqual([]);
});

test("[T5] closes the stream and cancels the remote task when the reader leaves early", async () => {
  server = await startFaultyServer(hangAfterStart);
  for await (const event of start(server, never)) {
    expect(event).toEqual({ type: "accepted", remote_task_id: "t-1" });
    break;
  }
  await rejectAfter(1000, server.closed);
  await vi.waitFor(() => expect(server?.methods).toEqual(["SendStreamingMessage", "CancelTask"]));
  expect(JSON.parse(server.bodies[1] ?? "")).toMatchObject({ params: { id: "t-1" } });
});

test("[T5] closes the stream, cancels the remote task and fails once when the signal aborts", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const started = Date.now();
  const events = await runWithServer(hangAfterStart, {}, stop.signal);
  expect(events.map((event) => event.type)).toEqual(["accepted", "failed"]);
  expect(events.at(-1)).toMatchObject({ code: "agent_cancelled" });
  expect(Date.now() - started).toBeLessThan(450);
  await vi.waitFor(() => expect(server?.methods).toEqual(["SendStreamingMessage", "CancelTask"]));
});

test("[T5] does not wait for an agent that does not answer the cancellation", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  const started = Date.now();
  await runWithServer(
    (response, request, body) =>
      body.includes("CancelTask") ? undefined : FAULTS["hangs in its body"]?.answer(response, request, body),
    {},
    stop.signal,
  );
  expect(Date.now() - started).toBeLessThan(400);
});

test("calls nothing if the signal is already aborted", async () => {
  const events = await runWithServer(() => undefined, {}, AbortSignal.abort());
  expect(events).toMatchObject([{ type: "failed", code: "agent_cancelled" }]);
  expect(server?.methods).toEqual([]);
});

test("does not count a slow reader as silence of the agent", async () => {
  server = await startFaultyServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
    response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { message } })}\n\n`);
  });
  const events: AgentEvent[] = [];
  for await (const event of start(server, never)) {
    events.push(event);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(events.map((event) => event.type)).toEqual(["accepted", "text", "completed"]);
});
