// Questions and approvals as interrupts of AG-UI, for clients that know of them and for those that do not.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askingWith, plannedWith } from "../../support/asking.ts";
import { clientOf, stepsIn, typesOf, VERSIONS, wordsOf } from "./agui-client.ts";
import { startStage, type Stage } from "./agui-stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

describe.each(VERSIONS)("the client %s", (version) => {
  const client = (path = "/agui", state: object = {}) => clientOf(version, stage.runtime.url + path, { state });

  test("is asked, and answers by resuming", async () => {
    const agent = client();
    const { message } = askingWith(stage.model, "How much?");
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
    await stage.agrees(agent);
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
    const events = await agent.run(plannedWith(stage.model, "curious", "curious"));
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
    expect(wordsOf(agent.messages)).toContain("assistant: It is fine with Rome.");
    await stage.agrees(agent);
  });

  test("withdraws the only question, and is told nothing twice", async () => {
    const agent = client("/agui/curious");
    await agent.run("The weather");
    const resume = [{ interruptId: agent.pending[0]?.id ?? "", status: "cancelled" }] as const;
    const last = (await agent.run(null, { resume })).at(-1) as Record<string, unknown> | undefined;
    expect(last?.["type"]).toBe("RUN_FINISHED");
    expect(last?.["outcome"]).toEqual(version === "1.0.0" ? { type: "cancelled" } : undefined);
    expect(agent.state).toMatchObject({ orrery: { plans: [{ tasks: [{ status: "cancelled" }] }], pending: [] } });
    await stage.agrees(agent);
    // Nothing is open any more, so there is nothing to follow.
    const again = await agent.anew().run(null, { resume });
    expect(typesOf(again)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  });

  test("answers with nothing in its hands but the question", async () => {
    const agent = client("/agui/curious");
    await agent.run("The weather");
    const fresh = agent.anew();
    const resume = [{ interruptId: agent.pending[0]?.id ?? "", status: "resolved", payload: "Rome" }] as const;
    const events = await fresh.run(null, { resume });
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(fresh.messages).at(-1)).toBe("assistant: It is fine with Rome.");
    expect(fresh.state).toMatchObject({
      orrery: { status: "completed", plans: [{ tasks: [{ status: "completed" }] }] },
    });
  });

  test("that somebody else answered first hears so, hears what came of it, and can go on", async () => {
    const agent = client("/agui/curious");
    await agent.run("The weather");
    const interruptId = agent.pending[0]?.id ?? "";
    await stage.person.tell("Rome", { in: agent.threadId });
    const late = await agent.run(null, { resume: [{ interruptId, status: "resolved", payload: { answer: "Oslo" } }] });
    expect(late.find(({ name }) => name === "answer_not_taken")?.["value"]).toMatchObject({
      interruptId,
      code: "question_answered",
    });
    expect(late.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(agent.messages).slice(-2)).toEqual(["user: Rome", "assistant: It is fine with Rome."]);
    expect(agent.pending).toEqual([]);
    expect((await agent.run("And tomorrow?")).at(-1)).toMatchObject({ outcome: { type: "interrupt" } });
    await stage.agrees(agent);
  });

  test("[T2] answers again what is answered, in a new run as well, and hears what came of it", async () => {
    const agent = client("/agui/curious");
    await agent.run("The weather");
    const resume = [
      { interruptId: agent.pending[0]?.id ?? "", status: "resolved", payload: { answer: "Rome" } },
    ] as const;
    await agent.run(null, { resume, leaveAfter: 1 });
    const events = await agent.run(null, { resume });
    expect(typesOf(events)).not.toContain("CUSTOM");
    expect(events.at(-1)).toMatchObject(SUCCESS);
    expect(wordsOf(agent.messages).filter((line) => line === "assistant: It is fine with Rome.")).toHaveLength(1);
    expect(
      (await stage.itemsOf(agent)).filter(({ event, role }) => event === "message" && role === "user"),
    ).toHaveLength(1);
    await stage.agrees(agent);
  });

  test("[T2] repeats a run that withdrew one question and answered another", async () => {
    const agent = client();
    await agent.run(plannedWith(stage.model, "curious", "curious"));
    const [first, second] = agent.pending;
    const resume = [
      { interruptId: first?.id ?? "", status: "cancelled" },
      { interruptId: second?.id ?? "", status: "resolved", payload: "Rome" },
    ] as const;
    const runId = crypto.randomUUID();
    const told = await agent.run(null, { runId, resume });
    const again = await agent.anew().run(null, { runId, resume });
    expect(again.at(-1)).toEqual(told.at(-1));
  });

  test("answers nothing when one of its answers is to no question", async () => {
    const agent = client();
    await agent.run(plannedWith(stage.model, "curious", "curious"));
    const [first, second] = agent.pending;
    const rome = { interruptId: first?.id ?? "", status: "resolved", payload: "Rome" } as const;
    const unknown = [rome, { interruptId: "req-never", status: "resolved", payload: "Oslo" }] as const;
    await expect(agent.anew().run(null, { resume: unknown })).rejects.toThrow(/HTTP 404/);
    const twice = [rome, { ...rome, payload: "Oslo" }];
    await expect(agent.anew().run(null, { resume: twice })).rejects.toThrow(/HTTP 400.*answer each question once/);
    await expect(agent.anew().run("Rome")).rejects.toThrow(/HTTP 409.*answer them with resume/);
    const { pending } = await stage.person.get<{ pending: object[] }>(
      `/api/v1/conversations/${agent.threadId}/context`,
    );
    expect(pending).toHaveLength(2);
    const both = [rome, { interruptId: second?.id ?? "", status: "resolved", payload: "Oslo" }] as const;
    expect((await agent.run(null, { resume: both })).at(-1)).toMatchObject(SUCCESS);
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
    await stage.agrees(agent);
    const other = client("/agui/guestbook");
    await other.run("Sign the guestbook with 'Never'");
    await other.run(null, { resume: [{ interruptId: other.pending[0]?.id ?? "", status: "cancelled" }] });
    expect(wordsOf(other.messages).at(-1)).toContain("not carried out");
    await stage.agrees(other);
  });
});
