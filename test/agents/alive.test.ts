// An agent whose model works for long without a word is there all the same.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import type { AgentDefinition, AgentModel } from "../../src/agents/kit/agent.ts";
import { requestToolCall } from "../../src/agents/kit/request-tool-call.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../src/agents/kit/agent-limits.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { createPeer } from "../../src/dispatch/peer.ts";
import { runOnPeer } from "../../src/dispatch/run-on-peer.ts";
import { getExchangeLimits } from "../../src/dispatch/exchange-watch.ts";
import { agentCardSchema } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { agentOf, collect, local, requestFor, textOf } from "./fixtures/local.ts";
import { post } from "./fixtures/wire.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Writes one tool call for so long, as the models' own clock lets it. */
function slowly(seconds: number): AgentModel {
  return {
    complete: async (_request, hear) => {
      hear({ type: "text", text: "Well" });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      hear({ type: "text", text: ", yes." });
      return { text: "Well, yes.", toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}

const answering = toolAgent({ card: { name: "x" }, instructions: "", tools: [] });
const consulting = agentOf(async function* (_request, { model, signal }) {
  const budget = new AgentBudget(DEFAULT_LIMITS);
  const system = { role: "system", content: "" } as const;
  const reply = yield* requestToolCall(
    { role: "x", model, signal, budget, system },
    { name: "x", description: "", schema: z.object({}) },
    [],
  );
  yield { type: "text", text: reply.kind === "text" ? reply.text : "" };
});
const hanging = agentOf(async function* () {
  yield { type: "text", text: "Well" };
  await new Promise(() => undefined);
});

/** What the runtime hears of it. */
function heard(agent: AgentDefinition, model?: AgentModel) {
  const known = { card: agentCardSchema.parse(agent.card), hasExtension: true };
  const endpoint = { url: "https://agent.test/", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" };
  const peer = createPeer(local(agent, model), known, endpoint);
  return collect(runOnPeer(peer, requestFor("go"), getExchangeLimits(parseSettings({})), new AbortController().signal));
}

test.each([
  ["answers", answering],
  ["is to call a tool", consulting],
])("A1: a model that %s and takes a hundred seconds does not make its agent a silent one", async (_name, agent) => {
  const events = heard(agent, slowly(100));
  await vi.advanceTimersByTimeAsync(110_000);
  expect(textOf(await events)).toBe("Well, yes.");
  expect((await events).at(-1)).toEqual({ type: "completed" });
});

test("A1: an agent that hangs is silent", async () => {
  const events = heard(hanging);
  await vi.advanceTimersByTimeAsync(70_000);
  expect((await events).at(-1)).toMatchObject({ type: "failed", code: "agent_silent" });
});

test.each([
  [10, 0],
  [100, 6],
])("no client is told anything of it: %i s, %i comments", async (seconds, comments) => {
  const body = post(local(answering, slowly(seconds))).then((response) => response.text());
  await vi.advanceTimersByTimeAsync(110_000);
  const told = (await body).split("\n\n").filter((event) => event !== "");
  expect(told.filter((event) => event === ":")).toHaveLength(comments);
  // The task, twice a piece of the answer, what it cost, the end.
  expect(told.filter((event) => event.startsWith("data:"))).toHaveLength(5);
  expect(told).toHaveLength(5 + comments);
  expect(vi.getTimerCount()).toBe(0);
});
