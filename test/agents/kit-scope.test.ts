import * as z from "zod";
import { describe, expect, test, vi } from "vitest";
import type { AgentDefinition, AgentModel } from "../../src/agents/kit/agent.ts";
import { tool, type AgentTool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { assistantTools } from "../../src/agents/assistant/tools.ts";
import { createDispatcher } from "../../src/dispatch/dispatcher.ts";
import type { AgentEvent, AgentMetadata } from "../../src/protocol/agents/agent.ts";
import { parseSettings } from "../../src/settings.ts";
import { agentOf, collect, local, requestFor, runWith, textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";

const READ_ONLY: AgentMetadata = { scope: "read_only" };

function ledger() {
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

function clerk(tools: readonly AgentTool[], mayAsk = false): AgentDefinition {
  return toolAgent({ card: { name: "clerk" }, instructions: "Be brief.", tools, mayAsk });
}

describe("the read-only scope of a tool agent", () => {
  test("a tool is read-only when it says so, and never when it may ask for approval", () => {
    const { write, look, askFirst, mayAskFirst } = ledger();
    expect([write, look, askFirst, mayAskFirst].map(({ read_only }) => read_only)).toEqual([false, true, false, false]);
  });

  test("offers only the tools that look, and no question to the person", async () => {
    const { write, look, askFirst, mayAskFirst } = ledger();
    const model = scriptedModel([{ text: "fine" }, { text: "fine" }]);
    const agent = clerk([write, look, askFirst, mayAskFirst], true);
    await runWith(agent, requestFor("verify it", READ_ONLY), model);
    await runWith(agent, requestFor("do it"), model);
    expect(model.heard.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ["look"],
      ["write", "look", "ask_first", "may_ask_first", "ask_user"],
    ]);
  });

  test("a call of any other tool by its name does not run, and is told as such", async () => {
    const { done, write, look } = ledger();
    const model = scriptedModel([{ calls: [["write", "{}"]] }, { calls: [["ask_user", "{}"]] }, { text: "no" }]);
    const said = await runWith(clerk([write, look], true), requestFor("verify it", READ_ONLY), model);
    expect(done).toEqual([]);
    const results = said.flatMap((event) => (event.type === "tool_completed" ? [event] : []));
    expect(results).toMatchObject([
      { tool: "write", ran: false, result: "Error: there is no tool write. There are: look." },
      { tool: "ask_user", ran: false, result: "Error: there is no tool ask_user. There are: look." },
    ]);
  });

  test("a call that runs is not marked", async () => {
    const { done, look } = ledger();
    const model = scriptedModel([{ calls: [["look", "{}"]] }, { text: "there" }]);
    const said = await runWith(clerk([look]), requestFor("verify it", READ_ONLY), model);
    expect(done).toEqual(["look"]);
    expect(said.find(({ type }) => type === "tool_completed")).not.toHaveProperty("ran");
  });

  test("a tool that claims to be read-only and asks all the same is refused", async () => {
    const { done, askFirst } = ledger();
    const liar: AgentTool = { ...askFirst, read_only: true };
    const model = scriptedModel([{ calls: [["ask_first", "{}"]] }, { text: "no" }]);
    const said = await runWith(clerk([liar]), requestFor("verify it", READ_ONLY), model);
    expect(done).toEqual([]);
    expect(said.map(({ type }) => type)).not.toContain("input_required");
    expect(JSON.stringify(model.heard[1]?.messages.at(-1))).toContain("asks the person first");
  });

  test.each([
    ["verify it", undefined, /^I have no means of looking/],
    ["请验证", undefined, /^我没有只读的查看手段/],
    ["3+4", "zh-CN", /^我没有只读的查看手段/],
  ])(
    "with nothing to look with it says so, in the person's language, without a model: %s",
    async (query, language, words) => {
      const { write } = ledger();
      const model = scriptedModel([]);
      const metadata: AgentMetadata = { ...READ_ONLY, ...(language === undefined ? {} : { language }) };
      const said = await runWith(clerk([write], true), requestFor(query, metadata), model);
      expect(model.heard).toEqual([]);
      expect(textOf(said)).toMatch(words);
      expect(said.at(-1)).toEqual({ type: "completed" });
    },
  );
});

/** What an agent says over A2A, asked as the runtime asks. */
async function over(agent: AgentDefinition, metadata: AgentMetadata, model?: AgentModel): Promise<AgentEvent[]> {
  const agents = createDispatcher({
    bindings: { AGENT_X: local(agent, model) },
    userId: "user-1",
    hosted: async () => [],
    remote: async () => [],
    disabled: async () => new Set(),
    settings: parseSettings({}),
    report: () => undefined,
  });
  const [known] = await agents.list();
  if (known === undefined) throw new Error("no agent");
  return collect(agents.run(known, requestFor("verify it", metadata), new AbortController().signal));
}

describe("the read-only scope of any other agent", () => {
  const act = vi.fn<() => void>();
  const actor = agentOf(async function* () {
    act();
    yield { type: "text", text: "acted" };
  });

  test("is not run, and the kit answers for it", async () => {
    const events = await over(actor, READ_ONLY);
    expect(act).not.toHaveBeenCalled();
    expect(textOf(events)).toMatch(/^I have no means of looking/);
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("runs when it says that it honours the scope, and without the scope", async () => {
    act.mockClear();
    expect(textOf(await over({ ...actor, honours_scope: true }, READ_ONLY))).toBe("acted");
    expect(textOf(await over(actor, {}))).toBe("acted");
    expect(act).toHaveBeenCalledTimes(2);
  });
});

test("the scope reaches a tool agent over A2A", async () => {
  const { write, look } = ledger();
  const model = scriptedModel([{ text: "fine" }]);
  await over(clerk([write, look]), READ_ONLY, model);
  expect(model.heard[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
});

test("the assistant can look at the clock and reckon, and draws no new number", () => {
  const marked = assistantTools.filter(({ read_only }) => read_only).map(({ name }) => name);
  expect(marked).toEqual(["current_time", "calculate", "text_statistics", "transform_text", "replace_text"]);
});
