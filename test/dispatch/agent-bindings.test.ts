// Agents behind bindings that come and go.

import { expect, test } from "vitest";
import type { AgentDefinition } from "../../src/agents/kit/agent.ts";
import { agentOf, collect, local, requestFor, scripted, textOf, within } from "../agents/fixtures/local.ts";
import { world } from "./fixtures/world.ts";

const never = new AbortController().signal;

const named = (name: string): AgentDefinition => agentOf(async function* () {}, { name });

test("a card is read once per isolate", async () => {
  const binding = local(named("once"));
  await Promise.all([world({ AGENT_ONCE: binding }).agents.list(), world({ AGENT_ONCE: binding }).agents.list()]);
  const before = binding.requests.length;
  await world({ AGENT_ONCE: binding }).agents.list();
  expect(binding.requests.length).toBe(before);
});

test("a binding without a card is left out and reported; the others go on", async () => {
  const { agents, reported } = world({
    AGENT_DEAD: { fetch: () => Promise.reject(new Error("gone")) },
    AGENT_ODD: { fetch: async () => new Response("<html>") },
    AGENT_OK: local(named("ok")),
  });
  expect((await agents.list()).map(({ name }) => name)).toEqual(["ok"]);
  expect(reported.map(String)).toEqual([
    "Error: The agent behind AGENT_DEAD shows no card",
    "Error: The agent behind AGENT_ODD shows no card",
  ]);
});

test("a binding that stays without a card is reported once, and again when it has been there meanwhile", async () => {
  const good = local(named("moody"));
  let down = true;
  const binding = {
    fetch: (url: string, init?: RequestInit) => (down ? Promise.reject(new Error("gone")) : good.fetch(url, init)),
  };
  const { agents, reported } = world({ AGENT_MOODY: binding });
  expect([await agents.list(), await agents.list()]).toEqual([[], []]);
  expect(reported).toHaveLength(1);
  down = false;
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  down = true;
  await collect(agents.run(agent, requestFor("go"), never));
  expect([await agents.list(), await agents.list()]).toEqual([[], []]);
  expect(reported).toHaveLength(2);
});

test("of two bindings with one name the first is shown, and is the one that runs", async () => {
  const as = (description: string): AgentDefinition =>
    agentOf(
      async function* () {
        yield { type: "text", text: description };
      },
      { name: "twin", description },
    );
  const { agents } = world({ AGENT_1: local(as("first")), AGENT_2: local(as("second")) });
  const [agent, ...others] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  expect(others).toEqual([]);
  expect(agent.description).toBe("first");
  expect(textOf(await collect(agents.run(agent, requestFor("go"), never)))).toBe("first");
});

test("A1: an agent whose card is known does not wait for another that shows none", async () => {
  let other = (): Promise<Response> => Promise.reject(new Error("gone"));
  const { agents } = world({
    AGENT_HUNG: { fetch: () => other() },
    AGENT_X: local(scripted({ type: "text", text: "here" })),
  });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  other = () => new Promise(() => undefined);
  expect(textOf(await within(2_000, collect(agents.run(agent, requestFor("go"), never))))).toBe("here");
});

test("A1: an agent that was not there and now hangs holds up the list for a second, and is found once it answers", async () => {
  const good = local(named("late"));
  let answer = (_: string, __?: RequestInit): Promise<Response> => Promise.reject(new Error("gone"));
  const { agents } = world({ AGENT_LATE: { fetch: (url: string, init?: RequestInit) => answer(url, init) } });
  expect(await agents.list()).toEqual([]);
  answer = () => new Promise(() => undefined);
  expect(await within(3_000, agents.list())).toEqual([]);
  answer = (url, init) => good.fetch(url, init);
  expect((await agents.list()).map(({ name }) => name)).toEqual(["late"]);
});

test("F85: a binding that failed is looked at anew", async () => {
  const good = local(scripted({ type: "text", text: "back" }));
  let down = false;
  const binding = {
    fetch: (url: string, init?: RequestInit) => (down ? Promise.reject(new Error("gone")) : good.fetch(url, init)),
  };
  const { agents } = world({ AGENT_X: binding });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  down = true;
  expect((await collect(agents.run(agent, requestFor("go"), never))).at(-1)).toMatchObject({
    code: "agent_unreachable",
  });
  down = false;
  const cards = () => good.requests.filter(({ method }) => method === "GET").length;
  const before = cards();
  expect(textOf(await collect(agents.run(agent, requestFor("go"), never)))).toBe("back");
  expect(cards()).toBe(before + 1);
});

test("T5: a task that is cancelled while its agent's card is waited for ends at once", async () => {
  let answer = (url: string, init?: RequestInit) => good.fetch(url, init);
  const good = local(named("slow"));
  const { agents } = world({ AGENT_SLOW: { fetch: (url: string, init?: RequestInit) => answer(url, init) } });
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  answer = () => Promise.reject(new Error("gone"));
  await collect(agents.run(agent, requestFor("go"), never));
  answer = () => new Promise(() => undefined);
  const leaving = new AbortController();
  const events = collect(agents.run(agent, requestFor("go"), leaving.signal));
  leaving.abort();
  expect(await within(1_000, events)).toEqual([
    { type: "failed", code: "agent_cancelled", reason: "The task was cancelled." },
  ]);
});
