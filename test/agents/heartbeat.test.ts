// An agent stays alive while its model works for a long time without output.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import type { ModelAgentDefinition, AgentModel } from "../../src/agents/kit/agent.ts";
import { requestToolCall } from "../../src/agents/kit/tools/request-tool-call.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../src/agents/kit/agent-limits.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import { createPeer } from "../../src/dispatch/peer.ts";
import { runOnPeer } from "../../src/dispatch/run-on-peer.ts";
import { getExchangeLimits } from "../../src/dispatch/exchange-watch.ts";
import { agentCardSchema } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { createAgent, collect, createLocalAgent, createRequest, joinTextEvents } from "./fixtures/local-agent.ts";
import { postStreamRequest } from "./fixtures/a2a-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Returns a model that pauses for `seconds` between two text deltas, as far as the timers of the model client allow.
 */
function createSlowModel(seconds: number): AgentModel {
  return {
    complete: async (_request, emit) => {
      emit({ type: "text", text: "Well" });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      emit({ type: "text", text: ", yes." });
      return { text: "Well, yes.", toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

const answeringAgent = toolAgent({ card: { name: "x" }, instructions: "", tools: [] });
const toolCallingAgent = createAgent(async function* (_request, { model, signal }) {
  const budget = new AgentBudget(DEFAULT_LIMITS);
  const system = { role: "system", content: "" } as const;
  const reply = yield* requestToolCall(
    { role: "x", model, signal, budget, system },
    { name: "x", description: "", schema: z.object({}) },
    [],
  );
  yield { type: "text", text: reply.kind === "text" ? reply.text : "" };
});
const hangingAgent = createAgent(async function* () {
  yield { type: "text", text: "Well" };
  await new Promise(() => undefined);
});

/** Runs the agent over HTTP and collects the events that the runtime receives. */
function collectPeerEvents(agent: ModelAgentDefinition, model?: AgentModel) {
  const card = { card: agentCardSchema.parse(agent.card), hasExtension: true };
  const endpoint = { url: "https://agent.test/", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" };
  const peer = createPeer(createLocalAgent(agent, model), card, endpoint);
  return collect(
    runOnPeer(peer, createRequest("go"), getExchangeLimits(parseSettings({})), new AbortController().signal),
  );
}

test.each([
  ["answers", answeringAgent],
  ["requests a tool call", toolCallingAgent],
])("[A1] an agent that %s keeps its connection alive while its model works for 100 s", async (_name, agent) => {
  const events = collectPeerEvents(agent, createSlowModel(100));
  await vi.advanceTimersByTimeAsync(110_000);
  expect(joinTextEvents(await events)).toBe("Well, yes.");
  expect((await events).at(-1)).toEqual({ type: "completed" });
});

test("[A1] an agent that hangs is reported as silent", async () => {
  const events = collectPeerEvents(hangingAgent);
  await vi.advanceTimersByTimeAsync(70_000);
  expect((await events).at(-1)).toMatchObject({ type: "failed", code: "agent_silent" });
});

test.each([
  [10, 0],
  [100, 6],
])(
  "a response that takes %i s contains %i heartbeat comments and no other additional frames",
  async (seconds, comments) => {
    const body = postStreamRequest(createLocalAgent(answeringAgent, createSlowModel(seconds))).then((response) =>
      response.text(),
    );
    await vi.advanceTimersByTimeAsync(110_000);
    const frames = (await body).split("\n\n").filter((event) => event !== "");
    expect(frames.filter((event) => event === ":")).toHaveLength(comments);
    // The task, two text deltas, the usage, the end.
    expect(frames.filter((event) => event.startsWith("data:"))).toHaveLength(5);
    expect(frames).toHaveLength(5 + comments);
    expect(vi.getTimerCount()).toBe(0);
  },
);
