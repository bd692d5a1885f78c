import { describe, expect, test } from "vitest";
import type { ModelAgentDefinition } from "../../src/agents/kit/agent.ts";
import type { AgentEvent, AgentRequest } from "../../src/protocol/agents/agent.ts";
import { parseHostedAgentUrl } from "../../src/protocol/agents/hosted-agent-url.ts";
import {
  createAgent,
  collect,
  stringLike,
  type LocalAgent,
  createLocalAgent,
  createRequest,
  createScriptedAgent,
  joinTextEvents,
} from "../agents/fixtures/local-agent.ts";
import { createTestDispatcher } from "./fixtures/test-dispatcher.ts";

const never = new AbortController().signal;

async function runFirstAgent(bindings: Record<string, unknown>, request = createRequest("go")): Promise<AgentEvent[]> {
  const { agents } = createTestDispatcher(bindings);
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  return collect(agents.run(agent, request, never));
}

const createNamedAgent = (name: string, rest: Partial<ModelAgentDefinition["card"]> = {}): ModelAgentDefinition =>
  createAgent(async function* () {}, { name, ...rest });

describe("cancel()", () => {
  test("[T5] sends the agent its checkpoint, because another isolate may receive it", async () => {
    const dismissed: AgentRequest[] = [];
    const asker = {
      ...createNamedAgent("asker"),
      dismiss: async (request: AgentRequest) => void dismissed.push(request),
    };
    const { agents } = createTestDispatcher({ AGENT_ASKER: createLocalAgent(asker) });
    const [agent] = await agents.list();
    if (agent === undefined) throw new Error("no agent");
    await agents.cancel(agent, "task-theirs");
    expect(dismissed).toEqual([]);
    await agents.cancel(agent, "task-theirs", { task_id: "task-ours", checkpoint: '{"seats":2}' });
    expect(dismissed).toMatchObject([{ task_id: "task-ours", checkpoint: '{"seats":2}' }]);
  });
});

