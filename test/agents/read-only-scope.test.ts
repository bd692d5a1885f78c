import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import type { ModelAgentDefinition, AgentModel } from "../../src/agents/kit/agent.ts";
import { tool, type AgentTool } from "../../src/agents/kit/tools/tool.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import { assistantTools } from "../../src/agents/assistant/tools.ts";
import { createDispatcher } from "../../src/dispatch/dispatcher.ts";
import type { AgentEvent, AgentMetadata } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import {
  createAgent,
  collect,
  createLocalAgent,
  createRequest,
  runAgent,
  joinTextEvents,
} from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";

const READ_ONLY: AgentMetadata = { scope: "read_only" };

function createTools() {
  const done: string[] = [];
  const make = (name: string, more: Partial<Parameters<typeof tool>[0]> = {}): AgentTool =>
    tool({ name, description: name, parameters: z.object({}), run: () => done.push(name), ...more });
  return {
    done,
    write: make("write"),
    look: make("look", { read_only: true }),
    askFirst: make("ask_first", { read_only: true, needs_approval: true }),
    mayAskFirst: make("may_ask_first", { read_only: true, needs_approval: () => false }),
  };
}

function createScopedAgent(tools: readonly AgentTool[], mayAsk = false): ModelAgentDefinition {
  return toolAgent({ card: { name: "clerk" }, instructions: "Be brief.", tools, mayAsk });
}

describe("the read-only scope of a tool agent", () => {
  test("is set by a tool that declares it and may never ask for approval", () => {
    const { write, look, askFirst, mayAskFirst } = createTools();
    expect([write, look, askFirst, mayAskFirst].map(({ read_only }) => read_only)).toEqual([false, true, false, false]);
  });

  test("offers only read-only tools, and no question to the user", async () => {
    const { write, look, askFirst, mayAskFirst } = createTools();
    const model = scriptedModel([{ text: "fine" }, { text: "fine" }]);
    const agent = createScopedAgent([write, look, askFirst, mayAskFirst], true);
    await runAgent(agent, createRequest("verify it", READ_ONLY), model);
    await runAgent(agent, createRequest("do it"), model);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["look"],
      ["write", "look", "ask_first", "may_ask_first", "ask_user"],
    ]);
  });

  test("rejects a call of any other tool, and marks it as not run", async () => {
    const { done, write, look } = createTools();
    const model = scriptedModel([{ calls: [["write", "{}"]] }, { calls: [["ask_user", "{}"]] }, { text: "no" }]);
    const events = await runAgent(createScopedAgent([write, look], true), createRequest("verify it", READ_ONLY), model);
    expect(done).toEqual([]);
    const results = events.flatMap((event) => (event.type === "tool_completed" ? [event] : []));
    expect(results).toMatchObject([
      { tool: "write", ran: false, result: "Error: there is no tool write. There are: look." },
      { tool: "ask_user", ran: false, result: "Error: there is no tool ask_user. There are: look." },
    ]);
  });

  test("does not mark a call that runs", async () => {
    const { done, look } = createTools();
    const model = scriptedModel([{ calls: [["look", "{}"]] }, { text: "there" }]);
    const events = await runAgent(createScopedAgent([look]), createRequest("verify it", READ_ONLY), model);
    expect(done).toEqual(["look"]);
    expect(events.find(({ type }) => type === "tool_completed")).not.toHaveProperty("ran");
  });

  test("rejects a tool that claims to be read-only but asks for approval", async () => {
    const { done, askFirst } = createTools();
    const mislabelled: AgentTool = { ...askFirst, read_only: true };
    const model = scriptedModel([{ calls: [["ask_first", "{}"]] }, { text: "no" }]);
    const events = await runAgent(createScopedAgent([mislabelled]), createRequest("verify it", READ_ONLY), model);
    expect(done).toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain("input_required");
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("asks the person first");
  });

  test.each([
    ["verify it", undefined, /^I have no read-only tools/],
    ["请验证", undefined, /^我没有可用于核验的只读工具/],
    ["3+4", "zh-CN", /^我没有可用于核验的只读工具/],
  ])(
    "answers in the language of the user, without a model, when no tool is read-only: %s",
    async (query, language, pattern) => {
      const { write } = createTools();
      const model = scriptedModel([]);
      const metadata: AgentMetadata = { ...READ_ONLY, ...(language === undefined ? {} : { language }) };
      const events = await runAgent(createScopedAgent([write], true), createRequest(query, metadata), model);
      expect(model.requests).toEqual([]);
      expect(joinTextEvents(events)).toMatch(pattern);
      expect(events.at(-1)).toEqual({ type: "completed" });
    },
  );
});

/** Runs an agent over A2A, called as the runtime calls it. */
async function runOverA2a(
  agent: ModelAgentDefinition,
  metadata: AgentMetadata,
  model?: AgentModel,
): Promise<AgentEvent[]> {
  const agents = createDispatcher({
    bindings: { AGENT_X: createLocalAgent(agent, model) },
    userId: "user-1",
    hosted: async () => [],
    remote: async () => [],
    disabled: async () => new Set(),
    settings: parseSettings({}),
    report: () => undefined,
  });
  const [listed] = await agents.list();
  if (listed === undefined) throw new Error("no agent");
  return collect(agents.run(listed, createRequest("verify it", metadata), new AbortController().signal));
}

describe("the read-only scope of any other agent", () => {
  const act = vi.fn<() => void>();
  const actor = createAgent(async function* () {
    act();
    yield { type: "text", text: "acted" };
  });

  test("prevents its run, and the kit answers instead", async () => {
    const events = await runOverA2a(actor, READ_ONLY);
    expect(act).not.toHaveBeenCalled();
    expect(joinTextEvents(events)).toMatch(/^I have no read-only tools/);
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("allows its run when the agent declares that it honours the scope, and without the scope", async () => {
    act.mockClear();
    expect(joinTextEvents(await runOverA2a({ ...actor, honours_scope: true }, READ_ONLY))).toBe("acted");
    expect(joinTextEvents(await runOverA2a(actor, {}))).toBe("acted");
    expect(act).toHaveBeenCalledTimes(2);
  });
});

test("the read-only scope reaches a tool agent over A2A", async () => {
  const { write, look } = createTools();
  const model = scriptedModel([{ text: "fine" }]);
  await runOverA2a(createScopedAgent([write, look]), READ_ONLY, model);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
});

test("the assistant marks all its tools as read-only except random_number", () => {
  const marked = assistantTools.filter(({ read_only }) => read_only).map(({ name }) => name);
  expect(marked).toEqual(["current_time", "calculate", "text_statistics", "transform_text", "replace_text"]);
});
