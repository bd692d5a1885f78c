// The agents of a user: the list, the enabled state, and the registration of remote agents.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import {
  callRoute,
  assertPresent,
  callForProblem,
  waitForThreads,
  type AcceptedMessage,
  type ApiRequest,
} from "./support.ts";
import { authenticateAs, WITH_SECRET } from "./tokens.ts";

const listAgents = async (user: ApiRequest) =>
  (await callRoute<{ agents: Agent[] }>("GET", "/api/v1/agents", user)).agents;

async function sendAndSettle(user: ApiRequest, body: object) {
  const { conversation_id: id } = await callRoute<AcceptedMessage>("POST", "/api/v1/messages", { ...user, body });
  return waitForThreads(id, 1, user);
}

/** Mocks fetch so that every URL returns the card. */
function mockCard(card: object) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(Response.json(card)));
}

function createCard(name: string, url = "https://agents.example.com/a2a"): object {
  return {
    name,
    description: "Knows the weather",
    version: "1.2.3",
    protocolVersion: "0.3.0",
    url,
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "forecast", name: "Forecast", description: "What the weather will be", tags: ["weather"] }],
  };
}

const createRegistration = (user: ApiRequest, url: string) => ({ ...user, body: { url } });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("[F83] an agent of the deployment", () => {
  test("is listed and described", async () => {
    const user = await authenticateAs("ada");
    const list = await listAgents(user);
    const assistant = assertPresent(list.find((agent) => agent.source === "binding"));
    expect(assistant).toMatchObject({ enabled: true });
    expect(assistant.name).toBe("assistant");
    expect(assistant.description).not.toBe("");
    expect(await callRoute("GET", `/api/v1/agents/${encodeURIComponent(assistant.name)}`, user)).toEqual(assistant);
    expect(list.every((agent) => agent.url === undefined)).toBe(true);
  });

  test("can be disabled and enabled again by each user separately", async () => {
    const [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
    const name = "assistant";
    const path = `/api/v1/agents/${name}`;
    expect(await callRoute("PATCH", path, { ...ada, body: { enabled: false } })).toMatchObject({ enabled: false });

    const unaddressed = await sendAndSettle(ada, { message: "首先查询现在时间然后计算678乘以8776的结果" });
    expect(unaddressed.some(({ event, data }) => event === "task_started" && data.agent_name === name)).toBe(false);
    expect(unaddressed.at(-1)?.event).toBe("done");
    expect(await callRoute("GET", path, eve)).toMatchObject({ enabled: true });
    const otherUsers = await sendAndSettle(eve, { message: "what time is it?", agent: name });
    expect(otherUsers.some((frame) => frame.event === "task_completed")).toBe(true);

    expect(await callRoute("PATCH", path, { ...ada, body: { enabled: true } })).toMatchObject({ enabled: true });
    const again = await sendAndSettle(ada, { message: "what time is it?", agent: name });
    expect(again.some((frame) => frame.event === "task_completed")).toBe(true);
  });

  test("is reported as disabled when the user asks for it by name", async () => {
    const ivy = await authenticateAs("ivy");
    await callRoute("PATCH", "/api/v1/agents/assistant", { ...ivy, body: { enabled: false } });
    for (const [message, expected] of [
      ["@assistant what time is it?", 'The agent "assistant" is switched off.'],
      ["@assistant 现在几点？", "智能体“assistant”已停用。"],
      ["@nobody what time is it?", 'There is no agent called "nobody".'],
    ] as const) {
      const events = await sendAndSettle(ivy, { message });
      const chunks = events.flatMap((frame) => (frame.event === "message_chunk" ? [frame.data.payload.content] : []));
      expect(chunks.join("")).toContain(expected);
      expect(events.some((frame) => frame.event === "task_started")).toBe(false);
    }
  });

  test("cannot be deleted, whether it is disabled or not", async () => {
    const user = await authenticateAs("ivy");
    const path = `/api/v1/agents/${encodeURIComponent(assertPresent((await listAgents(user))[0]).name)}`;
    expect(await callForProblem("DELETE", path, user)).toMatchObject({ code: "not_found" });
    await callRoute("PATCH", path, { ...user, body: { enabled: false } });
    expect(await callForProblem("DELETE", path, user)).toMatchObject({ code: "not_found" });
    expect(await callRoute("GET", path, user)).toMatchObject({ enabled: false });
  });
});

describe("a remote agent", () => {
  test("is registered by URL per user, disabled and deleted", async () => {
    const [ada, eve] = [await authenticateAs("ada"), await authenticateAs("eve")];
    mockCard(createCard("weather"));
    const created = await callRoute<Agent>(
      "POST",
      "/api/v1/agents",
      createRegistration(ada, "https://agents.example.com"),
    );
    expect(created).toMatchObject({ name: "weather", source: "url", enabled: true, version: "1.2.3" });
    expect(created.url).toBe("https://agents.example.com/.well-known/agent-card.json");
    expect((await listAgents(ada)).map(({ name }) => name)).toContain("weather");
    expect((await listAgents(eve)).map(({ name }) => name)).not.toContain("weather");
    expect(await callForProblem("GET", "/api/v1/agents/weather", eve)).toMatchObject({ code: "not_found" });
    expect(await callForProblem("DELETE", "/api/v1/agents/weather", eve)).toMatchObject({ code: "not_found" });

    const off = { ...ada, body: { enabled: false } };
    expect(await callRoute("PATCH", "/api/v1/agents/weather", off)).toMatchObject({ enabled: false, source: "url" });
    const again = await callRoute("POST", "/api/v1/agents", createRegistration(ada, "https://agents.example.com"));
    expect(again, "registering once more renews it and switches it on").toMatchObject({ enabled: true });

    expect(await callRoute("DELETE", "/api/v1/agents/weather", ada)).toEqual({ name: "weather", deleted: true });
    expect(await callForProblem("GET", "/api/v1/agents/weather", ada)).toMatchObject({ code: "not_found" });
    expect(await callForProblem("DELETE", "/api/v1/agents/weather", ada)).toMatchObject({ code: "not_found" });
  });

  test.each(["气象台", "my agent", "a/b", "50%", "<b>"])("may have the name %s", async (name) => {
    const user = await authenticateAs("ada");
    mockCard(createCard(name));
    await callRoute("POST", "/api/v1/agents", createRegistration(user, "https://agents.example.com"));
    const path = `/api/v1/agents/${encodeURIComponent(name)}`;
    expect(await callRoute("GET", path, user)).toMatchObject({ name });
    await callRoute("DELETE", path, user);
  });

  test("may not take the name of an existing agent", async () => {
    const user = await authenticateAs("ada");
    const names = (await listAgents(user)).map(({ name }) => name);
    for (const name of [...names, ...names.map((existing) => existing.toUpperCase()), "SuperAgent", "planner"]) {
      mockCard(createCard(name));
      const problem = await callForProblem(
        "POST",
        "/api/v1/agents",
        createRegistration(user, "https://agents.example.com"),
      );
      expect(problem, name).toMatchObject({ status: 409, code: "conflict", field: "url" });
      vi.restoreAllMocks();
    }
    expect(await listAgents(user)).toHaveLength(names.length);
  });

  // `protocol/public-url.test.ts` lists all URLs that are refused.
  test.each(["https://127.0.0.1", "https://user:secret@agents.example.com", "agents.example.com", ""])(
    "is not fetched from %s",
    async (url) => {
      const fetch = mockCard(createCard("weather"));
      const problem = await callForProblem(
        "POST",
        "/api/v1/agents",
        createRegistration(await authenticateAs("ada"), url),
      );
      expect(problem).toMatchObject({ code: "invalid_request", field: "url" });
      const previewed = createRegistration(await authenticateAs("ada"), url);
      expect(await callForProblem("POST", "/api/v1/agents/preview", previewed)).toEqual(problem);
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test("may run on a private address where this is allowed", async () => {
    const user = await authenticateAs("dev");
    const env = { ...WITH_SECRET, ALLOW_PRIVATE_AGENTS: "1" };
    mockCard(createCard("local weather", "http://localhost:9001/a2a"));
    const created = await callRoute("POST", "/api/v1/agents", {
      ...createRegistration(user, "http://localhost:9001"),
      env,
    });
    expect(created).toMatchObject({ name: "local weather" });
  });
});

describe("the preview of a remote agent", () => {
  const preview = (user: ApiRequest, url: string) =>
    callRoute<Agent>("POST", "/api/v1/agents/preview", createRegistration(user, url));
  const AGENT_URL = "https://agents.example.com";

  test("equals the result of a registration and registers nothing", async () => {
    const user = await authenticateAs("pia");
    mockCard(createCard("weather"));
    const shown = await preview(user, AGENT_URL);
    expect(shown).toMatchObject({ name: "weather", source: "url", url: `${AGENT_URL}/.well-known/agent-card.json` });
    expect(shown.skills).toMatchObject([{ id: "forecast" }]);
    expect((await listAgents(user)).map(({ name }) => name)).not.toContain("weather");
    expect(await callForProblem("GET", "/api/v1/agents/weather", user)).toMatchObject({ code: "not_found" });
    expect(await callRoute("POST", "/api/v1/agents", createRegistration(user, AGENT_URL))).toEqual(shown);
    expect(await preview(user, AGENT_URL), "also of one that is registered").toEqual(shown);
  });

  test("fails like the registration: for a private address, an oversized card, no card, and a taken name", async () => {
    const user = await authenticateAs("pia");
    const large = { ...createCard("weather"), description: "x".repeat(300_000) };
    const cases = [
      [createCard("weather", "https://10.0.0.1/a2a"), 400],
      [large, 502],
      [{ hello: "secret" }, 502],
      [createCard("Assistant"), 409],
    ] as const;
    for (const [card, status] of cases) {
      mockCard(card);
      const problem = await callForProblem("POST", "/api/v1/agents/preview", createRegistration(user, AGENT_URL));
      expect(problem).toMatchObject({ status, field: "url" });
      expect(problem).toEqual(await callForProblem("POST", "/api/v1/agents", createRegistration(user, AGENT_URL)));
      vi.restoreAllMocks();
    }
    const body = { name: "x", description: "d", mcp: { binding: "MCP_NONE" } };
    expect(await callForProblem("POST", "/api/v1/agents/preview", { ...user, body })).toMatchObject({ status: 400 });
  });

  test.each(["Preview", ".", "..", ".well-known"])(
    "rejects an agent name that its own path could not address: %s",
    async (name) => {
      const user = await authenticateAs("pia");
      mockCard(createCard(name));
      expect(await callForProblem("POST", "/api/v1/agents", createRegistration(user, AGENT_URL))).toMatchObject({
        code: "conflict",
      });
    },
  );
});
