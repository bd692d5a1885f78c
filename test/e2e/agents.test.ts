// Agents outside the runtime's own Worker: beside it behind a service binding, elsewhere behind a URL.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { startA2AAgent, type A2AAgent, type Version } from "../support/a2a-agent.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let runtime: Runtime;
let person: Person;
const others: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { ALLOW_PRIVATE_AGENTS: "1" },
    beside: {
      "orrery-clock": { config: "examples/clock-worker/wrangler.toml", entry: "examples/clock-worker/clock.ts" },
    },
    agents: { AGENT_CLOCK: "orrery-clock" },
  });
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all(others.map((other) => other.close()));
});

async function register(url: string): Promise<Agent> {
  const response = await person.request("POST", "/api/v1/agents", { url });
  expect(response.status).toBe(201);
  return (await response.json()) as Agent;
}

async function hire(name: string, version: Version, speech: Parameters<typeof startA2AAgent>[2]): Promise<A2AAgent> {
  const agent = await startA2AAgent(name, version, speech);
  others.push(agent);
  await register(agent.url);
  return agent;
}

async function* threeWords(query: string): AsyncGenerator<string> {
  for (const word of ["You ", "said ", query]) {
    await sleep(5);
    yield word;
  }
}

async function* untilStopped(_query: string, stop: AbortSignal): AsyncGenerator<string> {
  while (!stop.aborted) {
    yield "on ";
    await sleep(20);
  }
}

describe("an agent in a Worker of its own", () => {
  test("[F83] stands beside the built-in one", async () => {
    const { agents } = await person.get<{ agents: Agent[] }>("/api/v1/agents");
    expect(agents.filter(({ source }) => source === "binding").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["assistant", "clock"]),
    );
    expect(agents.find(({ name }) => name === "clock")).toMatchObject({ display_name: "World clock", enabled: true });
  });

  test("[F46] [F68] answers over its service binding, reasoning included", async () => {
    const { frames } = await person.say("What time is it in Tokyo and in Europe/Paris?", {
      agent: "clock",
      language: "en-GB",
    });
    expect(textOf(frames, "clock")).toMatch(/^Asia\/Tokyo: .+\nEurope\/Paris: .+\n$/);
    const reasoning = eventsOf(frames, "reasoning")
      .map(({ payload }) => payload.content)
      .join("");
    expect(reasoning).toBe("Zones named: Asia/Tokyo, Europe/Paris");
    expect(eventsOf(frames, "tool_call_completed").at(-1)?.payload).toMatchObject({
      tool_name: "connect_agent",
      tool_result: '[{"content":"connected"}]',
    });
    expect(frames.map(({ event }) => event).slice(-2)).toEqual(["task_completed", "done"]);
  });

  test("[F45] is told the person's time zone", async () => {
    const { frames } = await person.say("And here?", { agent: "clock", language: "en-GB", timezone: "Asia/Kathmandu" });
    expect(textOf(frames)).toMatch(/^Asia\/Kathmandu: /);
  });
});

describe.each<Version>(["1.0", "0.3"])("an agent elsewhere that speaks A2A %s", (version) => {
  const name = `parrot-${version}`;
  let parrot: A2AAgent;
  beforeAll(async () => {
    parrot = await hire(name, version, threeWords);
  });

  test("is registered by its address and streams its answer", async () => {
    expect(await person.get(`/api/v1/agents/${name}`)).toMatchObject({ source: "url", enabled: true });
    const { frames } = await person.say("hello", { agent: name });
    expect(textOf(frames, name)).toBe("You said hello");
    expect(frames.map(({ event }) => event).slice(-2)).toEqual(["task_completed", "done"]);
    expect(parrot.asked.map(({ query }) => query)).toEqual(["hello"]);
  });

  test("[T5] is told when its task is cancelled, and says nothing more", async () => {
    const endless = await hire(`endless-${version}`, version, untilStopped);
    const { conversation_id: id, thread_id } = await person.tell("go on", { agent: endless.name });
    await vi.waitFor(async () => expect(textOf(await person.history(id))).toContain("on on"));
    const response = await person.request("POST", `/api/v1/conversations/${id}/cancel`, { thread_id });
    expect(await response.json()).toEqual({ cancelled: [thread_id] });
    await vi.waitFor(async () => expect((await person.history(id)).at(-1)?.event).toBe("done"));
    await vi.waitFor(() => expect(endless.left + endless.told.length).toBeGreaterThan(0), 5_000);
    const log = await person.history(id);
    expect(log.at(-2)).toMatchObject({ event: "task_cancelled" });
    expect(log.at(-1)).toMatchObject({ event: "done", data: { metadata: { cancelled: true } } });
    expect(breachesIn(log)).toEqual([]);
  });
});

test("an agent that has gone away is a failure with the reason, and may come back", async () => {
  const gone = await hire("leaver", "1.0", threeWords);
  expect(textOf((await person.say("hello", { agent: "leaver" })).frames)).toBe("You said hello");
  await gone.close();
  const { conversationId, frames } = await person.say("hello?", { agent: "leaver" });
  expect(eventsOf(frames, "task_failed")).toMatchObject([{ payload: { content: "The agent could not be reached." } }]);
  expect((await person.say("hello", { in: conversationId })).frames.at(-1)?.event).toBe("done");
});

test("[F12] [F83] a disabled agent is not asked, one that is enabled again is", async () => {
  await hire("shy", "1.0", threeWords);
  const enable = (enabled: boolean) => person.request("PATCH", "/api/v1/agents/shy", { enabled });
  expect(await (await enable(false)).json()).toMatchObject({ name: "shy", enabled: false });
  const { frames } = await person.say("hello", { agent: "shy" });
  expect(eventsOf(frames, "plan_failed")).toMatchObject([{ payload: { content: "The agent shy is disabled." } }]);
  await enable(true);
  expect(textOf((await person.say("hello", { agent: "shy" })).frames)).toBe("You said hello");
});

test("[F21] an agent that nobody knows is named, and no task begins", async () => {
  const { frames } = await person.say("hello", { agent: "nobody" });
  expect(eventsOf(frames, "plan_failed")).toMatchObject([{ payload: { content: "The agent nobody does not exist." } }]);
  expect(eventsOf(frames, "task_started")).toEqual([]);
});
