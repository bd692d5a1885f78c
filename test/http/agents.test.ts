// The agents of a user: which there are, which are on, and which may come in from elsewhere.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/protocol/agents/agent.ts";
import { ask, must, refused, settled, type Accepted, type Ask } from "./support.ts";
import { as, BY_SECRET } from "./tokens.ts";

const agents = async (user: Ask) => (await ask<{ agents: Agent[] }>("GET", "/api/v1/agents", user)).agents;

async function eventsOf(user: Ask, body: object) {
  const { conversation_id: id } = await ask<Accepted>("POST", "/api/v1/messages", { ...user, body });
  return settled(id, 1, user);
}

/** The internet has one A2A agent, and shows its card wherever one is asked for. */
function hosting(card: object) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(Response.json(card)));
}

function cardOf(name: string, url = "https://agents.example.com/a2a"): object {
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

const register = (user: Ask, url: string) => ({ ...user, body: { url } });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("[F83] those of the deployment", () => {
  test("are listed and described", async () => {
    const user = await as("ada");
    const list = await agents(user);
    const assistant = must(list.find((agent) => agent.source === "binding"));
    expect(assistant).toMatchObject({ enabled: true });
    expect(assistant.name).toBe("assistant");
    expect(assistant.description).not.toBe("");
    expect(await ask("GET", `/api/v1/agents/${encodeURIComponent(assistant.name)}`, user)).toEqual(assistant);
    expect(list.every((agent) => agent.url === undefined)).toBe(true);
  });

  test("can be switched off and on again, by each user for themselves", async () => {
    const [ada, eve] = [await as("ada"), await as("eve")];
    const name = "assistant";
    const path = `/api/v1/agents/${name}`;
    expect(await ask("PATCH", path, { ...ada, body: { enabled: false } })).toMatchObject({ enabled: false });

    const named = await eventsOf(ada, { message: "hello", agent: name });
    const failed = must(named.find((frame) => frame.event === "plan_failed"));
    expect(JSON.stringify(failed.data)).toContain(name);
    expect(named.some((frame) => frame.event === "task_started")).toBe(false);
    const asked = await eventsOf(ada, { message: "首先查询现在时间然后计算678乘以8776的结果" });
    expect(asked.some(({ event, data }) => event === "task_started" && data.agent_name === name)).toBe(false);
    expect(asked.at(-1)?.event).toBe("done");

    expect(await ask("GET", path, eve)).toMatchObject({ enabled: true });
    const others = await eventsOf(eve, { message: "what time is it?", agent: name });
    expect(others.some((frame) => frame.event === "task_completed")).toBe(true);

    expect(await ask("PATCH", path, { ...ada, body: { enabled: true } })).toMatchObject({ enabled: true });
    const again = await eventsOf(ada, { message: "what time is it?", agent: name });
    expect(again.some((frame) => frame.event === "task_completed")).toBe(true);
  });

  test("are said to be switched off when they are asked for by name", async () => {
    const ivy = await as("ivy");
    await ask("PATCH", "/api/v1/agents/assistant", { ...ivy, body: { enabled: false } });
    const [failed] = (await eventsOf(ivy, { message: "hello", agent: "assistant" })).filter(
      (frame) => frame.event === "plan_failed",
    );
    expect(failed?.data.payload.content).toBe("The agent assistant is disabled.");
    for (const [message, words] of [
      ["@assistant what time is it?", 'The agent "assistant" is switched off.'],
      ["Ask the assistant to roll a die", 'The agent "assistant" is switched off.'],
      ["@assistant 现在几点？", "智能体“assistant”已停用。"],
      ["请让assistant掷骰子", "智能体“assistant”已停用。"],
    ] as const) {
      const told = await eventsOf(ivy, { message });
      const chunks = told.flatMap((frame) => (frame.event === "message_chunk" ? [frame.data.payload.content] : []));
      expect(chunks.join("")).toBe(words);
      expect(told.some((frame) => frame.event === "task_started")).toBe(false);
    }
    const [chunk] = (await eventsOf(ivy, { message: "@nobody what time is it?" })).filter(
      (frame) => frame.event === "message_chunk",
    );
    expect(chunk?.data.payload.content).toContain('There is no agent called "nobody".');
  });

  test("are not forgotten on demand, switched off or not", async () => {
    const user = await as("ivy");
    const path = `/api/v1/agents/${encodeURIComponent(must((await agents(user))[0]).name)}`;
    expect(await refused("DELETE", path, user)).toMatchObject({ code: "not_found" });
    await ask("PATCH", path, { ...user, body: { enabled: false } });
    expect(await refused("DELETE", path, user)).toMatchObject({ code: "not_found" });
    expect(await ask("GET", path, user)).toMatchObject({ enabled: false });
  });

  test("one that does not exist can be neither switched nor named", async () => {
    const user = await as("ada");
    expect(await refused("PATCH", "/api/v1/agents/nobody", { ...user, body: { enabled: false } })).toMatchObject({
      code: "not_found",
    });
    const events = await eventsOf(user, { message: "hello", agent: "nobody" });
    expect(events.map((frame) => frame.event)).toContain("plan_failed");
  });
});

describe("those from elsewhere", () => {
  test("are registered by URL, kept per user, switched off and forgotten", async () => {
    const [ada, eve] = [await as("ada"), await as("eve")];
    hosting(cardOf("weather"));
    const made = await ask<Agent>("POST", "/api/v1/agents", register(ada, "https://agents.example.com"));
    expect(made).toMatchObject({ name: "weather", source: "url", enabled: true, version: "1.2.3" });
    expect(made.url).toBe("https://agents.example.com/.well-known/agent-card.json");
    expect((await agents(ada)).map(({ name }) => name)).toContain("weather");
    expect((await agents(eve)).map(({ name }) => name)).not.toContain("weather");
    expect(await refused("GET", "/api/v1/agents/weather", eve)).toMatchObject({ code: "not_found" });
    expect(await refused("DELETE", "/api/v1/agents/weather", eve)).toMatchObject({ code: "not_found" });

    const off = { ...ada, body: { enabled: false } };
    expect(await ask("PATCH", "/api/v1/agents/weather", off)).toMatchObject({ enabled: false, source: "url" });
    const again = await ask("POST", "/api/v1/agents", register(ada, "https://agents.example.com"));
    expect(again, "registering once more renews it and switches it on").toMatchObject({ enabled: true });

    expect(await ask("DELETE", "/api/v1/agents/weather", ada)).toEqual({ name: "weather", deleted: true });
    expect(await refused("GET", "/api/v1/agents/weather", ada)).toMatchObject({ code: "not_found" });
    expect(await refused("DELETE", "/api/v1/agents/weather", ada)).toMatchObject({ code: "not_found" });
  });

  test.each(["气象台", "my agent", "a/b", "50%", "<b>"])("whatever they are called: %s", async (name) => {
    const user = await as("ada");
    hosting(cardOf(name));
    await ask("POST", "/api/v1/agents", register(user, "https://agents.example.com"));
    const path = `/api/v1/agents/${encodeURIComponent(name)}`;
    expect(await ask("GET", path, user)).toMatchObject({ name });
    await ask("DELETE", path, user);
  });

  test("do not take the name of one that is there", async () => {
    const user = await as("ada");
    const names = (await agents(user)).map(({ name }) => name);
    for (const name of [...names, ...names.map((known) => known.toUpperCase()), "SuperAgent", "planner"]) {
      hosting(cardOf(name));
      const problem = await refused("POST", "/api/v1/agents", register(user, "https://agents.example.com"));
      expect(problem, name).toMatchObject({ status: 409, code: "conflict", field: "url" });
      vi.restoreAllMocks();
    }
    expect(await agents(user)).toHaveLength(names.length);
  });

  test.each([
    "http://agents.example.com",
    "https://localhost:8787",
    "https://127.0.0.1",
    "https://2130706433",
    "https://0x7f.1",
    "https://[::1]",
    "https://[::ffff:10.0.0.1]",
    "https://10.1.2.3",
    "https://192.168.0.1/card.json",
    "https://169.254.169.254/latest/meta-data",
    "https://metadata.google.internal",
    "https://user:secret@agents.example.com",
    "https://agents.example.com:22",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "agents.example.com",
    "https://",
  ])("are not looked for at %s", async (url) => {
    const fetch = hosting(cardOf("weather"));
    const problem = await refused("POST", "/api/v1/agents", register(await as("ada"), url));
    expect(problem).toMatchObject({ code: "invalid_request", field: "url" });
    expect(problem.detail).toMatch(/^url: .+\.$/);
    expect(fetch).not.toHaveBeenCalled();
  });

  test("are not called where their card sends us into a private network", async () => {
    hosting(cardOf("weather", "https://10.0.0.1/a2a"));
    const problem = await refused("POST", "/api/v1/agents", register(await as("ada"), "https://agents.example.com"));
    expect(problem).toMatchObject({ code: "invalid_request", field: "url" });
  });

  test("may live on one's own machine where that is allowed", async () => {
    const user = await as("dev");
    const env = { ...BY_SECRET, ALLOW_PRIVATE_AGENTS: "1" };
    hosting(cardOf("local weather", "http://localhost:9001/a2a"));
    const made = await ask("POST", "/api/v1/agents", { ...register(user, "http://localhost:9001"), env });
    expect(made).toMatchObject({ name: "local weather" });
  });

  test.each([
    ["nobody answers", () => Promise.reject(new TypeError("connect ECONNREFUSED"))],
    ["there is no card", () => Promise.resolve(new Response("no", { status: 404 }))],
    ["there is a page", () => Promise.resolve(new Response("<html>secret</html>"))],
    ["there is something else", () => Promise.resolve(Response.json({ hello: "secret" }))],
  ])("are not registered when %s", async (_, answer) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(answer);
    const problem = await refused("POST", "/api/v1/agents", register(await as("ada"), "https://agents.example.com"));
    expect(problem).toMatchObject({ status: 502, code: "agent_unreachable", field: "url" });
    expect(problem.detail).not.toMatch(/secret/);
  });
});

