import * as z from "zod";
import { describe, expect, test } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { tool } from "../../src/agents/kit/tool.ts";
import { toolAgent } from "../../src/agents/kit/tool-agent.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { bank, clerk, questionIn } from "./fixtures/clerk.ts";
import { agentOf, local, requestFor, runWith, textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { runtimeOf } from "./fixtures/runtime.ts";
import { request, rpc, streamed } from "./fixtures/wire.ts";

const ran: { name: string; call_id: string }[] = [];
const noted = (name: string, size = 1) =>
  tool({
    name,
    description: "",
    parameters: z.object({}),
    run: (_, { call_id }) => {
      ran.push({ name, call_id });
      return name.repeat(size);
    },
  });

const twoTools = () =>
  scriptedModel([
    {
      text: "Working. ",
      calls: [
        ["a", "{}"],
        ["b", "{}"],
      ],
    },
    { text: "Done." },
  ]);

function run(model: AgentModel, checkpoint?: string): Promise<AgentRunEvent[]> {
  const agent = toolAgent({ card: { name: "x" }, instructions: "", tools: [noted("a"), noted("b")] });
  return runWith(agent, { ...requestFor("go"), ...(checkpoint === undefined ? {} : { checkpoint }) }, model);
}

const statesIn = (said: readonly AgentRunEvent[]) =>
  said.flatMap((one) => (one.type === "checkpoint" ? [one.state] : []));

describe("T4: a tool agent that was interrupted", () => {
  test.each([0, 1, 2])("goes on from checkpoint %i and repeats nothing that had finished", async (at) => {
    ran.length = 0;
    const whole = await run(twoTools());
    const all = [...ran];
    const states = statesIn(whole);
    expect(states).toHaveLength(3);
    const before = whole.slice(
      0,
      whole.findIndex((one) => one.type === "checkpoint" && one.state === states[at]),
    );
    ran.length = 0;
    const model = scriptedModel([{ text: "Done." }]);
    const rest = await run(model, states[at]);
    expect(ran).toEqual(all.slice(at));
    expect(model.heard).toHaveLength(1);
    expect(model.heard[0]?.messages.slice(2)).toEqual([
      expect.objectContaining({ role: "assistant", content: "Working. " }) as unknown,
      { role: "tool", toolCallId: "c0", content: "a" },
      { role: "tool", toolCallId: "c1", content: "b" },
    ]);
    expect(textOf([...before, ...rest])).toBe("Working. Done.");
    expect(statesIn(rest)).toEqual(states.slice(at + 1));
  });

  test("gives none where nothing is lost without it", async () => {
    expect(statesIn(await run(scriptedModel([{ text: "Just this." }])))).toEqual([]);
  });

  test("an approved call is not in a checkpoint before it has its result", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", '{"to":"Bob","amount":5}']] }, { text: "ok" }, { text: "ok" }]);
    const agent = clerk(model, [pay]);
    const first = await agent.begin();
    expect(statesIn(first)).toEqual([]);
    const [after, ...more] = statesIn(await agent.goOn(questionIn(first), { message: "ok" }));
    expect(more).toEqual([]);
    expect(paid).toHaveLength(1);
    const checkpoint = after ?? "";
    const rest = await runWith(
      toolAgent({ card: { name: "clerk" }, instructions: "", tools: [pay] }),
      { ...requestFor("go"), checkpoint },
      model,
    );
    expect(rest.at(-1)).toEqual({ type: "completed" });
    expect(paid).toHaveLength(1);
  });

  test("checkpoints do not use up what an agent may send", async () => {
    const big = noted("big", 5_000);
    const model = scriptedModel(() => ({ calls: Array(6).fill(["big", "{}"]) as [string, string][] }));
    const agent = toolAgent({
      card: { name: "x" },
      instructions: "",
      tools: [big],
      limits: { toolCalls: 200, modelCalls: 30 },
    });
    const states = statesIn(await runWith(agent, requestFor("go"), model));
    expect(states.length).toBeGreaterThan(5);
    expect(states.join("").length).toBeLessThan(1024 * 1024);
  });
});

describe("a checkpoint on its way", () => {
  const walker = agentOf(async function* (asked) {
    yield { type: "text", text: `from ${asked.checkpoint ?? "the start"}` };
    yield { type: "checkpoint", state: "half" };
    yield { type: "checkpoint", state: "x".repeat(600_000) };
  });

  test("reaches the runtime, and the agent again; one that is too large is left out", async () => {
    const { run: ask } = runtimeOf(walker);
    expect((await ask("m-1")).slice(1)).toEqual([
      { type: "text", text: "from the start" },
      { type: "checkpoint", state: "half" },
      { type: "completed" },
    ]);
    expect(textOf(await ask("m-1", undefined, "half"))).toBe("from half");
  });

  test("is not for those who do not know the extension", async () => {
    expect(JSON.stringify(await streamed(local(walker)))).not.toContain("checkpoint");
    const message = { ...request("go").message, role: "ROLE_USER", parts: [{ text: "go" }] };
    const known = { ...message, extensions: [EVENTS_EXTENSION], metadata: {} };
    const answered = await rpc(local(walker), {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: known },
    });
    expect(JSON.stringify(answered)).not.toContain("checkpoint");
  });
});
