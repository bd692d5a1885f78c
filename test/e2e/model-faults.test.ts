// What a model can do wrong, and what a person sees of it: the reason, one `done`, and a conversation that goes on.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { handoff, planOf, type Reply } from "../support/model-reply.ts";
import { startModelServer, type Act, type ModelServer } from "../support/model-server.ts";
import { eventsOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let person: Person;

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
  person = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

/** To the triage alone this is no trouble. */
const SILENT = "says nothing";
const GOOD: Reply = { text: "All is well." };
/** Says something with an act and hears the thread. What must hold whatever the model does, is checked here. */
async function play(act: Act, words = "Go"): Promise<{ frames: readonly Frame[]; mark: string; failures: string[] }> {
  const mark = model.act(act);
  const heard = await person.say(`${words} ${mark}`);
  const log = await person.history(heard.conversationId);
  expect(breachesIn(log)).toEqual([]);
  expect(eventsOf(heard.frames, "done")).toHaveLength(1);
  expect(JSON.stringify(log)).not.toMatch(/sk-canary|internal detail/);

  const again = await person.say(`And now? ${model.act({ triage: GOOD })}`, { in: heard.conversationId });
  expect(textOf(again.frames)).toBe("All is well.");
  expect(breachesIn(await person.history(heard.conversationId))).toEqual([]);
  const failures = heard.frames.flatMap((frame) =>
    frame.event.endsWith("_failed") && "payload" in frame.data && "content" in frame.data.payload
      ? [`${frame.event}: ${frame.data.payload.content}`]
      : [],
  );
  return { frames: heard.frames, mark, failures };
}

describe("[I30] a model that cannot answer is a visible failure after a bounded number of calls", () => {
  const TROUBLES: Readonly<Record<string, { reply: Reply; says: RegExp; calls: number }>> = {
    "always answers 500": {
      reply: { trouble: { kind: "status", status: 500 } },
      says: /trouble \(status 500\)/,
      calls: 3,
    },
    "always answers 429": {
      reply: { trouble: { kind: "status", status: 429, headers: { "retry-after": "0.2" } } },
      says: /no more requests at the moment/,
      calls: 3,
    },
    "refuses the key": { reply: { trouble: { kind: "status", status: 401 } }, says: /OPENAI_API_KEY/, calls: 1 },
    "resets every connection": { reply: { trouble: { kind: "reset" } }, says: /could not be reached/, calls: 3 },
    "is silent": { reply: { trouble: { kind: "stall" } }, says: /said nothing for 1 seconds/, calls: 3 },
    "stalls in the middle": {
      reply: { text: "Well, I think", trouble: { kind: "stall" } },
      says: /said nothing for 1 seconds/,
      calls: 3,
    },
    "is cut in the middle": {
      reply: { text: "Well, I think", trouble: { kind: "cut" } },
      says: /broke off in the middle/,
      calls: 3,
    },
    "sends a line that is no JSON": {
      reply: { text: "Well, ", trouble: { kind: "garbage" } },
      says: /could not be read/,
      calls: 3,
    },
    "sends bytes that are no text": {
      reply: { text: "Well, ", trouble: { kind: "bytes" } },
      says: /broke off in the middle/,
      calls: 3,
    },
    "reaches its length limit before a word": { reply: { finish: "length" }, says: /length limit before/, calls: 3 },
    "sends no choices": { reply: { trouble: { kind: "empty" } }, says: /empty answer/, calls: 3 },
    [SILENT]: { reply: {}, says: /empty answer/, calls: 3 },
    "calls a tool that there is not": {
      reply: { calls: [{ name: "launch_rocket", arguments: {} }] },
      says: /could not be used/,
      calls: 3,
    },
    "calls with wrong arguments": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: { strategy: 7, selected_agents: "all" } }] },
      says: /could not be used/,
      calls: 3,
    },
    "calls with arguments that are no JSON": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: '{"strategy":' }] },
      says: /could not be used/,
      calls: 3,
    },
    "calls 10,000 tools": {
      reply: { calls: Array.from({ length: 10_000 }, () => ({ name: "handoff_to_planner", arguments: {} })) },
      says: /more than 128 tools/,
      calls: 3,
    },
    "is cut by its length limit in a call": {
      reply: { calls: [{ name: "handoff_to_planner", arguments: '{"strategy":"sin' }], finish: "length" },
      says: /length limit/,
      calls: 3,
    },
  };

  const FAILING = Object.entries(TROUBLES).filter(([name]) => name !== SILENT);
  test.concurrent.each(FAILING)("triage %s", async (_, { reply, says, calls }) => {
    const { frames, mark, failures } = await play({ triage: reply });
    expect(failures).toEqual([expect.stringMatching(says)]);
    expect(frames.at(-2)?.event).toBe("system_failed");
    expect(model.callsOf(mark)).toHaveLength(calls);
  });

  test.concurrent.each(Object.entries(TROUBLES))("[F35] planner %s", async (_, { reply, says, calls }) => {
    const { frames, mark, failures } = await play({ triage: handoff("needs_planning", [], ""), planner: reply });
    expect(failures).toEqual([expect.stringMatching(says)]);
    expect(frames.map(({ event }) => event)).toContain("plan_failed");
    expect(frames.map(({ event }) => event)).not.toContain("plan_created");
    expect(model.callsOf(mark, "triage")).toHaveLength(1);
    expect(model.callsOf(mark, "planner").length).toBeLessThanOrEqual(calls);
  });

  const STREAMS = Object.entries(TROUBLES).filter(([, { reply }]) => reply.calls === undefined);
  test.concurrent.each(STREAMS)("[F70] an agent's model %s", async (_, { reply, says, calls }) => {
    const { mark, failures } = await play({
      triage: handoff("single_agent", ["assistant"], ""),
      "agent:assistant": reply,
    });
    expect(failures).toEqual([expect.stringMatching(/^task_failed: /)]);
    expect(failures[0]).toMatch(says);
    expect(model.callsOf(mark, "agent:assistant").length).toBeLessThanOrEqual(calls);
  });

  const CALLS = Object.entries(TROUBLES).filter(([, { reply }]) => reply.calls !== undefined);
  test.concurrent.each(CALLS)("[F70] an agent's model %s, again and again", async (_, { reply }) => {
    const { mark, failures } = await play({
      triage: handoff("single_agent", ["assistant"], ""),
      "agent:assistant": reply,
    });
    expect(failures).toEqual([expect.stringMatching(/^task_failed: .*(no answer after \d+|length limit|128 tools)/)]);
    expect(model.callsOf(mark, "agent:assistant").length).toBeLessThanOrEqual(12);
  });

  test.concurrent.each(STREAMS)("[F11] synthesis %s: the results stay", async (_, trouble) => {
    const { reply, says, calls } = trouble;
    const parts = [1, 2].map(() => model.act({ "agent:assistant": GOOD }));
    const { frames, mark, failures } = await play({
      triage: handoff("needs_planning", [], ""),
      planner: planOf(...parts.map((part) => ({ query: `A ${part}` }))),
      synthesis: reply,
    });
    expect(eventsOf(frames, "task_completed")).toHaveLength(2);
    for (const { task_id: id } of eventsOf(frames, "task_completed"))
      expect(textOf(frames.filter(({ data }) => "task_id" in data && data.task_id === id))).toBe("All is well.");
    expect(failures).toEqual([expect.stringMatching(/^system_failed: /)]);
    expect(failures[0]).toMatch(says);
    expect(model.callsOf(mark, "synthesis").length).toBeLessThanOrEqual(calls);
  });
});

