import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AgentDefinition } from "../../src/agents/kit/agent.ts";
import { createAgents, type AgentsOptions } from "../../src/dispatch/agents.ts";
import type { Agent, AgentEvent } from "../../src/protocol/agent.ts";
import { readSettings } from "../../src/settings.ts";
import { agentOf, collect, local, requestFor, scripted, textOf, type Local } from "../agents/fixtures/local.ts";
import { cardAt, sse, words } from "./fixtures/bad-server.ts";

const never = new AbortController().signal;

function world(bindings: Record<string, unknown>, given: Partial<AgentsOptions> = {}) {
  const reported: unknown[] = [];
  const agents = createAgents({
    bindings,
    remote: async () => [],
    disabled: async () => new Set(),
    settings: readSettings({}),
    report: (thrown) => reported.push(thrown),
    ...given,
  });
  return { agents, reported };
}

async function ask(bindings: Record<string, unknown>, request = requestFor("go")): Promise<AgentEvent[]> {
  const { agents } = world(bindings);
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  return collect(agents.run(agent, request, never));
}

const named = (name: string, rest: Partial<AgentDefinition["card"]> = {}): AgentDefinition =>
  agentOf(async function* () {}, { name, ...rest });

describe("list", () => {
  test("F83: knows the agents behind its bindings, with what A2A has no place for", async () => {
    const card = {
      name: "clock",
      display_name: "Clock",
      planner_passthrough: true,
      hidden: true,
      skills: [{ id: "s", name: "S", description: "d" }],
    };
    const { agents } = world({
      AGENT_CLOCK: local(agentOf(async function* () {}, card)),
      DB: {},
      OPENAI_API_KEY: "k",
      AGENT_MODEL: "m",
    });
    expect(await agents.list()).toEqual([
      {
        name: "clock",
        display_name: "Clock",
        description: "Repeats what it is told.",
        version: "0.0.0",
        skills: [{ id: "s", name: "S", description: "d", tags: [], examples: [] }],
        capabilities: { streaming: true, push_notifications: false },
        planner_passthrough: true,
        hidden: true,
        source: "binding",
        enabled: true,
      },
    ]);
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

  test("registered agents join in; switched off is switched off; a taken name stays with the binding", async () => {
    const cardOf = (name: string) => ({ ...blank, name });
    const { agents } = world(
      { AGENT_A: local(named("a")), AGENT_B: local(named("b")) },
      {
        disabled: async () => new Set(["b", "d"]),
        remote: async () => [
          { card: cardOf("a"), url: "https://x.dev/1", enabled: true },
          { card: cardOf("c"), url: "https://x.dev/2", enabled: true },
          { card: cardOf("d"), url: "https://x.dev/3", enabled: true },
          { card: cardOf("e"), url: "https://x.dev/4", enabled: false },
        ],
      },
    );
    expect((await agents.list()).map(({ name, source, enabled }) => [name, source, enabled])).toEqual([
      ["a", "binding", true],
      ["b", "binding", false],
      ["c", "url", true],
      ["d", "url", false],
      ["e", "url", false],
    ]);
  });

  test("a card is read once per isolate", async () => {
    const binding = local(named("once"));
    await Promise.all([world({ AGENT_ONCE: binding }).agents.list(), world({ AGENT_ONCE: binding }).agents.list()]);
    const before = binding.requests.length;
    await world({ AGENT_ONCE: binding }).agents.list();
    expect(binding.requests.length).toBe(before);
  });
});

describe("run on a binding", () => {
  test("F84: an async generator is an agent: all it says arrives, in order", async () => {
    const said = [
      { type: "reasoning", text: "hm" },
      { type: "tool_started", call_id: "1", tool: "t", arguments: "{}" },
      { type: "tool_completed", call_id: "1", tool: "t", arguments: "{}", result: "r" },
      { type: "text", text: "hello" },
      { type: "notification", text: "n" },
      { type: "component", component_type: "report", content: "{}", component_id: "c" },
      { type: "usage", usage: { model_calls: 1, input_tokens: 2, output_tokens: 3 } },
    ] as const;
    expect(await ask({ AGENT_X: local(scripted(...said)) })).toEqual([
      { type: "accepted", remote_task_id: expect.stringMatching(/^task-/) },
      ...said,
      { type: "completed" },
    ]);
  });

  test.each([
    ["streams", true, "SendStreamingMessage"],
    ["does not stream", false, "SendMessage"],
  ])("an agent that %s is asked by the right method and says the same", async (_name, streaming, method) => {
    const card = { capabilities: { streaming, push_notifications: false } };
    const agent = local(
      agentOf(async function* () {
        yield { type: "component", component_type: "report", content: "{}" };
        yield { type: "text", text: "a" };
        yield { type: "text", text: "b" };
      }, card),
    );
    const events = await ask({ AGENT_X: agent });
    expect(textOf(events)).toBe("ab");
    expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
      "accepted",
      "component",
      "completed",
    ]);
    expect(await bodyOf(agent)).toMatchObject({ method });
  });

  test("F45 F88: the agent receives the ids, the language and what came before", async () => {
    let heard: unknown;
    const agent = local(
      agentOf(async function* (request) {
        heard = request;
      }),
    );
    const dependencies = [{ task_id: "task-0", title: "T", agent_name: "a", result: "r" }];
    const request = requestFor("查询", {
      user_id: "u",
      language: "zh-CN",
      timezone: "Asia/Shanghai",
      user_profile: { a: 1 },
      current_context: { b: 2 },
      dependencies,
    });
    await ask({ AGENT_X: agent }, request);
    expect(heard).toEqual(request);
    const { params } = (await bodyOf(agent)) as { params: { message: Record<string, unknown> } };
    expect(params.message).toMatchObject({
      messageId: "msg-1",
      contextId: "conv-1",
      role: "ROLE_USER",
      metadata: { language: "zh-CN", dependencies },
    });
  });

  test("no credentials of the person are sent along", async () => {
    const agent = local(scripted());
    await ask({ AGENT_X: agent });
    for (const request of agent.requests) {
      expect([...request.headers.keys()].filter((name) => /auth|cookie|token/.test(name))).toEqual([]);
    }
  });

  test("a failure keeps the agent's reason and code", async () => {
    expect(
      (await ask({ AGENT_X: local(scripted({ type: "failed", reason: "No money.", code: "broke" })) })).at(-1),
    ).toEqual({
      type: "failed",
      reason: "No money.",
      code: "broke",
    });
  });

  test("10,000 events of text arrive whole", async () => {
    const agent = local(
      agentOf(async function* () {
        for (let i = 0; i < 10_000; i += 1) yield { type: "text", text: `${i},` };
      }),
    );
    expect(textOf(await ask({ AGENT_X: agent }))).toBe(Array.from({ length: 10_000 }, (_, i) => `${i},`).join(""));
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
});

describe("run on a URL", () => {
  let peers: Record<string, Local>;
  beforeEach(() => {
    peers = {};
    const reach = (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input);
      const peer = peers[new URL(url).host];
      return peer === undefined ? Promise.reject(new TypeError("no route")) : peer.fetch(url, init);
    };
    vi.stubGlobal("fetch", reach);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function runAt(url: string, request = requestFor("go", { user_id: "u-1", language: "en" })): Promise<AgentEvent[]> {
    return collect(world({}).agents.run(at(url), request, never));
  }

  test("F85: two calls to one base URL reuse one client", async () => {
    const peer = local(scripted({ type: "text", text: "hi" }));
    peers["one.dev"] = peer;
    for (let i = 0; i < 2; i += 1)
      expect(textOf(await runAt("https://one.dev/.well-known/agent-card.json"))).toBe("hi");
    expect(peer.requests.map(({ method }) => method)).toEqual(["GET", "POST", "POST"]);
  });

  test("the person's id is not told to agents elsewhere", async () => {
    const peer = local(scripted());
    peers["two.dev"] = peer;
    await runAt("https://two.dev/.well-known/agent-card.json");
    expect(JSON.stringify(await bodyOf(peer))).not.toContain("u-1");
    expect(await bodyOf(peer)).toMatchObject({ params: { message: { metadata: { language: "en" } } } });
  });

  test("a card whose interface points into a private network is not followed", async () => {
    peers["three.dev"] = answering(() => Response.json(cardAt("https://169.254.169.254/")));
    expect(await runAt("https://three.dev/.well-known/agent-card.json")).toEqual([
      { type: "failed", reason: expect.any(String), code: "agent_unreachable" },
    ]);
  });

  test("a 0.3 agent is spoken to in 0.3", async () => {
    const peer = local(
      scripted({ type: "reasoning", text: "hm" }, { type: "text", text: "old" }, { type: "text", text: " friend" }),
    );
    peers["legacy.dev"] = peer;
    const fetchNew = peer.fetch;
    const card = {
      name: "old",
      description: "",
      url: "https://legacy.dev/rpc",
      protocolVersion: "0.3.0",
      capabilities: { streaming: true },
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      version: "1",
    };
    peers["legacy.dev"] = {
      ...peer,
      fetch: (url, init) => (init?.method === "POST" ? fetchNew(url, init) : Promise.resolve(Response.json(card))),
    };
    const events = await runAt("https://legacy.dev/.well-known/agent-card.json");
    expect(await bodyOf(peer)).toMatchObject({
      method: "message/stream",
      params: { message: { kind: "message", messageId: "msg-1", parts: [{ kind: "text", text: "go" }] } },
    });
    expect(peer.requests[0]?.url).toBe("https://legacy.dev/rpc");
    expect(textOf(events)).toBe("old friend");
    expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
      "accepted",
      "reasoning",
      "completed",
    ]);
  });

  test("a long task of an agent that answers at once is asked for until it ends", async () => {
    let asked = 0;
    const state = () => (asked < 3 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED");
    const task = () => ({
      id: "t",
      contextId: "c",
      status: { state: state() },
      artifacts: asked < 2 ? [] : [{ artifactId: "a", parts: [{ text: "x".repeat(asked) }] }],
    });
    peers["slow.dev"] = answering(async (request) => {
      if (request.method === "GET") return Response.json(cardAt("https://slow.dev/", { capabilities: {} }));
      const { method, id } = (await request.json()) as { method: string; id: number };
      asked += 1;
      return Response.json({ jsonrpc: "2.0", id, result: method === "SendMessage" ? { task: task() } : task() });
    });
    const events = await runAt("https://slow.dev/.well-known/agent-card.json");
    expect(textOf(events)).toBe("xxx");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("a stream that ends before its task is taken up again by asking", async () => {
    peers["half.dev"] = answering(async (request) => {
      if (request.method === "GET") return Response.json(cardAt("https://half.dev/"));
      const { method, id } = (await request.json()) as { method: string; id: number };
      const done = {
        id: "t-1",
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ artifactId: "a", parts: [{ text: "all of it" }] }],
      };
      if (method === "GetTask") return Response.json({ jsonrpc: "2.0", id, result: done });
      return new Response(sse(words("all of")), { headers: { "content-type": "text/event-stream" } });
    });
    const events = await runAt("https://half.dev/.well-known/agent-card.json");
    expect(textOf(events)).toBe("all of it");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });
});

const blank = {
  description: "",
  version: "1",
  skills: [],
  capabilities: { streaming: true, push_notifications: false },
  planner_passthrough: false,
  hidden: false,
};

function at(url: string): Agent {
  return { ...blank, name: "remote", source: "url", url, enabled: true };
}

function answering(answer: (request: Request) => Response | Promise<Response>): Local {
  return { requests: [], background: [], fetch: async (url, init) => answer(new Request(url, init)) };
}

async function bodyOf(agent: Local): Promise<unknown> {
  const request = agent.requests.find(({ method }) => method === "POST");
  return request?.clone().json();
}
