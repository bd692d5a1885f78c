// AG-UI, as its own clients speak it: every run passes their verifier and their schemas, and folds to what is here.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { textOf as wordsIn, type Item } from "../../../src/protocol/items.ts";
import type { Plan } from "../../../src/protocol/plan.ts";
import { startA2AAgent, type A2AAgent } from "../../support/a2a-agent.ts";
import { askingWith, curiously, plannedWith } from "../../support/asking.ts";
import { handoff, planOf } from "../../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { personAt, type Person } from "../../support/person.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { clientOf, stepsIn, typesOf, VERSIONS, wordsOf, type AgUiClient } from "./agui-stage.ts";

let model: ModelServer;
let curious: A2AAgent;
let runtime: Runtime;
let person: Person;

beforeAll(async () => {
  model = await startModelServer();
  curious = await startA2AAgent("curious", "1.0", curiously);
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" },
    beside: {
      "orrery-guestbook": {
        config: "examples/guestbook-worker/wrangler.toml",
        entry: "examples/guestbook-worker/guestbook.ts",
      },
    },
    agents: { AGENT_GUESTBOOK: "orrery-guestbook" },
  });
  person = personAt(runtime.url);
  expect((await person.request("POST", "/api/v1/agents", { url: curious.url })).status).toBe(201);
});
afterAll(async () => {
  await runtime.stop();
  await Promise.all([curious.close(), model.close()]);
});

const read = <T>(agent: AgUiClient, what: string) => person.get<T>(`/api/v1/conversations/${agent.threadId}/${what}`);

/** What the client has of the conversation is what the conversation has: texts, calls and the state of its plans. */
async function agrees(agent: AgUiClient): Promise<void> {
  const { items } = await read<{ items: Item[] }>(agent, "items");
  const texts = (kinds: RegExp) =>
    items.filter(({ event, payload }) => kinds.test(event) && payload["content"] !== "").map((item) => wordsIn(item));
  const said = (role: string) =>
    agent.messages
      .filter((message) => message.role === role && message.toolCalls === undefined)
      .map(({ content }) => content);
  expect(said("assistant")).toEqual(texts(/^(message_chunk|task_waiting|plan_require_user_input)$/));
  expect(said("reasoning")).toEqual(texts(/^reasoning$/));
  const calls = items.filter(({ event }) => event.startsWith("tool_call")).map(({ item_id }) => item_id);
  expect(agent.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))).toEqual(calls);
  expect(agent.messages.flatMap(({ toolCallId = [] }) => toolCallId).toSorted()).toEqual(calls.toSorted());
  const { plans } = await read<{ plans: Plan[] }>(agent, "plans");
  const shown = agent.state["orrery"] as { thread_id: string; plans: { tasks: object[] }[] };
  const tasks = plans.filter((plan) => plan.thread_id === shown.thread_id).flatMap((plan) => plan.tasks);
  expect(shown.plans.flatMap((plan) => plan.tasks)).toEqual(
    tasks.map(({ task_id, title, agent_name, depends_on, status, error }) => {
      return { task_id, title, agent_name, depends_on, status, ...(error === undefined ? {} : { error }) };
    }),
  );
}

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

function twoTasks(text = "words"): string {
  const work = (words: string) =>
    model.act({
      "agent:assistant": [
        { text: "Well. ", calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs: 8 },
        { text: words, paceMs: 8 },
      ],
    });
  return `Both ${model.act({
    triage: handoff("needs_planning"),
    planner: planOf(
      { title: "Sum", query: `A ${work(`First ${text}.`)}` },
      { title: "Sum", query: `B ${work(`Second ${text}.`)}` },
    ),
    synthesis: { text: "All is done." },
  })}`;
}

