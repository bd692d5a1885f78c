// AG-UI with its official clients: every run passes their verifier and schemas and folds to the state of the runtime.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createHandoffReply, createPlanReply } from "../../support/model-reply.ts";
import { createAgUiClient, listSteps, listTypes, VERSIONS, formatMessages } from "./agui-client.ts";
import { startAgUiSetup, type AgUiSetup } from "./agui-setup.ts";

let setup: AgUiSetup;

beforeAll(async () => {
  setup = await startAgUiSetup();
});
afterAll(() => setup.stop());

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

function createTwoTaskMessage(text = "words"): string {
  const createWorkMark = (words: string) =>
    setup.model.addScript({
      "agent:assistant": [
        { text: "Well. ", calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs: 8 },
        { text: words, paceMs: 8 },
      ],
    });
  return `Both ${setup.model.addScript({
    triage: createHandoffReply("needs_planning"),
    planner: createPlanReply(
      { title: "Sum", query: `A ${createWorkMark(`First ${text}.`)}` },
      { title: "Sum", query: `B ${createWorkMark(`Second ${text}.`)}` },
    ),
    synthesis: { text: "All is done." },
  })}`;
}

describe.each(VERSIONS)("AG-UI client %s", (version) => {
  const createClient = (path = "/agui", state: object = {}) =>
    createAgUiClient(version, setup.runtime.url + path, { state });

  test("receives a direct answer with its reasoning", async () => {
    const agent = createClient();
    const message = `Say ${setup.model.addScript({ triage: { reasoning: "It is short.", text: "Hello to you." } })}`;
    const events = await agent.run(message, { runId: "run-1" });
    const declared = version === "1.0.0" ? { protocolVersion: "1.0" } : {};
    expect(events[0]).toEqual({ type: "RUN_STARTED", threadId: agent.threadId, runId: "run-1", ...declared });
    expect(events.at(-1)).toMatchObject({ ...SUCCESS, usage: [{ outputTokens: 3 }] });
    expect(listSteps(events)).toEqual(["+triage", "-triage"]);
    expect(formatMessages(agent.messages)).toEqual([
      `user: ${message}`,
      "reasoning: It is short.",
      "assistant: Hello to you.",
    ]);
    expect(agent.state).toMatchObject({ orrery: { status: "completed", triage: { decision: "answer" }, pending: [] } });
    await setup.expectInSync(agent);
  });

  test("receives two concurrent tasks with the same title and their tool calls", async () => {
    const agent = createClient("/agui", { mine: { kept: [1, 2] } });
    const events = await agent.run(createTwoTaskMessage());
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(listSteps(events).slice(0, 6)).toEqual(["+triage", "-triage", "+plan", "-plan", "+Sum", "+Sum (2)"]);
    expect(listSteps(events).slice(6).toSorted()).toEqual(["-Sum", "-Sum (2)"]);
    expect(formatMessages(agent.messages)).toEqual(
      expect.arrayContaining(["assistant: First words.", "assistant: Second words.", "tool: 5950128"]),
    );
    expect(agent.state).toMatchObject({ mine: { kept: [1, 2] }, orrery: { status: "completed" } });
    await setup.expectInSync(agent);
  });

  test("continues a conversation and receives a snapshot of its messages after a reload", async () => {
    const agent = createClient();
    await agent.run(`One ${setup.model.addScript({ triage: { text: "First." } })}`);
    await agent.run(`Two ${setup.model.addScript({ triage: { text: "Second." } })}`);
    await setup.expectInSync(agent);
    const again = agent.reload();
    const events = await again.run(`Three ${setup.model.addScript({ triage: { text: "Third." } })}`);
    expect(listTypes(events)).toContain("MESSAGES_SNAPSHOT");
    expect(formatMessages(again.messages).map((line) => line.replace(/ ⟦.*/, ""))).toEqual([
      "user: One",
      "assistant: First.",
      "user: Two",
      "assistant: Second.",
      "user: Three",
      "assistant: Third.",
    ]);
    await setup.expectInSync(again);
  });

  test("sends context, state and messages of another conversation to the model", async () => {
    const agent = createClient("/agui/assistant", { unit: "Kelvin" });
    const assistantMark = setup.model.addScript({ "agent:assistant": { text: "Cold." } });
    const context = [{ description: "Where I am", value: "At the South Pole" }];
    await agent.run(`How warm is it? ${assistantMark}`, { context });
    const prompt = JSON.stringify(setup.model.getCalls(assistantMark, "agent:assistant")[0]?.request.messages);
    expect(prompt).toContain("At the South Pole");
    expect(prompt).toContain("Kelvin");
    const other = createAgUiClient(version, `${setup.runtime.url}/agui`, {
      messages: [
        { id: "e0", role: "system", content: "Be brief, says the page." },
        { id: "e1", role: "user", content: "My name is Ada." },
        { id: "e2", role: "assistant", content: "Hello Ada." },
      ],
    });
    const mark = setup.model.addScript({ triage: { text: "Ada." } });
    const events = await other.run(`What is my name? ${mark}`);
    expect(listTypes(events)).not.toContain("MESSAGES_SNAPSHOT");
    const first = JSON.stringify(setup.model.getCalls(mark, "triage")[0]?.request.messages);
    expect(first).toContain("My name is Ada.");
    expect(first).toContain("Be brief, says the page.");
    const next = setup.model.addScript({ triage: { text: "Still Ada." } });
    await other.run(`And now? ${next}`);
    const promptText = JSON.stringify(setup.model.getCalls(next, "triage")[0]?.request.messages);
    expect(promptText.split("My name is Ada.")).toHaveLength(2);
    expect(promptText.split("What is my name?")).toHaveLength(2);
  });

  test("receives an error after the text of a failed run", async () => {
    const agent = createClient();
    const calls = [{ name: "calculate", arguments: { expression: "1+1" } }];
    const mark = setup.model.addScript({
      triage: createHandoffReply("single_agent", ["assistant"]),
      "agent:assistant": [{ text: "I begin. ", calls }, { fault: { kind: "status", status: 401 } }],
    });
    const events = await agent.run(`Fail ${mark}`);
    const last = events.at(-1);
    expect(last?.type).toBe("RUN_ERROR");
    expect([typeof last?.["message"], typeof last?.["code"]]).toEqual(["string", "string"]);
    expect(formatMessages(agent.messages)).toContain("assistant: I begin. ");
    expect(agent.state).toMatchObject({ orrery: { status: "failed", plans: [{ tasks: [{ status: "failed" }] }] } });
    await setup.expectInSync(agent);
  });

  test("receives the cancellation of its run", async () => {
    const agent = createClient();
    const mark = setup.model.addScript({ triage: { text: "word ".repeat(400), paceMs: 20 } });
    const run = agent.run(`Talk ${mark}`);
    await vi.waitFor(() => expect(agent.messages.length).toBeGreaterThan(1), 10_000);
    expect((await setup.user.request("POST", `/api/v1/conversations/${agent.threadId}/cancel`, {})).status).toBe(200);
    const last = (await run).at(-1);
    expect(last?.type).toBe("RUN_FINISHED");
    expect(last?.["outcome"]).toEqual(version === "1.0.0" ? { type: "cancelled" } : undefined);
    expect(agent.state).toMatchObject({ orrery: { status: "cancelled" } });
    await setup.expectInSync(agent);
  });

  test("aborts a stream and resumes the same run without duplicate events", async () => {
    const agent = createClient();
    const runId = randomUUID();
    const words = Array.from({ length: 200 }, (_, i) => `w${i} `).join("");
    // Abort early: on a slow machine, words are joined into few events.
    await agent.run(`Long ${setup.model.addScript({ triage: { text: words, paceMs: 10 } })}`, { runId, abortAfter: 8 });
    expect(formatMessages(agent.messages).at(-1)?.length).toBeLessThan(words.length);
    const events = await agent.run(null, { runId });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(formatMessages(agent.messages).at(-1)).toBe(`assistant: ${words}`);
    await setup.expectInSync(agent);
    const third = await agent.run(null, { runId });
    expect(listTypes(third).filter((type) => type.startsWith("TEXT_"))).toEqual([]);
    expect((await setup.readItems(agent)).filter(({ role }) => role === "user")).toHaveLength(1);
    await setup.expectInSync(agent);
  });

  test("receives retracted and replaced text after a host crash during a run", async () => {
    const agent = createClient();
    const runId = randomUUID();
    const longText = "and more words to wait for, one after the other, until it is over, ".repeat(10);
    const interruptedRun = agent.run(createTwoTaskMessage(longText.trim()), { runId });
    await vi.waitFor(() => expect(formatMessages(agent.messages).join()).toContain("First and more"), 10_000);
    await setup.runtime.kill();
    await interruptedRun;
    await setup.runtime.restart();
    const events = await agent.run(null, { runId });
    expect(listTypes(events)).toContain("MESSAGES_SNAPSHOT");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    await setup.expectInSync(agent);
  });
});
