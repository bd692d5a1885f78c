// A completion that breaks off after part of it was emitted: the agent retracts the part and calls its model again.

import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { AgentModel } from "../../src/agents/kit/agent.ts";
import { checkpoint } from "../../src/agents/kit/ask.ts";
import { requestToolCall } from "../../src/agents/kit/tools/request-tool-call.ts";
import { AgentBudget, DEFAULT_LIMITS } from "../../src/agents/kit/agent-limits.ts";
import { callModel } from "../../src/agents/kit/call-model.ts";
import { tool } from "../../src/agents/kit/tools/tool.ts";
import { toolAgent } from "../../src/agents/kit/tools/tool-agent.ts";
import { joinTextParts as wordsIn } from "../../src/dispatch/agent-events.ts";
import {
  createAgent,
  collect,
  createLocalAgent,
  createRequest,
  runAgent,
  joinTextEvents,
  rejectAfter,
} from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";
import { createAgentRuntime } from "./fixtures/agent-runtime.ts";
import { collectStream, sendText } from "./fixtures/a2a-client.ts";
import { Failure } from "../../src/protocol/wire/message-error.ts";

type ScriptedReply = Parameters<typeof scriptedModel>[0] extends infer Replies
  ? Replies extends readonly (infer Item)[]
    ? Item
    : never
  : never;

/** Creates a model whose stream breaks at the end of the replies with `breaks`. */
function createBreakingModel(replies: readonly (ScriptedReply & { readonly breaks?: true })[]) {
  const model = scriptedModel(replies);
  const complete: AgentModel["complete"] = async (request, emit) => {
    const reply = replies[model.requests.length];
    const completion = await model.complete(request, emit);
    if (reply?.breaks === true) throw new Failure("model_interrupted", "It broke off.", { retryable: true });
    return completion;
  };
  return { requests: model.requests, complete };
}

const createNoteTool = (size = 1) =>
  tool({ name: "note", has_effect: false, description: "", parameters: z.object({}), run: () => "noted".repeat(size) });
const createNoteAgent = (size?: number) =>
  toolAgent({ card: { name: "x" }, instructions: "", tools: [createNoteTool(size)] });

const BROKEN_REPLY = { text: "All is w", breaks: true } as const;
const COMPLETE_REPLY = { text: "All is well." };
const NOTE_REPLY = { text: "I note it. ", calls: [["note", "{}"]] } as const satisfies ScriptedReply;

describe("[F70] an agent whose model breaks off in the middle of a completion", () => {
  test("retracts the text and calls the model again, and counts each call", async () => {
    const model = createBreakingModel([{ reasoning: "Hm.", ...BROKEN_REPLY }, COMPLETE_REPLY]);
    const events = await runAgent(createNoteAgent(), createRequest("go"), model);
    const retracted = events.findIndex(({ type }) => type === "retracted");
    expect(joinTextEvents(events.slice(0, retracted))).toBe("All is w");
    expect(joinTextEvents(events.slice(retracted))).toBe("All is well.");
    expect(events.filter(({ type }) => type === "usage")).toHaveLength(2);
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("keeps text before a tool call and does not repeat the call", async () => {
    const { run } = createAgentRuntime(
      createNoteAgent(),
      createBreakingModel([NOTE_REPLY, BROKEN_REPLY, COMPLETE_REPLY]),
    );
    const events = await run("m-1");
    const checkpointIndex = events.findLastIndex(({ type }) => type === "checkpoint");
    const retracted = events.findIndex(({ type }) => type === "retracted");
    expect(joinTextEvents(events.slice(0, checkpointIndex))).toBe("I note it. ");
    expect(joinTextEvents(events.slice(checkpointIndex, retracted))).toBe("All is w");
    expect(joinTextEvents(events.slice(retracted))).toBe("All is well.");
    expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(1);
  });

  test("does not retry when its last steps are in no checkpoint, since they would be retracted too", async () => {
    const model = createBreakingModel([
      ...Array<ScriptedReply>(40).fill(NOTE_REPLY).slice(0, 7),
      BROKEN_REPLY,
      COMPLETE_REPLY,
    ]);
    const events = await runAgent(createNoteAgent(40_000), createRequest("go"), model);
    expect(events.some(({ type }) => type === "retracted")).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: "failed", code: "model_interrupted" });
  });
});