describe.each(VERSIONS)("the client %s", (version) => {
  const client = (path = "/agui", state: object = {}) => clientOf(version, runtime.url + path, { state });

  test("hears a direct answer with its reasoning", async () => {
    const agent = client();
    const message = `Say ${model.act({ triage: { reasoning: "It is short.", text: "Hello to you." } })}`;
    const events = await agent.run(message, { runId: "run-1" });
    const declared = version === "1.0.0" ? { protocolVersion: "1.0" } : {};
    expect(events[0]).toEqual({ type: "RUN_STARTED", threadId: agent.threadId, runId: "run-1", ...declared });
    expect(events.at(-1)).toMatchObject({ ...SUCCESS, usage: [{ outputTokens: 3 }] });
    expect(stepsIn(events)).toEqual(["+triage", "-triage"]);
    expect(wordsOf(agent.messages)).toEqual([
      `user: ${message}`,
      "reasoning: It is short.",
      "assistant: Hello to you.",
    ]);
    expect(agent.state).toMatchObject({ orrery: { status: "completed", triage: { decision: "answer" }, pending: [] } });
    await agrees(agent);
  });

  test("hears two tasks side by side, of the same title, with their calls", async () => {
    const agent = client("/agui", { mine: { kept: [1, 2] } });
    const events = await agent.run(twoTasks());
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(stepsIn(events).slice(0, 6)).toEqual(["+triage", "-triage", "+plan", "-plan", "+Sum", "+Sum (2)"]);
    expect(stepsIn(events).slice(6).toSorted()).toEqual(["-Sum", "-Sum (2)"]);
    expect(wordsOf(agent.messages)).toEqual(
      expect.arrayContaining(["assistant: First words.", "assistant: Second words.", "tool: 5950128"]),
    );
    expect(agent.state).toMatchObject({ mine: { kept: [1, 2] }, orrery: { status: "completed" } });
    await agrees(agent);
  });

  test("goes on with a conversation, and hears what was said in it when it comes anew", async () => {
    const agent = client();
    await agent.run(`One ${model.act({ triage: { text: "First." } })}`);
    await agent.run(`Two ${model.act({ triage: { text: "Second." } })}`);
    await agrees(agent);
    const again = agent.anew();
    const events = await again.run(`Three ${model.act({ triage: { text: "Third." } })}`);
    expect(typesOf(events)).toContain("MESSAGES_SNAPSHOT");
    expect(wordsOf(again.messages).map((line) => line.replace(/ ⟦.*/, ""))).toEqual([
      "user: One",
      "assistant: First.",
      "user: Two",
      "assistant: Second.",
      "user: Three",
      "assistant: Third.",
    ]);
    await agrees(again);
  });

  test("brings along what agents are to know, and what was said elsewhere", async () => {
    const agent = client("/agui/assistant", { unit: "Kelvin" });
    const known = model.act({ "agent:assistant": { text: "Cold." } });
    const context = [{ description: "Where I am", value: "At the South Pole" }];
    await agent.run(`How warm is it? ${known}`, { context });
    const told = JSON.stringify(model.callsOf(known, "agent:assistant")[0]?.request.messages);
    expect(told).toContain("At the South Pole");
    expect(told).toContain("Kelvin");
    const other = clientOf(version, `${runtime.url}/agui`, {
      messages: [
        { id: "e0", role: "system", content: "Be brief, says the page." },
        { id: "e1", role: "user", content: "My name is Ada." },
        { id: "e2", role: "assistant", content: "Hello Ada." },
      ],
    });
    const mark = model.act({ triage: { text: "Ada." } });
    const events = await other.run(`What is my name? ${mark}`);
    expect(typesOf(events)).not.toContain("MESSAGES_SNAPSHOT");
    const first = JSON.stringify(model.callsOf(mark, "triage")[0]?.request.messages);
    expect(first).toContain("My name is Ada.");
    expect(first).toContain("Be brief, says the page.");
    const next = model.act({ triage: { text: "Still Ada." } });
    await other.run(`And now? ${next}`);
    const asked = JSON.stringify(model.callsOf(next, "triage")[0]?.request.messages);
    expect(asked.split("My name is Ada.")).toHaveLength(2);
    expect(asked.split("What is my name?")).toHaveLength(2);
  });

  test("is asked, and answers by resuming", async () => {
    const agent = client();
    const { message } = askingWith(model, "How much?");
    const asked = await agent.run(message);
    expect(asked.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "interrupt" } });
    expect(agent.pending).toMatchObject([
      {
        reason: "input_required",
        message: "How much?",
        responseSchema: { properties: { answer: { examples: ["10", "20"] } } },
        metadata: { options: ["10", "20"] },
      },
    ]);
    expect(agent.state).toMatchObject({ orrery: { status: "input_required", pending: [{ prompt: "How much?" }] } });
    const interruptId = agent.pending[0]?.id ?? "";
    const events = await agent.run(null, { resume: [{ interruptId, status: "resolved", payload: { answer: "20" } }] });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(stepsIn(events)[0]).toBe("+plan");
    expect(wordsOf(agent.messages)).toEqual(
      expect.arrayContaining(["assistant: How much?", "user: 20", "assistant: It is paid."]),
    );
    expect(agent.pending).toEqual([]);
    await agrees(agent);
  });

  test("answers in plain words when it does not know of interrupts", async () => {
    const agent = client("/agui/curious");
    await agent.run("The weather");
    const fresh = agent.anew();
    const events = await fresh.run("Oslo");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(fresh.messages)).toContain("assistant: It is fine with Oslo.");
    expect(wordsOf(fresh.messages).filter((line) => line === "user: Oslo")).toHaveLength(1);
    expect(stepsIn(events)).toEqual(["+The weather", "-The weather"]);
    expect(fresh.state).toMatchObject({
      orrery: { status: "completed", plans: [{ tasks: [{ status: "completed" }] }] },
    });
  });

  test("answers several questions at once, and withdraws one", async () => {
    const agent = client();
    const events = await agent.run(plannedWith(model, "curious", "curious"));
    expect(events.at(-1)).toMatchObject({ outcome: { type: "interrupt", interrupts: [{}, {}] } });
    const [first, second] = agent.pending;
    const resumed = await agent.run(null, {
      resume: [
        { interruptId: second?.id ?? "", status: "cancelled" },
        { interruptId: first?.id ?? "", status: "resolved", payload: "Rome" },
      ],
    });
    expect(resumed.at(-1)?.type).toBe("RUN_ERROR");
    const { tasks } = (agent.state["orrery"] as { plans: { tasks: { status: string }[] }[] }).plans[0] ?? { tasks: [] };
    expect(tasks.map(({ status }) => status).toSorted()).toEqual(["cancelled", "completed"]);
    expect(wordsOf(agent.messages)).toContain("assistant: It is fine with Rome.");
    await agrees(agent);
  });

  test("approves a tool call with other arguments, and refuses one", async () => {
    const text = `From ${version}`;
    const agent = client("/agui/guestbook");
    await agent.run("Sign the guestbook with 'Draft'");
    expect(agent.pending).toMatchObject([
      {
        reason: "confirmation",
        metadata: { tool: "sign_guestbook", arguments: { text: "Draft" } },
        responseSchema: { properties: { editedArgs: { required: ["text"] } }, required: ["approved"] },
      },
    ]);
    const payload = { approved: true, editedArgs: { text } };
    await agent.run(null, { resume: [{ interruptId: agent.pending[0]?.id ?? "", status: "resolved", payload }] });
    expect(wordsOf(agent.messages).at(-1)).toContain(text);
    await agrees(agent);
    const other = client("/agui/guestbook");
    await other.run("Sign the guestbook with 'Never'");
    await other.run(null, { resume: [{ interruptId: other.pending[0]?.id ?? "", status: "cancelled" }] });
    expect(wordsOf(other.messages).at(-1)).toContain("not carried out");
    await agrees(other);
  });

  test("hears of a failure after what was said", async () => {
    const agent = client();
    const calls = [{ name: "calculate", arguments: { expression: "1+1" } }];
    const mark = model.act({
      triage: handoff("single_agent", ["assistant"]),
      "agent:assistant": [{ text: "I begin. ", calls }, { trouble: { kind: "status", status: 401 } }],
    });
    const events = await agent.run(`Fail ${mark}`);
    const last = events.at(-1);
    expect(last?.type).toBe("RUN_ERROR");
    expect([typeof last?.["message"], typeof last?.["code"]]).toEqual(["string", "string"]);
    expect(wordsOf(agent.messages)).toContain("assistant: I begin. ");
    expect(agent.state).toMatchObject({ orrery: { status: "failed", plans: [{ tasks: [{ status: "failed" }] }] } });
    await agrees(agent);
  });

  test("hears that it was cancelled", async () => {
    const agent = client();
    const mark = model.act({ triage: { text: "word ".repeat(400), paceMs: 20 } });
    const run = agent.run(`Talk ${mark}`);
    await vi.waitFor(() => expect(agent.messages.length).toBeGreaterThan(1), 10_000);
    expect((await person.request("POST", `/api/v1/conversations/${agent.threadId}/cancel`, {})).status).toBe(200);
    const last = (await run).at(-1);
    expect(last?.type).toBe("RUN_FINISHED");
    expect(last?.["outcome"]).toEqual(version === "1.0.0" ? { type: "cancelled" } : undefined);
    expect(agent.state).toMatchObject({ orrery: { status: "cancelled" } });
    await agrees(agent);
  });

  test("leaves in mid-stream, and takes the same run up again without hearing anything twice", async () => {
    const agent = client();
    const runId = randomUUID();
    const words = Array.from({ length: 80 }, (_, i) => `w${i} `).join("");
    await agent.run(`Long ${model.act({ triage: { text: words, paceMs: 10 } })}`, { runId, leaveAfter: 20 });
    expect(wordsOf(agent.messages).at(-1)?.length).toBeLessThan(words.length);
    const events = await agent.run(null, { runId });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(agent.messages).at(-1)).toBe(`assistant: ${words}`);
    await agrees(agent);
    const third = await agent.run(null, { runId });
    expect(typesOf(third).filter((type) => type.startsWith("TEXT_"))).toEqual([]);
    expect((await read<{ items: Item[] }>(agent, "items")).items.filter(({ role }) => role === "user")).toHaveLength(1);
    await agrees(agent);
  });

  test("hears what was taken back and what came instead when the host dies in mid-run", async () => {
    const agent = client();
    const runId = randomUUID();
    const cut = agent.run(twoTasks("and more words to wait for, one after the other, until it is over"), { runId });
    await vi.waitFor(() => expect(wordsOf(agent.messages).join()).toContain("First and more"), 10_000);
    await runtime.kill();
    await cut;
    await runtime.restart();
    const events = await agent.run(null, { runId });
    expect(typesOf(events)).toContain("MESSAGES_SNAPSHOT");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    await agrees(agent);
  });
});
