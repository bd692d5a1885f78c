// Faults of the model: the user sees the reason and one `done`, and the conversation continues.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { createHandoffReply, createPlanReply, type ModelReply } from "../support/model-reply.ts";
import { startModelServer, type ModelScript, type ModelServer } from "../support/model-server.ts";
import { filterEvents, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";
import { pickByLength } from "../support/run-length.ts";

let model: ModelServer;
let runtime: Runtime;
let user: ApiUser;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "sk-canary",
      MODEL_TIMEOUT_SECONDS: "1",
      MAX_MODEL_CALLS: "12",
    },
  });
  user = createApiUser(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** Every role but the triage fails in this case. */
const SILENT_CASE = "says nothing";
const GOOD_REPLY: ModelReply = { text: "All is well." };
/** Runs a thread with a scripted model. Checks the invariants that hold for every fault. */
async function runThread(
  act: ModelScript,
  prefix = "Go",
): Promise<{ frames: readonly Frame[]; mark: string; failures: string[] }> {
  const mark = model.addScript(act);
  const thread = await user.sendAndWait(`${prefix} ${mark}`);
  const log = await user.history(thread.conversationId);
  expect(findViolations(log)).toEqual([]);
  expect(filterEvents(thread.frames, "done")).toHaveLength(1);
  expect(JSON.stringify(log)).not.toMatch(/sk-canary|internal detail/);

  const nextThread = await user.sendAndWait(`And now? ${model.addScript({ triage: GOOD_REPLY })}`, {
    conversation: thread.conversationId,
  });
  expect(joinText(nextThread.frames)).toBe("All is well.");
  expect(findViolations(await user.history(thread.conversationId))).toEqual([]);
  const failures = thread.frames.flatMap((frame) =>
    frame.event.endsWith("_failed") && "payload" in frame.data && "content" in frame.data.payload
      ? [`${frame.event}: ${frame.data.payload.content}`]
      : [],
  );
  return { frames: thread.frames, mark, failures };
}

describe("[I30] model that cannot answer: the thread fails visibly after a bounded number of calls if", () => {
  const FAULT_CASES: Readonly<Record<string, { reply: ModelReply; says: RegExp; calls: number }>> = {
    "always answers 500": {
      reply: { fault: { kind: "status", status: 500 } },
      says: /unavailable \(HTTP 500\)/,
      calls: 3,
    },
    "always answers 429": {
      reply: { fault: { kind: "status", status: 429, headers: { "retry-after": "0.2" } } },
      says: /rate-limited/,
      calls: 3,
    },
    "asks to come back in twelve minutes": {
      reply: { fault: { kind: "status", status: 429, headers: { "retry-after": "711" } } },
      says: /rate-limited\. Try again in 12 minutes\./,
      calls: 1,
    },
    "redirects to another host": {
      reply: { fault: { kind: "status", status: 307, headers: { location: "https://elsewhere.example/v1" } } },
      says: /redirect \(HTTP 307\)/,
      calls: 1,
    },
    "reports an exhausted quota in its stream": {
      reply: {
        fault: { kind: "chunk", chunk: { error: { code: 402, message: "Add credits\u0007 to sk-canary" } } },
      },
      says: /“Add credits\\u0007 to \[key\]” The quota/,
      calls: 1,
    },
    "reports an error in the middle": {
      reply: {
        text: "Well, I think",
        fault: { kind: "chunk", chunk: { choices: [{ error: { code: 502, message: "Upstream is down" } }] } },
      },
      says: /“Upstream is down” .*HTTP 502/,
      calls: 3,
    },
    "refuses the key": { reply: { fault: { kind: "status", status: 401 } }, says: /OPENAI_API_KEY/, calls: 1 },
    "resets every connection": { reply: { fault: { kind: "reset" } }, says: /can’t be reached/, calls: 3 },
    "is silent": { reply: { fault: { kind: "stall" } }, says: /didn’t respond for 1 second\./, calls: 3 },
    "stalls in the middle": {
      reply: { text: "Well, I think", fault: { kind: "stall" } },
      says: /didn’t respond for 1 second\./,
      calls: 3,
    },
    "is disconnected in the middle": {
      reply: { text: "Well, I think", fault: { kind: "cut" } },
      says: /lost in the middle/,
      calls: 3,
    },
    "sends a line of invalid JSON": {
      reply: { text: "Well, ", fault: { kind: "garbage" } },
      says: /couldn’t be read/,
      calls: 3,
    },
    "sends bytes that are not UTF-8": {
      reply: { text: "Well, ", fault: { kind: "bytes" } },
      says: /lost in the middle/,
      calls: 3,
    },
    "reaches its length limit before a word": { reply: { finish: "length" }, says: /length limit before/, calls: 3 },
    "sends no choices": { reply: { fault: { kind: "empty" } }, says: /empty answer/, calls: 3 },
    [SILENT_CASE]: { reply: {}, says: /empty answer/, calls: 3 },
    "calls an unknown tool": {
      reply: { calls: [{ name: "launch_rocket", arguments: {} }] },
      says: /couldn’t be used/,
      calls: 3,
    },
    "calls a tool with wrong arguments": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: { strategy: 7, selected_agents: "all" } }] },
      says: /couldn’t be used/,
      calls: 3,
    },
    "calls a tool with invalid JSON": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: '{"strategy":' }] },
      says: /couldn’t be used/,
      calls: 3,
    },
    "calls 10,000 tools": {
      reply: { calls: Array.from({ length: 10_000 }, () => ({ name: "handoff_to_planner", arguments: {} })) },
      says: /more than 128 tools/,
      calls: 3,
    },
    "is truncated by its length limit in a call": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: '{"strategy":"sin' }], finish: "length" },
      says: /length limit/,
      calls: 3,
    },
  };

  /** A short run tests each fault with one of the roles. */
  const sample = <T>(cases: readonly T[], role: number): T[] =>
    cases.filter((_, i) => i % pickByLength(4, 1) === role % pickByLength(4, 1));

  const FAILING_CASES = Object.entries(FAULT_CASES).filter(([name]) => name !== SILENT_CASE);
  test.concurrent.each(sample(FAILING_CASES, 0))("the triage %s", async (_, { reply, says, calls }) => {
    const { frames, mark, failures } = await runThread({ triage: reply });
    expect(failures).toEqual([expect.stringMatching(says)]);
    expect(frames.at(-2)?.event).toBe("system_failed");
    expect(model.getCalls(mark)).toHaveLength(calls);
  });

  test.concurrent.each(sample(Object.entries(FAULT_CASES), 1))(
    "[F35] the planner %s",
    async (_, { reply, says, calls }) => {
      const { frames, mark, failures } = await runThread({
        triage: createHandoffReply("needs_planning", [], ""),
        planner: reply,
      });
      expect(failures).toEqual([expect.stringMatching(says)]);
      expect(frames.map(({ event }) => event)).toContain("plan_failed");
      expect(frames.map(({ event }) => event)).not.toContain("plan_created");
      expect(model.getCalls(mark, "triage")).toHaveLength(1);
      expect(model.getCalls(mark, "planner").length).toBeLessThanOrEqual(calls);
    },
  );

  const TEXT_CASES = Object.entries(FAULT_CASES).filter(([, { reply }]) => reply.calls === undefined);
  test.concurrent.each(sample(TEXT_CASES, 2))("[F70] the model of an agent %s", async (_, { reply, says, calls }) => {
    const { mark, failures } = await runThread({
      triage: createHandoffReply("single_agent", ["assistant"], ""),
      "agent:assistant": reply,
    });
    expect(failures).toEqual([expect.stringMatching(/^task_failed: /)]);
    expect(failures[0]).toMatch(says);
    expect(model.getCalls(mark, "agent:assistant").length).toBeLessThanOrEqual(calls);
  });

  const TOOL_CALL_CASES = Object.entries(FAULT_CASES).filter(([, { reply }]) => reply.calls !== undefined);
  test.concurrent.each(TOOL_CALL_CASES)("[F70] the model of an agent %s repeatedly", async (_, { reply }) => {
    const { mark, failures } = await runThread({
      triage: createHandoffReply("single_agent", ["assistant"], ""),
      "agent:assistant": reply,
    });
    expect(failures).toEqual([expect.stringMatching(/^task_failed: .*(no answer after \d+|length limit|128 tools)/)]);
    expect(model.getCalls(mark, "agent:assistant").length).toBeLessThanOrEqual(12);
  });

  test.concurrent.each(sample(TEXT_CASES, 3))(
    "[F11] the synthesis %s; the task results are listed with the reason",
    async (_, textCase) => {
      const { reply, says, calls } = textCase;
      const parts = [1, 2].map(() => model.addScript({ "agent:assistant": GOOD_REPLY }));
      const { frames, mark, failures } = await runThread({
        triage: createHandoffReply("needs_planning", [], ""),
        planner: createPlanReply(...parts.map((part) => ({ query: `A ${part}` }))),
        synthesis: reply,
      });
      expect(filterEvents(frames, "task_completed")).toHaveLength(2);
      for (const { task_id: id } of filterEvents(frames, "task_completed"))
        expect(joinText(frames.filter(({ data }) => "task_id" in data && data.task_id === id))).toBe("All is well.");
      expect(failures).toEqual([]);
      const listed = filterEvents(frames, "message_chunk").at(-1)?.payload.content ?? "";
      expect(listed).toMatch(says);
      expect(listed.match(/All is well\./g)).toHaveLength(2);
      expect(model.getCalls(mark, "synthesis").length).toBeLessThanOrEqual(calls);
    },
  );
});

