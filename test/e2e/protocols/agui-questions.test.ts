// Questions and approvals as AG-UI interrupts, for clients with and without support for interrupts.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scriptPlannerQuestions, scriptAgentPlan } from "../../support/question-script.ts";
import { createAgUiClient, listSteps, listTypes, VERSIONS, formatMessages } from "./agui-client.ts";
import { startAgUiSetup, type AgUiSetup } from "./agui-setup.ts";

let setup: AgUiSetup;

beforeAll(async () => {
  setup = await startAgUiSetup();
});
afterAll(() => setup.stop());

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

describe.each(VERSIONS)("AG-UI client %s", (version) => {
  const createClient = (path = "/agui", state: object = {}) =>
    createAgUiClient(version, setup.runtime.url + path, { state });

  test("receives a question as an interrupt and answers with resume", async () => {
    const agent = createClient();
    const { message } = scriptPlannerQuestions(setup.model, "How much?");
    const questionRun = await agent.run(message);
    expect(questionRun.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "interrupt" } });
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
    expect(listSteps(events)[0]).toBe("+plan");
    expect(formatMessages(agent.messages)).toEqual(
      expect.arrayContaining(["assistant: How much?", "user: 20", "assistant: It is paid."]),
    );
    expect(agent.pending).toEqual([]);
    await setup.expectInSync(agent);
  });

  test("answers with a plain message without interrupt support", async () => {
    const agent = createClient("/agui/curious");
    await agent.run("The weather");
    const reloadedAgent = agent.reload();
    const events = await reloadedAgent.run("Oslo");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(formatMessages(reloadedAgent.messages)).toContain("assistant: It is fine with Oslo.");
    expect(formatMessages(reloadedAgent.messages).filter((line) => line === "user: Oslo")).toHaveLength(1);
    expect(listSteps(events)).toEqual(["+The weather", "-The weather"]);
    expect(reloadedAgent.state).toMatchObject({
      orrery: { status: "completed", plans: [{ tasks: [{ status: "completed" }] }] },
    });
  });

  test("answers one of several questions and withdraws another in one run", async () => {
    const agent = createClient();
    const events = await agent.run(scriptAgentPlan(setup.model, "curious", "curious"));
    expect(events.at(-1)).toMatchObject({ outcome: { type: "interrupt", interrupts: [{}, {}] } });
    const [first, second] = agent.pending;
    const resumed = await agent.run(null, {
      resume: [
        { interruptId: second?.id ?? "", status: "cancelled" },
        { interruptId: first?.id ?? "", status: "resolved", payload: "Rome" },
      ],
    });
    expect(resumed.at(-1)).toMatchObject(SUCCESS);
    const { tasks } = (agent.state["orrery"] as { plans: { tasks: { status: string }[] }[] }).plans[0] ?? { tasks: [] };
    expect(tasks.map(({ status }) => status).toSorted()).toEqual(["cancelled", "completed"]);
    expect(formatMessages(agent.messages)).toContain("assistant: It is fine with Rome.");
    await setup.expectInSync(agent);
  });

  test("withdraws the only question and repeats the run without effect", async () => {
    const agent = createClient("/agui/curious");
    await agent.run("The weather");
    const resume = [{ interruptId: agent.pending[0]?.id ?? "", status: "cancelled" }] as const;
    const last = (await agent.run(null, { resume })).at(-1) as Record<string, unknown> | undefined;
    expect(last?.["type"]).toBe("RUN_FINISHED");
    expect(last?.["outcome"]).toEqual(version === "1.0.0" ? { type: "cancelled" } : undefined);
    expect(agent.state).toMatchObject({ orrery: { plans: [{ tasks: [{ status: "cancelled" }] }], pending: [] } });
    await setup.expectInSync(agent);
    // No question is open, so the run ends at once.
    const secondRun = await agent.reload().run(null, { resume });
    expect(listTypes(secondRun)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  });

  test("answers with only the id of the question after a reload", async () => {
    const agent = createClient("/agui/curious");
    await agent.run("The weather");
    const reloadedAgent = agent.reload();
    const resume = [{ interruptId: agent.pending[0]?.id ?? "", status: "resolved", payload: "Rome" }] as const;
    const events = await reloadedAgent.run(null, { resume });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(formatMessages(reloadedAgent.messages).at(-1)).toBe("assistant: It is fine with Rome.");
    expect(reloadedAgent.state).toMatchObject({
      orrery: { status: "completed", plans: [{ tasks: [{ status: "completed" }] }] },
    });
  });

  test("gets an event and the result when another client answered first", async () => {
    const agent = createClient("/agui/curious");
    await agent.run("The weather");
    const interruptId = agent.pending[0]?.id ?? "";
    await setup.user.send("Rome", { conversation: agent.threadId });
    const lateRun = await agent.run(null, {
      resume: [{ interruptId, status: "resolved", payload: { answer: "Oslo" } }],
    });
    expect(lateRun.find(({ name }) => name === "answer_not_taken")?.["value"]).toMatchObject({
      interruptId,
      code: "question_answered",
    });
    expect(lateRun.at(-1)).toMatchObject(SUCCESS);
    expect(formatMessages(agent.messages).slice(-2)).toEqual(["user: Rome", "assistant: It is fine with Rome."]);
    expect(agent.pending).toEqual([]);
    expect((await agent.run("And tomorrow?")).at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
    await setup.expectInSync(agent);
  });

  test("[T2] repeats an answer in a new run and gets the result", async () => {
    const agent = createClient("/agui/curious");
    await agent.run("The weather");
    const resume = [
      { interruptId: agent.pending[0]?.id ?? "", status: "resolved", payload: { answer: "Rome" } },
    ] as const;
    await agent.run(null, { resume, abortAfter: 1 });
    const events = await agent.run(null, { resume });
    expect(listTypes(events)).not.toContain("CUSTOM");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(formatMessages(agent.messages).filter((line) => line === "assistant: It is fine with Rome.")).toHaveLength(
      1,
    );
    expect(
      (await setup.readItems(agent)).filter(({ event, role }) => event === "message" && role === "user"),
    ).toHaveLength(1);
    await setup.expectInSync(agent);
  });

  test("[T2] repeats a run with a withdrawal and an answer and gets the same outcome", async () => {
    const agent = createClient();
    await agent.run(scriptAgentPlan(setup.model, "curious", "curious"));
    const [first, second] = agent.pending;
    const resume = [
      { interruptId: first?.id ?? "", status: "cancelled" },
      { interruptId: second?.id ?? "", status: "resolved", payload: "Rome" },
    ] as const;
    const runId = crypto.randomUUID();
    const firstRun = await agent.run(null, { runId, resume });
    const secondRun = await agent.reload().run(null, { runId, resume });
    expect(secondRun.at(-1)).toEqual(firstRun.at(-1));
  });

  test("answers no question if one of its answers is invalid", async () => {
    const agent = createClient();
    await agent.run(scriptAgentPlan(setup.model, "curious", "curious"));
    const [first, second] = agent.pending;
    const romeAnswer = { interruptId: first?.id ?? "", status: "resolved", payload: "Rome" } as const;
    const unknown = [romeAnswer, { interruptId: "req-never", status: "resolved", payload: "Oslo" }] as const;
    await expect(agent.reload().run(null, { resume: unknown })).rejects.toThrow(/HTTP 404/);
    const twice = [romeAnswer, { ...romeAnswer, payload: "Oslo" }];
    await expect(agent.reload().run(null, { resume: twice })).rejects.toThrow(
      /HTTP 400.*must answer each question only once/,
    );
    await expect(agent.reload().run("Rome")).rejects.toThrow(/HTTP 409.*Answer them with resume/);
    const { pending } = await setup.user.get<{ pending: object[] }>(`/api/v1/conversations/${agent.threadId}/context`);
    expect(pending).toHaveLength(2);
    const both = [romeAnswer, { interruptId: second?.id ?? "", status: "resolved", payload: "Oslo" }] as const;
    expect((await agent.run(null, { resume: both })).at(-1)).toMatchObject(SUCCESS);
  });

  test("approves a tool call with changed arguments and refuses another", async () => {
    const text = `From ${version}`;
    const agent = createClient("/agui/guestbook");
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
    expect(formatMessages(agent.messages).at(-1)).toContain(text);
    await setup.expectInSync(agent);
    const other = createClient("/agui/guestbook");
    await other.run("Sign the guestbook with 'Never'");
    await other.run(null, { resume: [{ interruptId: other.pending[0]?.id ?? "", status: "cancelled" }] });
    expect(formatMessages(other.messages).at(-1)).toContain("not carried out");
    await setup.expectInSync(other);
  });
});
