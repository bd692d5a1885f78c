import * as z from "zod";
import { describe, expect, test } from "vitest";
import type { AgentModel, AgentRunEvent } from "../../src/agents/kit/agent.ts";
import { tool } from "../../src/agents/kit/tools/tool.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import { formatUntrusted } from "../../src/protocol/provenance/untrusted-block.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { bank, createPaymentAgent, getQuestion } from "./fixtures/payment-agent.ts";
import { createAgent, createLocalAgent, createRequest, runAgent, joinTextEvents } from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";
import { createAgentRuntime } from "./fixtures/agent-runtime.ts";
import { createSendRequest, callJsonRpc, collectStream } from "./fixtures/a2a-client.ts";

const toolRuns: { name: string; call_id: string }[] = [];
const createRecordedTool = (name: string, size = 1) =>
  tool({
    name,
    has_effect: false,
    description: "",
    parameters: z.object({}),
    run: (_, { call_id }) => {
      toolRuns.push({ name, call_id });
      return name.repeat(size);
    },
  });

const createTwoToolModel = () =>
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

function runRecordedAgent(model: AgentModel, checkpoint?: string): Promise<AgentRunEvent[]> {
  const agent = toolAgent({
    card: { name: "x" },
    instructions: "",
    tools: [createRecordedTool("a"), createRecordedTool("b")],
  });
  return runAgent(agent, { ...createRequest("go"), ...(checkpoint === undefined ? {} : { checkpoint }) }, model);
}

const listCheckpoints = (events: readonly AgentRunEvent[]) =>
  events.flatMap((event) => (event.type === "checkpoint" ? [event.state] : []));

describe("[T4] an interrupted tool agent", () => {
  test.each([0, 1, 2])("continues from checkpoint %i and repeats no finished call", async (at) => {
    toolRuns.length = 0;
    const events = await runRecordedAgent(createTwoToolModel());
    const allRuns = [...toolRuns];
    const states = listCheckpoints(events);
    expect(states).toHaveLength(3);
    const before = events.slice(
      0,
      events.findIndex((event) => event.type === "checkpoint" && event.state === states[at]),
    );
    toolRuns.length = 0;
    const model = scriptedModel([{ text: "Done." }]);
    const rest = await runRecordedAgent(model, states[at]);
    expect(toolRuns).toEqual(allRuns.slice(at));
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.messages.slice(2)).toEqual([
      expect.objectContaining({ role: "assistant", content: "Working. " }) as unknown,
      { role: "tool", toolCallId: "c0", content: formatUntrusted("tool a", "a") },
      { role: "tool", toolCallId: "c1", content: formatUntrusted("tool b", "b") },
    ]);
    expect(joinTextEvents([...before, ...rest])).toBe("Working. Done.");
    // The ids of the events of repeated calls are new.
    const hideCallIds = (state: string) => state.replaceAll(/call-[0-9a-f]+/g, "call");
    expect(listCheckpoints(rest).map(hideCallIds)).toEqual(states.slice(at + 1).map(hideCallIds));
  });

  test("emits no checkpoint where nothing would be lost", async () => {
    expect(listCheckpoints(await runRecordedAgent(scriptedModel([{ text: "Just this." }])))).toEqual([]);
  });

  test("adds an approved call to a checkpoint only with its result", async () => {
    const { paid, pay } = bank();
    const model = scriptedModel([{ calls: [["pay", '{"to":"Bob","amount":5}']] }, { text: "ok" }, { text: "ok" }]);
    const agent = createPaymentAgent(model, [pay]);
    const first = await agent.start();
    expect(listCheckpoints(first)).toEqual([]);
    const [checkpointAfter, ...more] = listCheckpoints(await agent.continueFrom(getQuestion(first), { message: "ok" }));
    expect(more).toEqual([]);
    expect(paid).toHaveLength(1);
    const checkpoint = checkpointAfter ?? "";
    const rest = await runAgent(
      toolAgent({ card: { name: "clerk" }, instructions: "", tools: [pay] }),
      { ...createRequest("go"), checkpoint },
      model,
    );
    expect(rest.at(-1)).toEqual({ type: "completed" });
    expect(paid).toHaveLength(1);
  });

  test("does not count checkpoints towards its output limit", async () => {
    const big = createRecordedTool("big", 5_000);
    const model = scriptedModel(() => ({ calls: Array(6).fill(["big", "{}"]) as [string, string][] }));
    const agent = toolAgent({
      card: { name: "x" },
      instructions: "",
      tools: [big],
      limits: { toolCalls: 200, modelCalls: 30 },
    });
    const states = listCheckpoints(await runAgent(agent, createRequest("go"), model));
    expect(states.length).toBeGreaterThan(5);
    expect(states.join("").length).toBeLessThan(1024 * 1024);
  });
});

describe("a checkpoint", () => {
  const checkpointAgent = createAgent(async function* (request) {
    yield { type: "text", text: `from ${request.checkpoint ?? "the start"}` };
    yield { type: "checkpoint", state: "half" };
    yield { type: "checkpoint", state: "x".repeat(600_000) };
  });

  test("reaches the runtime and the agent again, unless it is too large", async () => {
    const { run: runTask } = createAgentRuntime(checkpointAgent);
    expect((await runTask("m-1")).slice(1)).toEqual([
      { type: "text", text: "from the start" },
      { type: "checkpoint", state: "half" },
      { type: "completed" },
    ]);
    expect(joinTextEvents(await runTask("m-1", undefined, "half"))).toBe("from half");
  });

  test("is not sent to clients without the extension", async () => {
    expect(JSON.stringify(await collectStream(createLocalAgent(checkpointAgent)))).not.toContain("checkpoint");
    const message = { ...createSendRequest("go").message, role: "ROLE_USER", parts: [{ text: "go" }] };
    const messageWithExtension = { ...message, extensions: [EVENTS_EXTENSION], metadata: {} };
    const answered = await callJsonRpc(createLocalAgent(checkpointAgent), {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: messageWithExtension },
    });
    expect(JSON.stringify(answered)).not.toContain("checkpoint");
  });
});