test.concurrent("[T6] an agent whose model never stops calling tools is stopped", async () => {
  const { mark, failures } = await play({
    triage: handoff("single_agent", ["assistant"], ""),
    "agent:assistant": { calls: [{ name: "calculate", arguments: { expression: "1+1" } }] },
  });
  expect(failures).toEqual([expect.stringMatching(/^task_failed: The agent had no answer after \d+ /)]);
  expect(model.callsOf(mark, "agent:assistant").length).toBeLessThanOrEqual(12);
});

test.concurrent("[T6] a planner that only asks about agents uses up the thread's calls, visibly", async () => {
  const { mark, failures } = await play({
    triage: handoff("needs_planning", [], ""),
    planner: { calls: [{ name: "get_agent_description", arguments: { agent_name: "assistant" } }] },
  });
  expect(failures).toEqual([expect.stringContaining("used up its 12 model calls")]);
  expect(model.callsOf(mark)).toHaveLength(12);
});

describe("[I30] a model that recovers is not a failure", () => {
  const once = (trouble: Reply, good: Reply) => (call: { attempt: number }) => (call.attempt === 0 ? trouble : good);

  test.concurrent("500, then good: nothing of it is seen", async () => {
    const { frames, failures } = await play({ triage: once({ trouble: { kind: "status", status: 500 } }, GOOD) });
    expect(failures).toEqual([]);
    expect(textOf(frames)).toBe("All is well.");
  });

  test.concurrent("[F11] triage that says nothing hands on the person's own words", async () => {
    const part = model.act({ "agent:assistant": GOOD });
    const act: Act = { triage: { reasoning: "Hm." }, planner: planOf({ query: `A ${part}` }) };
    const { frames, mark, failures } = await play(act);
    expect(failures).toEqual([]);
    expect(eventsOf(frames, "triage_completed")[0]?.payload).toMatchObject({ enriched_query: `Go ${mark}` });
    expect(textOf(frames)).toBe("All is well.");
  });

  test.concurrent("429 with Retry-After, then good: the wait is obeyed", async () => {
    const busy: Reply = { trouble: { kind: "status", status: 429, headers: { "retry-after": "1" } } };
    const { frames, mark } = await play({ triage: once(busy, GOOD) });
    expect(textOf(frames)).toBe("All is well.");
    const [first, second] = model.callsOf(mark);
    expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test.concurrent("[L3] cut in the middle, then good: the paragraph is replaced, not doubled", async () => {
    const half: Reply = { text: "All is w", trouble: { kind: "cut" } };
    const mark = model.act({ triage: once(half, GOOD) });
    const { conversationId, frames } = await person.say(`Go ${mark}`);
    expect(textOf(frames)).toBe("All is wAll is well.");
    const [first, second] = model.callsOf(mark);
    expect((second?.startedAt ?? 0) - (first?.endedAt ?? 0)).toBeGreaterThanOrEqual(200);
    expect(eventsOf(frames, "task_retrying")).toHaveLength(1);
    const { items } = await person.get<{ items: { event: string; payload: { content?: string } }[] }>(
      `/api/v1/conversations/${conversationId}/items`,
    );
    expect(items.flatMap(({ event, payload }) => (event === "message_chunk" ? [payload.content] : []))).toEqual([
      "All is well.",
    ]);
  });

  test.concurrent("a tool that there is not, then the right one: the model is told what was wrong", async () => {
    const { frames, mark, failures } = await play({
      triage: [{ calls: [{ name: "launch_rocket", arguments: {} }] }, handoff("single_agent", ["assistant"], "")],
      "agent:assistant": GOOD,
    });
    expect(failures).toEqual([]);
    expect(textOf(frames)).toBe("All is well.");
    const told = model.callsOf(mark, "triage")[1]?.request.messages.at(-1);
    expect(told).toMatchObject({ role: "tool", content: expect.stringContaining("launch_rocket") as string });
  });

  test.concurrent("an agent's tool with wrong arguments, then right ones", async () => {
    const { frames, failures } = await play({
      triage: handoff("single_agent", ["assistant"], ""),
      "agent:assistant": [
        { calls: [{ name: "calculate", arguments: { formula: 1 } }] },
        { calls: [{ name: "calculate", arguments: { expression: "678*8776" } }] },
        { text: "It is 5950128." },
      ],
    });
    expect(failures).toEqual([]);
    expect(
      eventsOf(frames, "tool_call_completed")
        .map(({ payload }) => payload.tool_result)
        .join(),
    ).toContain("5950128");
    expect(textOf(frames)).toBe("It is 5950128.");
  });

  test.concurrent("an agent's tools called twice under one id: each gets its own result", async () => {
    const sum = (expression: string) => ({ name: "calculate", id: "call_same", arguments: { expression } });
    const { frames, mark, failures } = await play({
      triage: handoff("single_agent", ["assistant"], ""),
      "agent:assistant": [{ calls: [sum("678*8776"), sum("3+4")] }, GOOD],
    });
    expect(failures).toEqual([]);
    const idsOf = (name: "tool_call_started" | "tool_call_completed") =>
      eventsOf(frames, name).flatMap(({ payload }) =>
        payload.tool_name === "calculate" ? [payload.tool_call_id] : [],
      );
    expect(new Set(idsOf("tool_call_started")).size).toBe(2);
    expect(idsOf("tool_call_completed").toSorted()).toEqual(idsOf("tool_call_started").toSorted());
    const told = model.callsOf(mark, "agent:assistant")[1]?.request.messages.filter(({ role }) => role === "tool");
    expect(new Set(told?.map((message) => message.tool_call_id)).size).toBe(2);
    expect(told?.map(({ content }) => content).join()).toMatch(/5950128.*7/s);
  });

  test.concurrent("an answer cut by the length limit counts as far as it goes, and says so", async () => {
    const { frames, failures } = await play({ triage: { text: "All is", finish: "length" } });
    expect(failures).toEqual([]);
    expect(textOf(frames)).toBe("All is [The answer breaks off here: the model has reached its length limit.]");
  });
});

test.concurrent("[F10] reasoning comes as started, chunks, completed under one id, before the answer", async () => {
  const { frames } = await play({ triage: { reasoning: "Let me see. Yes.", text: "Fine.", paceMs: 5 } });
  const thinking = frames.filter(({ event }) => event.startsWith("reasoning"));
  expect(new Set(thinking.map(({ data }) => data.item_id)).size).toBe(1);
  expect(thinking[0]?.event).toBe("reasoning_started");
  expect(thinking.at(-1)?.event).toBe("reasoning_completed");
  expect(
    eventsOf(frames, "reasoning")
      .map(({ payload }) => payload.content)
      .join(""),
  ).toBe("Let me see. Yes.");
  expect(frames.findIndex(({ event }) => event === "message_chunk")).toBeGreaterThan(
    frames.indexOf(thinking.at(-1) as Frame),
  );
});

test.concurrent("every call says who asks, and carries the key as bearer", async () => {
  const part = model.act({ "agent:assistant": GOOD });
  const { mark } = await play({
    triage: handoff("needs_planning", [], ""),
    planner: [
      { calls: [{ name: "get_agent_description", arguments: { agent_name: "assistant" } }] },
      planOf({ query: `A ${part}` }, { query: `B ${part}` }),
    ],
    synthesis: GOOD,
  });
  const calls = [...model.callsOf(mark), ...model.callsOf(part)];
  expect(calls.map(({ role }) => role)).toEqual(
    expect.arrayContaining(["triage", "planner", "planner", "synthesis", "agent:assistant", "agent:assistant"]),
  );
  expect(calls.every(({ headers }) => headers.authorization === "Bearer sk-canary")).toBe(true);
  const described = model.callsOf(mark, "planner")[1]?.request.messages.at(-1)?.content;
  expect(described).toContain('"name":"assistant"');
});