test.concurrent("[T6] an agent whose model keeps calling tools is stopped", async () => {
  const { mark, failures } = await runThread({
    triage: createHandoffReply("single_agent", ["assistant"], ""),
    "agent:assistant": { calls: [{ name: "calculate", arguments: { expression: "1+1" } }] },
  });
  expect(failures).toEqual([expect.stringMatching(/^task_failed: The agent had no answer after \d+ /)]);
  expect(model.getCalls(mark, "agent:assistant").length).toBeLessThanOrEqual(12);
});

test.concurrent("[T6] a planner that only requests agent descriptions exhausts the call budget visibly", async () => {
  const { mark, failures } = await runThread({
    triage: createHandoffReply("needs_planning", [], ""),
    planner: { calls: [{ name: "get_agent_description", arguments: { agent_name: "assistant" } }] },
  });
  expect(failures).toEqual([expect.stringContaining("its limit of 12 model calls")]);
  expect(model.getCalls(mark)).toHaveLength(12);
});

describe("[I30] model that recovers", () => {
  const createRecoveringReply = (faulty: ModelReply, good: ModelReply) => (call: { attempt: number }) =>
    call.attempt === 0 ? faulty : good;

  test.concurrent("answers after a status 500 without a visible failure", async () => {
    const { frames, failures } = await runThread({
      triage: createRecoveringReply({ fault: { kind: "status", status: 500 } }, GOOD_REPLY),
    });
    expect(failures).toEqual([]);
    expect(joinText(frames)).toBe("All is well.");
  });

  test.concurrent("[F11] hands the original message to the planner when the triage is empty", async () => {
    const part = model.addScript({ "agent:assistant": GOOD_REPLY });
    const act: ModelScript = { triage: { reasoning: "Hm." }, planner: createPlanReply({ query: `A ${part}` }) };
    const { frames, mark, failures } = await runThread(act);
    expect(failures).toEqual([]);
    expect(filterEvents(frames, "triage_completed")[0]?.payload).toMatchObject({ enriched_query: `Go ${mark}` });
    expect(joinText(frames)).toBe("All is well.");
  });

  test.concurrent("answers after a 429 and the wait of its Retry-After", async () => {
    const rateLimitReply: ModelReply = { fault: { kind: "status", status: 429, headers: { "retry-after": "1" } } };
    const { frames, mark } = await runThread({ triage: createRecoveringReply(rateLimitReply, GOOD_REPLY) });
    expect(joinText(frames)).toBe("All is well.");
    const [first, second] = model.getCalls(mark);
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test.concurrent("[L3] replaces an interrupted paragraph and does not duplicate it", async () => {
    const interruptedReply: ModelReply = { text: "All is w", fault: { kind: "cut" } };
    const mark = model.addScript({ triage: createRecoveringReply(interruptedReply, GOOD_REPLY) });
    const { conversationId, frames } = await user.sendAndWait(`Go ${mark}`);
    expect(joinText(frames)).toBe("All is wAll is well.");
    const [first, second] = model.getCalls(mark);
    expect((second?.startedAt ?? 0) - (first?.endedAt ?? 0)).toBeGreaterThanOrEqual(200);
    expect(filterEvents(frames, "task_retrying")).toHaveLength(1);
    const { items } = await user.get<{ items: { event: string; payload: { content?: string } }[] }>(
      `/api/v1/conversations/${conversationId}/items`,
    );
    expect(items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : []))).toEqual([
      "All is well.",
    ]);
  });

  test.concurrent("gets a correction after a call of an unknown tool", async () => {
    const { frames, mark, failures } = await runThread({
      triage: [
        { calls: [{ name: "launch_rocket", arguments: {} }] },
        createHandoffReply("single_agent", ["assistant"], ""),
      ],
      "agent:assistant": GOOD_REPLY,
    });
    expect(failures).toEqual([]);
    expect(joinText(frames)).toBe("All is well.");
    const toolMessages = model.getCalls(mark, "triage")[1]?.request.messages.at(-1);
    expect(toolMessages).toMatchObject({ role: "tool", content: expect.stringContaining("launch_rocket") as string });
  });

  test.concurrent("calls a tool again after wrong arguments", async () => {
    const { frames, failures } = await runThread({
      triage: createHandoffReply("single_agent", ["assistant"], ""),
      "agent:assistant": [
        { calls: [{ name: "calculate", arguments: { formula: 1 } }] },
        { calls: [{ name: "calculate", arguments: { expression: "678*8776" } }] },
        { text: "It is 5950128." },
      ],
    });
    expect(failures).toEqual([]);
    expect(
      filterEvents(frames, "tool_call_completed")
        .map(({ payload }) => payload.tool_result)
        .join(),
    ).toContain("5950128");
    expect(joinText(frames)).toBe("It is 5950128.");
  });

  test.concurrent("gets separate results for two tool calls with the same id", async () => {
    const createCalculation = (expression: string) => ({
      name: "calculate",
      id: "call_same",
      arguments: { expression },
    });
    const { frames, mark, failures } = await runThread({
      triage: createHandoffReply("single_agent", ["assistant"], ""),
      "agent:assistant": [{ calls: [createCalculation("678*8776"), createCalculation("3+4")] }, GOOD_REPLY],
    });
    expect(failures).toEqual([]);
    const listCallIds = (name: "tool_call_started" | "tool_call_completed") =>
      filterEvents(frames, name).flatMap(({ payload }) =>
        payload.tool_name === "calculate" ? [payload.tool_call_id] : [],
      );
    expect(new Set(listCallIds("tool_call_started")).size).toBe(2);
    expect(listCallIds("tool_call_completed").toSorted()).toEqual(listCallIds("tool_call_started").toSorted());
    const toolMessages = model
      .getCalls(mark, "agent:assistant")[1]
      ?.request.messages.filter(({ role }) => role === "tool");
    expect(new Set(toolMessages?.map((message) => message.tool_call_id)).size).toBe(2);
    expect(toolMessages?.map(({ content }) => content).join()).toMatch(/5950128.*7/s);
  });

  test.concurrent("answers with a truncation notice when it reaches its length limit", async () => {
    const { frames, failures } = await runThread({ triage: { text: "All is", finish: "length" } });
    expect(failures).toEqual([]);
    expect(joinText(frames)).toBe("All is [The answer ends here because the model reached its length limit.]");
  });
});

