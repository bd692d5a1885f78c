import { describe, expect, test } from "vitest";
import type { AgentDefinition } from "../../src/agents/kit/agent.ts";
import type { AgentEvent, AgentRequest } from "../../src/protocol/agents/agent.ts";
import { parseHostedAgentUrl } from "../../src/protocol/agents/hosted-agent-url.ts";
import { agentOf, collect, like, type Local, local, requestFor, scripted, textOf } from "../agents/fixtures/local.ts";
import { world } from "./fixtures/world.ts";

const never = new AbortController().signal;

async function ask(bindings: Record<string, unknown>, request = requestFor("go")): Promise<AgentEvent[]> {
  const { agents } = world(bindings);
  const [agent] = await agents.list();
  if (agent === undefined) throw new Error("no agent");
  return collect(agents.run(agent, request, never));
}

const named = (name: string, rest: Partial<AgentDefinition["card"]> = {}): AgentDefinition =>
  agentOf(async function* () {}, { name, ...rest });

describe("cancelling", () => {
  test("[T5] brings along what the agent had left with its question, for it may be another isolate's", async () => {
    const told: AgentRequest[] = [];
    const asker = { ...named("asker"), dismiss: async (request: AgentRequest) => void told.push(request) };
    const { agents } = world({ AGENT_ASKER: local(asker) });
    const [agent] = await agents.list();
    if (agent === undefined) throw new Error("no agent");
    await agents.cancel(agent, "task-theirs");
    expect(told).toEqual([]);
    await agents.cancel(agent, "task-theirs", { task_id: "task-ours", checkpoint: '{"seats":2}' });
    expect(told).toMatchObject([{ task_id: "task-ours", checkpoint: '{"seats":2}' }]);
  });
});

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

  test("what a user has stored joins in, unless its name is taken", async () => {
    const cardOf = (name: string) => ({ ...blank, name });
    const { agents } = world(
      { AGENT_T: local(named("t")) },
      {
        disabled: async () => new Set(["w"]),
        remote: async () => [{ card: cardOf("u"), url: "https://x.dev/1", enabled: true }],
        hosted: async () => [
          { card: cardOf("t"), source: "app", enabled: true },
          { card: cardOf("u"), source: "app", enabled: true },
          { card: cardOf("v"), source: "app", enabled: true },
          { card: cardOf("v"), source: "plan", enabled: true },
          { card: cardOf("w"), source: "plan", enabled: true },
          { card: cardOf("x"), source: "plan", enabled: false },
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

describe("run on a hosted agent", () => {
  const hosted = (source: "app" | "plan") => ({ ...blank, name: "a b/ü", source, enabled: true });

  test.each([
    ["APPS", "app"],
    ["PLANS", "plan"],
  ] as const)("U1: the binding %s is told whose agent it is, and who asks", async (binding, source) => {
    const host = local(scripted({ type: "text", text: "hi" }));
    const { agents } = world({ [binding]: host }, { userId: "me@x/y" });
    const events = await collect(agents.run(hosted(source), requestFor("go", { user_id: "me@x/y" }), never));
    expect(events.at(-1)).toEqual({ type: "completed" });
    const [request] = host.requests;
    expect(parseHostedAgentUrl(request?.url ?? "")).toEqual({ user_id: "me@x/y", name: "a b/ü" });
    expect(await request?.text()).toContain('"user_id":"me@x/y"');
  });

  test("A1: without the binding the run fails", async () => {
    const { agents } = world({});
    expect(await collect(agents.run(hosted("app"), requestFor("go"), never))).toEqual([
      { type: "failed", code: "agent_unreachable", reason: "This deployment cannot run the agent a b/ü." },
    ]);
  });

  test.each([
    "https://h/",
    "https://h/user",
    "https://h/user/",
    "https://h//agent",
    "https://h/a/b/c",
    "https://h/%/b",
  ])("the address %s names nobody", (url) => expect(parseHostedAgentUrl(url)).toBeNull());
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
      { type: "accepted", remote_task_id: like(/^task-/) },
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
        yield { type: "completed" };
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

  test.each([
    [{ type: "failed", reason: " \n" }, { reason: "The agent failed and gave no reason." }],
    [
      { type: "failed", reason: "", code: "broke" },
      { reason: "The agent failed and gave no reason.", code: "broke" },
    ],
    [{ type: "input_required", prompt: "" }, { prompt: "The agent needs more information." }],
  ] as const)("[T3] an end without words has some: %j", async (end, words) => {
    expect((await ask({ AGENT_X: local(scripted(end)) })).at(-1)).toMatchObject({ type: end.type, ...words });
  });

  test("10,000 events of text arrive whole", async () => {
    const agent = local(
      agentOf(async function* () {
        for (let i = 0; i < 10_000; i += 1) yield { type: "text", text: `${i},` };
      }),
    );
    expect(textOf(await ask({ AGENT_X: agent }))).toBe(Array.from({ length: 10_000 }, (_, i) => `${i},`).join(""));
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

async function bodyOf(agent: Local): Promise<unknown> {
  const request = agent.requests.find(({ method }) => method === "POST");
  return request?.clone().json();
}
