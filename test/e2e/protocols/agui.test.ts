// AG-UI, as its own clients speak it: every run passes their verifier and their schemas, and folds to what is here.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { handoff, planOf } from "../../support/model-reply.ts";
import { clientOf, stepsIn, typesOf, VERSIONS, wordsOf } from "./agui-client.ts";
import { startStage, type Stage } from "./agui-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

function twoTasks(text = "words"): string {
  const work = (words: string) =>
    stage.model.act({
      "agent:assistant": [
        { text: "Well. ", calls: [{ name: "calculate", arguments: { expression: "678*8776" } }], paceMs: 8 },
        { text: words, paceMs: 8 },
      ],
    });
  return `Both ${stage.model.act({
    triage: handoff("needs_planning"),
    planner: planOf(
      { title: "Sum", query: `A ${work(`First ${text}.`)}` },
      { title: "Sum", query: `B ${work(`Second ${text}.`)}` },
    ),
    synthesis: { text: "All is done." },
  })}`;
}

describe.each(VERSIONS)("the client %s", (version) => {
  const client = (path = "/agui", state: object = {}) => clientOf(version, stage.runtime.url + path, { state });

  test("hears a direct answer with its reasoning", async () => {
    const agent = client();
    const message = `Say ${stage.model.act({ triage: { reasoning: "It is short.", text: "Hello to you." } })}`;
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
    await stage.agrees(agent);
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
    await stage.agrees(agent);
  });

  test("goes on with a conversation, and hears what was said in it when it comes anew", async () => {
    const agent = client();
    await agent.run(`One ${stage.model.act({ triage: { text: "First." } })}`);
    await agent.run(`Two ${stage.model.act({ triage: { text: "Second." } })}`);
    await stage.agrees(agent);
    const again = agent.anew();
    const events = await again.run(`Three ${stage.model.act({ triage: { text: "Third." } })}`);
    expect(typesOf(events)).toContain("MESSAGES_SNAPSHOT");
    expect(wordsOf(again.messages).map((line) => line.replace(/ ⟦.*/, ""))).toEqual([
      "user: One",
      "assistant: First.",
      "user: Two",
      "assistant: Second.",
      "user: Three",
      "assistant: Third.",
    ]);
    await stage.agrees(again);
  });

  test("brings along what agents are to know, and what was said elsewhere", async () => {
    const agent = client("/agui/assistant", { unit: "Kelvin" });
    const known = stage.model.act({ "agent:assistant": { text: "Cold." } });
    const context = [{ description: "Where I am", value: "At the South Pole" }];
    await agent.run(`How warm is it? ${known}`, { context });
    const told = JSON.stringify(stage.model.callsOf(known, "agent:assistant")[0]?.request.messages);
    expect(told).toContain("At the South Pole");
    expect(told).toContain("Kelvin");
    const other = clientOf(version, `${stage.runtime.url}/agui`, {
      messages: [
        { id: "e0", role: "system", content: "Be brief, says the page." },
        { id: "e1", role: "user", content: "My name is Ada." },
        { id: "e2", role: "assistant", content: "Hello Ada." },
      ],
    });
    const mark = stage.model.act({ triage: { text: "Ada." } });
    const events = await other.run(`What is my name? ${mark}`);
    expect(typesOf(events)).not.toContain("MESSAGES_SNAPSHOT");
    const first = JSON.stringify(stage.model.callsOf(mark, "triage")[0]?.request.messages);
    expect(first).toContain("My name is Ada.");
    expect(first).toContain("Be brief, says the page.");
    const next = stage.model.act({ triage: { text: "Still Ada." } });
    await other.run(`And now? ${next}`);
    const asked = JSON.stringify(stage.model.callsOf(next, "triage")[0]?.request.messages);
    expect(asked.split("My name is Ada.")).toHaveLength(2);
    expect(asked.split("What is my name?")).toHaveLength(2);
  });

  test("hears of a failure after what was said", async () => {
    const agent = client();
    const calls = [{ name: "calculate", arguments: { expression: "1+1" } }];
    const mark = stage.model.act({
      triage: handoff("single_agent", ["assistant"]),
      "agent:assistant": [{ text: "I begin. ", calls }, { trouble: { kind: "status", status: 401 } }],
    });
    const events = await agent.run(`Fail ${mark}`);
    const last = events.at(-1);
    expect(last?.type).toBe("RUN_ERROR");
    expect([typeof last?.["message"], typeof last?.["code"]]).toEqual(["string", "string"]);
    expect(wordsOf(agent.messages)).toContain("assistant: I begin. ");
    expect(agent.state).toMatchObject({ orrery: { status: "failed", plans: [{ tasks: [{ status: "failed" }] }] } });
    await stage.agrees(agent);
  });

  test("hears that it was cancelled", async () => {
    const agent = client();
    const mark = stage.model.act({ triage: { text: "word ".repeat(400), paceMs: 20 } });
    const run = agent.run(`Talk ${mark}`);
    await vi.waitFor(() => expect(agent.messages.length).toBeGreaterThan(1), 10_000);
    expect((await stage.person.request("POST", `/api/v1/conversations/${agent.threadId}/cancel`, {})).status).toBe(200);
    const last = (await run).at(-1);
    expect(last?.type).toBe("RUN_FINISHED");
    expect(last?.["outcome"]).toEqual(version === "1.0.0" ? { type: "cancelled" } : undefined);
    expect(agent.state).toMatchObject({ orrery: { status: "cancelled" } });
    await stage.agrees(agent);
  });

  test("leaves in mid-stream, and takes the same run up again without hearing anything twice", async () => {
    const agent = client();
    const runId = randomUUID();
    const words = Array.from({ length: 200 }, (_, i) => `w${i} `).join("");
    // Few events: on a slow machine words travel together, and there are not many.
    await agent.run(`Long ${stage.model.act({ triage: { text: words, paceMs: 10 } })}`, { runId, leaveAfter: 8 });
    expect(wordsOf(agent.messages).at(-1)?.length).toBeLessThan(words.length);
    const events = await agent.run(null, { runId });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(agent.messages).at(-1)).toBe(`assistant: ${words}`);
    await stage.agrees(agent);
    const third = await agent.run(null, { runId });
    expect(typesOf(third).filter((type) => type.startsWith("TEXT_"))).toEqual([]);
    expect((await stage.itemsOf(agent)).filter(({ role }) => role === "user")).toHaveLength(1);
    await stage.agrees(agent);
  });

  test("hears what was taken back and what came instead when the host dies in mid-run", async () => {
    const agent = client();
    const runId = randomUUID();
    const waitedFor = "and more words to wait for, one after the other, until it is over, ".repeat(10);
    const cut = agent.run(twoTasks(waitedFor.trim()), { runId });
    await vi.waitFor(() => expect(wordsOf(agent.messages).join()).toContain("First and more"), 10_000);
    await stage.runtime.kill();
    await cut;
    await stage.runtime.restart();
    const events = await agent.run(null, { runId });
    expect(typesOf(events)).toContain("MESSAGES_SNAPSHOT");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    await stage.agrees(agent);
  });
});