test.concurrent("[F10] reasoning is published as started, chunks and completed with one item id, before the answer", async () => {
  const { frames } = await runThread({ triage: { reasoning: "Let me see. Yes.", text: "Fine.", paceMs: 5 } });
  const reasoningFrames = frames.filter(({ event }) => event.startsWith("reasoning"));
  expect(new Set(reasoningFrames.map(({ data }) => data.item_id)).size).toBe(1);
  expect(reasoningFrames[0]?.event).toBe("reasoning_started");
  expect(reasoningFrames.at(-1)?.event).toBe("reasoning_completed");
  expect(
    filterEvents(frames, "reasoning")
      .map(({ payload }) => payload.content)
      .join(""),
  ).toBe("Let me see. Yes.");
  expect(frames.findIndex(({ event }) => event === "message_chunk")).toBeGreaterThan(
    frames.indexOf(reasoningFrames.at(-1) as Frame),
  );
});

test.concurrent("every model call contains the role and the API key as bearer token", async () => {
  const part = model.addScript({ "agent:assistant": GOOD_REPLY });
  const { mark } = await runThread({
    triage: createHandoffReply("needs_planning", [], ""),
    planner: [
      { calls: [{ name: "get_agent_description", arguments: { agent_name: "assistant" } }] },
      createPlanReply({ query: `A ${part}` }, { query: `B ${part}` }),
    ],
    synthesis: GOOD_REPLY,
  });
  const calls = [...model.getCalls(mark), ...model.getCalls(part)];
  expect(calls.map(({ role }) => role)).toEqual(
    expect.arrayContaining(["triage", "planner", "planner", "synthesis", "agent:assistant", "agent:assistant"]),
  );
  expect(calls.every(({ headers }) => headers.authorization === "Bearer sk-canary")).toBe(true);
  const described = model.getCalls(mark, "planner")[1]?.request.messages.at(-1)?.content;
  expect(described).toContain('"name":"assistant"');
});