describe("list()", () => {
  test("[F83] returns the agents of bindings, including card fields that A2A lacks", async () => {
    const card = {
      name: "clock",
      display_name: "Clock",
      planner_passthrough: true,
      hidden: true,
      skills: [{ id: "s", name: "S", description: "d" }],
    };
    const { agents } = createTestDispatcher({
      AGENT_CLOCK: createLocalAgent(createAgent(async function* () {}, card)),
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

  test("returns registered agents, respects disabled ones and prefers bindings for a taken name", async () => {
    const createCard = (name: string) => ({ ...BLANK_CARD, name });
    const { agents } = createTestDispatcher(
      { AGENT_A: createLocalAgent(createNamedAgent("a")), AGENT_B: createLocalAgent(createNamedAgent("b")) },
      {
        disabled: async () => new Set(["b", "d"]),
        remote: async () => [
          { card: createCard("a"), url: "https://x.dev/1", enabled: true },
          { card: createCard("c"), url: "https://x.dev/2", enabled: true },
          { card: createCard("d"), url: "https://x.dev/3", enabled: true },
          { card: createCard("e"), url: "https://x.dev/4", enabled: false },
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

  test("returns a user's hosted agents unless their name is taken", async () => {
    const createCard = (name: string) => ({ ...BLANK_CARD, name });
    const { agents } = createTestDispatcher(
      { AGENT_T: createLocalAgent(createNamedAgent("t")) },
      {
        disabled: async () => new Set(["w"]),
        remote: async () => [{ card: createCard("u"), url: "https://x.dev/1", enabled: true }],
        hosted: async () => [
          { card: createCard("t"), source: "app", enabled: true },
          { card: createCard("u"), source: "app", enabled: true },
          { card: createCard("v"), source: "app", enabled: true },
          { card: createCard("v"), source: "plan", enabled: true },
          { card: createCard("w"), source: "plan", enabled: true },
          { card: createCard("x"), source: "plan", enabled: false },
        ],
      },
    );
    expect((await agents.list()).map(({ name, source, enabled }) => [name, source, enabled])).toEqual([
      ["t", "binding", true],
      ["u", "url", true],
      ["v", "app", true],
      ["w", "plan", false],
      ["x", "plan", false],
    ]);
  });
});

describe("run() on a hosted agent", () => {
  const hosted = (source: "app" | "plan") => ({ ...BLANK_CARD, name: "a b/ü", source, enabled: true });

  test.each([
    ["APPS", "app"],
    ["PLANS", "plan"],
  ] as const)("[U1] tells the binding %s whose agent it is and who asks", async (binding, source) => {
    const host = createLocalAgent(createScriptedAgent({ type: "text", text: "hi" }));
    const { agents } = createTestDispatcher({ [binding]: host }, { userId: "me@x/y" });
    const events = await collect(agents.run(hosted(source), createRequest("go", { user_id: "me@x/y" }), never));
    expect(events.at(-1)).toEqual({ type: "completed" });
    const [request] = host.requests;
    expect(parseHostedAgentUrl(request?.url ?? "")).toEqual({ user_id: "me@x/y", name: "a b/ü" });
    expect(await request?.text()).toContain('"user_id":"me@x/y"');
  });

  test("[A1] fails without the binding", async () => {
    const { agents } = createTestDispatcher({});
    expect(await collect(agents.run(hosted("app"), createRequest("go"), never))).toEqual([
      { type: "failed", code: "agent_unreachable", reason: "This deployment can’t run the agent a b/ü." },
    ]);
  });

  test.each([
    "https://h/",
    "https://h/user",
    "https://h/user/",
    "https://h//agent",
    "https://h/a/b/c",
    "https://h/%/b",
  ])("rejects the URL %s", (url) => expect(parseHostedAgentUrl(url)).toBeNull());
});

describe("run() on a binding", () => {
  test("[F84] returns all events of an async generator in order", async () => {
    const sent = [
      { type: "reasoning", text: "hm" },
      { type: "tool_started", call_id: "1", tool: "t", arguments: "{}" },
      { type: "tool_completed", call_id: "1", tool: "t", arguments: "{}", result: "r" },
      { type: "text", text: "hello" },
      { type: "notification", text: "n" },
      { type: "component", component_type: "report", content: "{}", component_id: "c" },
      { type: "usage", usage: { model_calls: 1, input_tokens: 2, output_tokens: 3 } },
    ] as const;
    expect(await runFirstAgent({ AGENT_X: createLocalAgent(createScriptedAgent(...sent)) })).toEqual([
      { type: "accepted", remote_task_id: stringLike(/^task-/) },
      ...sent,
      { type: "completed" },
    ]);
  });

  test.each([
    ["streams", true, "SendStreamingMessage"],
    ["does not stream", false, "SendMessage"],
  ])("calls an agent that %s with the right method and returns the same text", async (_name, streaming, method) => {
    const card = { capabilities: { streaming, push_notifications: false } };
    const agent = createLocalAgent(
      createAgent(async function* () {
        yield { type: "component", component_type: "report", content: "{}" };
        yield { type: "text", text: "a" };
        yield { type: "text", text: "b" };
      }, card),
    );
    const events = await runFirstAgent({ AGENT_X: agent });
    expect(joinTextEvents(events)).toBe("ab");
    expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
      "accepted",
      "component",
      "completed",
    ]);
    expect(await readBody(agent)).toMatchObject({ method });
  });

  test("[F45] [F88] passes ids, language and dependencies to the agent", async () => {
    let received: unknown;
    const agent = createLocalAgent(
      createAgent(async function* (request) {
        received = request;
        yield { type: "completed" };
      }),
    );
    const dependencies = [{ task_id: "task-0", title: "T", agent_name: "a", result: "r" }];
    const request = createRequest("查询", {
      user_id: "u",
      language: "zh-CN",
      timezone: "Asia/Shanghai",
      user_profile: { a: 1 },
      current_context: { b: 2 },
      dependencies,
    });
    await runFirstAgent({ AGENT_X: agent }, request);
    expect(received).toEqual(request);
    const { params } = (await readBody(agent)) as { params: { message: Record<string, unknown> } };
    expect(params.message).toMatchObject({
      messageId: "msg-1",
      contextId: "conv-1",
      role: "ROLE_USER",
      metadata: { language: "zh-CN", dependencies },
    });
  });

  test("sends no credentials of the user", async () => {
    const agent = createLocalAgent(createScriptedAgent());
    await runFirstAgent({ AGENT_X: agent });
    for (const request of agent.requests) {
      expect([...request.headers.keys()].filter((name) => /auth|cookie|token/.test(name))).toEqual([]);
    }
  });

  test("keeps reason and code of a failure", async () => {
    expect(
      (
        await runFirstAgent({
          AGENT_X: createLocalAgent(createScriptedAgent({ type: "failed", reason: "No money.", code: "broke" })),
        })
      ).at(-1),
    ).toEqual({
      type: "failed",
      reason: "No money.",
      code: "broke",
    });
  });

  test.each([
    [{ type: "failed", reason: " \n" }, { reason: "The agent failed without giving a reason." }],
    [
      { type: "failed", reason: "", code: "broke" },
      { reason: "The agent failed without giving a reason.", code: "broke" },
    ],
    [{ type: "input_required", prompt: "" }, { prompt: "The agent needs more information." }],
  ] as const)("[T3] adds a default text to an end without one: %j", async (end, words) => {
    expect((await runFirstAgent({ AGENT_X: createLocalAgent(createScriptedAgent(end)) })).at(-1)).toMatchObject({
      type: end.type,
      ...words,
    });
  });

  test("returns 10,000 text events completely", async () => {
    const agent = createLocalAgent(
      createAgent(async function* () {
        for (let i = 0; i < 10_000; i += 1) yield { type: "text", text: `${i},` };
      }),
    );
    expect(joinTextEvents(await runFirstAgent({ AGENT_X: agent }))).toBe(
      Array.from({ length: 10_000 }, (_, i) => `${i},`).join(""),
    );
  });
});

const BLANK_CARD = {
  description: "",
  version: "1",
  skills: [],
  capabilities: { streaming: true, push_notifications: false },
  planner_passthrough: false,
  hidden: false,
};

async function readBody(agent: LocalAgent): Promise<unknown> {
  const request = agent.requests.find(({ method }) => method === "POST");
  return request?.clone().json();
}
