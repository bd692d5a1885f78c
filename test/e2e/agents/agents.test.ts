// Agents outside of the Worker of the runtime: behind a service binding, and at a URL.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Agent } from "../../../src/protocol/agents/agent.ts";
import { startA2AAgent, type A2AAgent, type A2AVersion } from "../../support/a2a-agent.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../../support/api-user.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";

let runtime: Runtime;
let user: ApiUser;
const startedAgents: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  runtime = await startRuntime({
    vars: { ALLOW_PRIVATE_AGENTS: "1" },
    siblings: {
      "orrery-clock": { config: "examples/clock-worker/wrangler.toml", entry: "examples/clock-worker/clock.ts" },
    },
    agents: { AGENT_CLOCK: "orrery-clock" },
  });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all(startedAgents.map((other) => other.close()));
});

async function register(url: string): Promise<Agent> {
  const response = await user.request("POST", "/api/v1/agents", { url });
  expect(response.status).toBe(201);
  return (await response.json()) as Agent;
}

async function startAndRegisterAgent(
  name: string,
  version: A2AVersion,
  speech: Parameters<typeof startA2AAgent>[2],
): Promise<A2AAgent> {
  const agent = await startA2AAgent(name, version, speech);
  startedAgents.push(agent);
  await register(agent.url);
  return agent;
}

async function* streamThreeWords(query: string): AsyncGenerator<string> {
  for (const word of ["You ", "said ", query]) {
    await sleep(5);
    yield word;
  }
}

describe("agent in its own Worker", () => {
  test("[F83] is listed with the built-in agents", async () => {
    const { agents } = await user.get<{ agents: Agent[] }>("/api/v1/agents");
    expect(agents.filter(({ source }) => source === "binding").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["assistant", "clock"]),
    );
    expect(agents.find(({ name }) => name === "clock")).toMatchObject({ display_name: "World clock", enabled: true });
  });

  test("[F46] [F68] answers over its service binding and streams its reasoning", async () => {
    const { frames } = await user.sendAndWait("What time is it in Tokyo and in Europe/Paris?", {
      agent: "clock",
      language: "en-GB",
    });
    expect(joinText(frames, "clock")).toMatch(/^Asia\/Tokyo: .+\nEurope\/Paris: .+\n$/);
    const reasoning = filterEvents(frames, "reasoning")
      .map(({ payload }) => payload.content)
      .join("");
    expect(reasoning).toBe("Time zones in the query: Asia/Tokyo, Europe/Paris");
    expect(filterEvents(frames, "tool_call_completed").at(-1)?.payload).toMatchObject({
      tool_name: "connect_agent",
      tool_result: '[{"content":"connected"}]',
    });
    expect(frames.map(({ event }) => event).slice(-2)).toEqual(["task_completed", "done"]);
  });

  test("[F45] receives the time zone of the user", async () => {
    const { frames } = await user.sendAndWait("And here?", {
      agent: "clock",
      language: "en-GB",
      timezone: "Asia/Kathmandu",
    });
    expect(joinText(frames)).toMatch(/^Asia\/Kathmandu: /);
  });
});

describe.each<A2AVersion>(["1.0", "0.3"])("remote agent with A2A %s", (version) => {
  const name = `parrot-${version}`;
  let echoAgent: A2AAgent;
  beforeAll(async () => {
    echoAgent = await startAndRegisterAgent(name, version, streamThreeWords);
  });

  test("is registered by its URL and streams its answer", async () => {
    expect(await user.get(`/api/v1/agents/${name}`)).toMatchObject({ source: "url", enabled: true });
    const { frames } = await user.sendAndWait("hello", { agent: name });
    expect(joinText(frames, name)).toBe("You said hello");
    expect(frames.map(({ event }) => event).slice(-2)).toEqual(["task_completed", "done"]);
    expect(echoAgent.messages.map(({ query }) => query)).toEqual(["hello"]);
  });
});

test("an unreachable agent fails its task with the reason, and the conversation continues", async () => {
  const stoppedAgent = await startAndRegisterAgent("leaver", "1.0", streamThreeWords);
  expect(joinText((await user.sendAndWait("hello", { agent: "leaver" })).frames)).toBe("You said hello");
  await stoppedAgent.close();
  const { conversationId, frames } = await user.sendAndWait("hello?", { agent: "leaver" });
  expect(filterEvents(frames, "task_failed")).toMatchObject([{ payload: { content: "The agent can’t be reached." } }]);
  expect((await user.sendAndWait("hello", { conversation: conversationId })).frames.at(-1)?.event).toBe("done");
});

test("[F12] [F83] a disabled agent gets no request until it is enabled again", async () => {
  await startAndRegisterAgent("shy", "1.0", streamThreeWords);
  const setEnabled = (enabled: boolean) => user.request("PATCH", "/api/v1/agents/shy", { enabled });
  expect(await (await setEnabled(false)).json()).toMatchObject({ name: "shy", enabled: false });
  const { frames } = await user.sendAndWait("hello", { agent: "shy" });
  expect(filterEvents(frames, "plan_failed")).toMatchObject([{ payload: { content: "The agent shy is disabled." } }]);
  await setEnabled(true);
  expect(joinText((await user.sendAndWait("hello", { agent: "shy" })).frames)).toBe("You said hello");
});

test("[F21] an unknown agent fails the plan with its name and starts no task", async () => {
  const { frames } = await user.sendAndWait("hello", { agent: "nobody" });
  expect(filterEvents(frames, "plan_failed")).toMatchObject([
    { payload: { content: "The agent nobody doesn’t exist." } },
  ]);
  expect(filterEvents(frames, "task_started")).toEqual([]);
});
