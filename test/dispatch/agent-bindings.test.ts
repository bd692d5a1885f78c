// Agents behind bindings that become available and unavailable.

import { expect, test } from "vitest";
import type { ModelAgentDefinition } from "../../src/agents/kit/agent.ts";
import {
  createAgent,
  collect,
  createLocalAgent,
  createRequest,
  createScriptedAgent,
  joinTextEvents,
  rejectAfter,
} from "../agents/fixtures/local-agent.ts";
import { createTestDispatcher } from "./fixtures/test-dispatcher.ts";

const never = new AbortController().signal;

const createNamedAgent = (name: string): ModelAgentDefinition => createAgent(async function* () {}, { name });

test("reads a card once per isolate", async () => {
  const binding = createLocalAgent(createNamedAgent("once"));
  await Promise.all([
    createTestDispatcher({ AGENT_ONCE: binding }).agents.list(),
    createTestDispatcher({ AGENT_ONCE: binding }).agents.list(),
  ]);
  const before = binding.requests.length;
  await createTestDispatcher({ AGENT_ONCE: binding }).agents.list();
  expect(binding.requests.length).toBe(before);
});

test("skips and reports a binding without a card and lists the others", async () => {
  const { agents, reports: reported } = createTestDispatcher({
    AGENT_DEAD: { fetch: () => Promise.reject(new Error("gone")) },
    AGENT_ODD: { fetch: async () => new Response("<html>") },
    AGENT_OK: createLocalAgent(createNamedAgent("ok")),
  });
  expect((await agents.list()).map(({ name }) => name)).toEqual(["ok"]);
  expect(reported.map(String)).toEqual([
    "Error: The agent behind AGENT_DEAD shows no card",
    "Error: The agent behind AGENT_ODD shows no card",
  ]);
});

test("reports a binding without a card once, and again after it had one in between", async () => {
  const working = createLocalAgent(createNamedAgent("moody"));
  let down = true;
  const binding = {
    fetch: (url: string, init?: RequestInit) => (down ? Promise.reject(new Error("gone")) : working.fetch(url, init)),
  };
  const { agents, reports: reported } = createTestDispatcher({ AGENT_MOODY: binding });
  expect([await agents.list(), await agents.list()]).toEqual([[], []]);
  expect(reported).toHaveLength(1);
  down = false;
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  down = true;
  await collect(agents.run(agent, createRequest("go"), never));
  expect([await agents.list(), await agents.list()]).toEqual([[], []]);
  expect(reported).toHaveLength(2);
});

test("lists and runs the first of two bindings with the same name", async () => {
  const createTwin = (description: string): ModelAgentDefinition =>
    createAgent(
      async function* () {
        yield { type: "text", text: description };
      },
      { name: "twin", description },
    );
  const { agents } = createTestDispatcher({
    AGENT_1: createLocalAgent(createTwin("first")),
    AGENT_2: createLocalAgent(createTwin("second")),
  });
  const [agent, ...others] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  expect(others).toEqual([]);
  expect(agent.description).toBe("first");
  expect(joinTextEvents(await collect(agents.run(agent, createRequest("go"), never)))).toBe("first");
});

test("[A1] runs an agent with a known card without waiting for one whose card is missing", async () => {
  let other = (): Promise<Response> => Promise.reject(new Error("gone"));
  const { agents } = createTestDispatcher({
    AGENT_HUNG: { fetch: () => other() },
    AGENT_X: createLocalAgent(createScriptedAgent({ type: "text", text: "here" })),
  });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  other = () => new Promise(() => undefined);
  expect(joinTextEvents(await rejectAfter(2_000, collect(agents.run(agent, createRequest("go"), never))))).toBe("here");
});

test("[A1] waits a second for an agent that hangs, and finds it once it answers", async () => {
  const working = createLocalAgent(createNamedAgent("late"));
  let answer = (_: string, __?: RequestInit): Promise<Response> => Promise.reject(new Error("gone"));
  const { agents } = createTestDispatcher({
    AGENT_LATE: { fetch: (url: string, init?: RequestInit) => answer(url, init) },
  });
  expect(await agents.list()).toEqual([]);
  answer = () => new Promise(() => undefined);
  expect(await rejectAfter(3_000, agents.list())).toEqual([]);
  answer = (url, init) => working.fetch(url, init);
  expect((await agents.list()).map(({ name }) => name)).toEqual(["late"]);
});

test("[F85] reads the card of a binding again after a failure", async () => {
  const working = createLocalAgent(createScriptedAgent({ type: "text", text: "back" }));
  let down = false;
  const binding = {
    fetch: (url: string, init?: RequestInit) => (down ? Promise.reject(new Error("gone")) : working.fetch(url, init)),
  };
  const { agents } = createTestDispatcher({ AGENT_X: binding });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  down = true;
  expect((await collect(agents.run(agent, createRequest("go"), never))).at(-1)).toMatchObject({
    code: "agent_unreachable",
  });
  down = false;
  const cards = () => working.requests.filter(({ method }) => method === "GET").length;
  const before = cards();
  expect(joinTextEvents(await collect(agents.run(agent, createRequest("go"), never)))).toBe("back");
  expect(cards()).toBe(before + 1);
});

test("[T5] ends a cancelled task at once while it waits for the agent's card", async () => {
  let answer = (url: string, init?: RequestInit) => working.fetch(url, init);
  const working = createLocalAgent(createNamedAgent("slow"));
  const { agents } = createTestDispatcher({
    AGENT_SLOW: { fetch: (url: string, init?: RequestInit) => answer(url, init) },
  });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  answer = () => Promise.reject(new Error("gone"));
  await collect(agents.run(agent, createRequest("go"), never));
  answer = () => new Promise(() => undefined);
  const leaving = new AbortController();
  const events = collect(agents.run(agent, createRequest("go"), leaving.signal));
  leaving.abort();
  expect(await rejectAfter(1_000, events)).toEqual([
    { type: "failed", code: "agent_cancelled", reason: "The task was stopped." },
  ]);
});