describe("the preview of one from elsewhere", () => {
  const preview = (user: Ask, url: string) => ask<Agent>("POST", "/api/v1/agents/preview", register(user, url));
  const URL = "https://agents.example.com";

  test("is what registering makes, and registers nothing", async () => {
    const user = await as("pia");
    hosting(cardOf("weather"));
    const shown = await preview(user, URL);
    expect(shown).toMatchObject({ name: "weather", source: "url", url: `${URL}/.well-known/agent-card.json` });
    expect(shown.skills).toMatchObject([{ id: "forecast" }]);
    expect((await agents(user)).map(({ name }) => name)).not.toContain("weather");
    expect(await refused("GET", "/api/v1/agents/weather", user)).toMatchObject({ code: "not_found" });
    expect(await ask("POST", "/api/v1/agents", register(user, URL))).toEqual(shown);
    expect(await preview(user, URL), "also of one that is registered").toEqual(shown);
  });

  test.each(["https://127.0.0.1", "https://169.254.169.254/latest", "http://agents.example.com", "agents", ""])(
    "does not look at %s",
    async (url) => {
      const fetch = hosting(cardOf("weather"));
      const user = await as("pia");
      const problem = await refused("POST", "/api/v1/agents/preview", register(user, url));
      expect(problem).toMatchObject({ code: "invalid_request", field: "url" });
      if (url !== "") expect(problem).toEqual(await refused("POST", "/api/v1/agents", register(user, url)));
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test("is refused as registering is: a card that leads inside, one that is too large, none, a name that is taken", async () => {
    const user = await as("pia");
    const large = { ...cardOf("weather"), description: "x".repeat(300_000) };
    const cases = [
      [cardOf("weather", "https://10.0.0.1/a2a"), 400],
      [large, 502],
      [{ hello: "secret" }, 502],
      [cardOf("Assistant"), 409],
    ] as const;
    for (const [card, status] of cases) {
      hosting(card);
      const problem = await refused("POST", "/api/v1/agents/preview", register(user, URL));
      expect(problem).toMatchObject({ status, field: "url" });
      expect(problem).toEqual(await refused("POST", "/api/v1/agents", register(user, URL)));
      vi.restoreAllMocks();
    }
    const body = { name: "x", description: "d", mcp: { binding: "MCP_NONE" } };
    expect(await refused("POST", "/api/v1/agents/preview", { ...user, body })).toMatchObject({ status: 400 });
  });

  test.each(["Preview", ".", "..", ".well-known"])(
    "leaves to no agent what it could not be reached by: %s",
    async (name) => {
      const user = await as("pia");
      hosting(cardOf(name));
      expect(await refused("POST", "/api/v1/agents", register(user, URL))).toMatchObject({ code: "conflict" });
    },
  );

  test("leaves its own name to no app either", async () => {
    const user = await as("pia");
    const body = { name: "preview", description: "d", mcp: { binding: "MCP_NONE" } };
    expect(await refused("POST", "/api/v1/agents", { ...user, body })).toMatchObject({
      code: "conflict",
      field: "name",
    });
  });
});