describe("a client without the extension", () => {
  test("receives the part that stays after a retraction, and its continuation", async () => {
    let shown = "";
    for (const { payload } of await collectStream(
      createLocalAgent(createNoteAgent(), createBreakingModel([NOTE_REPLY, BROKEN_REPLY, COMPLETE_REPLY])),
    )) {
      if (payload?.$case !== "artifactUpdate") continue;
      const text = wordsIn(payload.value.artifact?.parts ?? []);
      shown = payload.value.append ? shown + text : text;
    }
    expect(shown).toBe("I note it. All is well.");
  });

  test("continues to receive text after checkpoints, which are not sent to it", async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    const slow = createAgent(async function* () {
      yield { type: "text", text: "one" };
      for (const step of [1, 2, 3]) {
        await pause();
        yield checkpoint({ step });
      }
      await pause();
      yield { type: "text", text: " two" };
    });
    const received = await rejectAfter(1_000, collectStream(createLocalAgent(slow)));
    expect(received.map(({ payload }) => payload?.$case)).toEqual([
      "task",
      "artifactUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
  });

  test("receives retractions with timestamps in order, also where no text is retracted", async () => {
    const thinking = createAgent(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { type: "reasoning", text: "A dead end." };
      yield { type: "retracted", reason: "It broke off." };
    });
    const times = (await collectStream(createLocalAgent(thinking))).flatMap(({ payload }) =>
      payload?.$case === "statusUpdate" ? [payload.value.status?.timestamp ?? ""] : [],
    );
    expect(times).toHaveLength(3);
    expect(times).toEqual(times.toSorted());
  });

  test("reads a task without the retracted text", async () => {
    const task = await sendText(
      createLocalAgent(
        createNoteAgent(),
        createBreakingModel([{ reasoning: "A dead end.", ...BROKEN_REPLY }, COMPLETE_REPLY]),
      ),
      "go",
    );
    expect(JSON.stringify(task)).not.toMatch(/All is w[^e]|dead end/);
    expect(JSON.stringify(task)).toContain("All is well.");
  });
});

describe("a generator that calls its model itself", () => {
  const askingAgent = createAgent(async function* (_request, { model, signal }) {
    yield { type: "text", text: "First. " };
    yield checkpoint({});
    yield* callModel(model, { role: "agent:x", messages: [], signal }, new AgentBudget(DEFAULT_LIMITS), {
      mayRetract: true,
    });
  });
  const runAskingAgent = (...replies: Parameters<typeof createBreakingModel>[0]) =>
    createAgentRuntime(askingAgent, createBreakingModel(replies)).run("m-1");

  test("retracts an incomplete callModel and keeps the text before its checkpoint", async () => {
    const events = await runAskingAgent(BROKEN_REPLY, COMPLETE_REPLY);
    const retracted = events.findIndex(({ type }) => type === "retracted");
    expect(joinTextEvents(events.slice(0, retracted))).toBe("First. All is w");
    expect(joinTextEvents(events.slice(retracted))).toBe("All is well.");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });

  test("[T3] fails with the reason of its model", async () => {
    const failed = { type: "failed", reason: "It broke off.", code: "model_interrupted" };
    expect((await runAskingAgent(BROKEN_REPLY, BROKEN_REPLY, BROKEN_REPLY)).at(-1)).toEqual(failed);
  });
});

test("requestToolCall calls the model again after it broke off, since nothing of it was emitted", async () => {
  const model = createBreakingModel([{ text: "I shall", breaks: true }, { calls: [["choose", '{"one":"a"}']] }]);
  const toolSchema = { name: "choose", description: "", schema: z.object({ one: z.string() }) };
  const callContext = {
    role: "router",
    model,
    signal: new AbortController().signal,
    budget: new AgentBudget(DEFAULT_LIMITS),
    system: { role: "system", content: "" },
  } as const;
  const calling = requestToolCall(callContext, toolSchema, []);
  const events = await collect(
    (async function* () {
      yield { end: yield* calling };
    })(),
  );
  expect(events.map((event) => ("type" in event ? event.type : event.end))).toEqual([
    "usage",
    "usage",
    { kind: "called", name: "choose", value: { one: "a" }, arguments: '{"one":"a"}' },
  ]);
});
