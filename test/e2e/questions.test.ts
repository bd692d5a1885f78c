// Questions to the user over HTTP and sockets: asked by the planner and by agents, answered once, answered after
// restarts, and cancelled.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { EventName, Frame } from "../../src/protocol/wire/events.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { scriptPlannerQuestions, askForCity, scriptAgentPlan } from "../support/question-script.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { connectRecordingClient, type RecordingClient } from "../support/recording-client.ts";
import { createHandoffReply, createPlanReply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { filterEvents, parseFrames, createApiUser, joinText, type ApiUser } from "../support/api-user.ts";
import { findViolations, foldVisibleState, toVisibleState } from "../support/invariants.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let curiousAgent: A2AAgent;
let legacyAgent: A2AAgent;
let runtime: Runtime;
let user: ApiUser;
const listeners: RecordingClient[] = [];

beforeAll(async () => {
  model = await startModelServer();
  curiousAgent = await startA2AAgent("curious", "1.0", askForCity);
  legacyAgent = await startA2AAgent("old", "0.3", askForCity);
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", QUESTION_SECONDS: "20" },
  });
  user = createApiUser(runtime.url);
  for (const { url } of [curiousAgent, legacyAgent]) {
    expect((await user.request("POST", "/api/v1/agents", { url })).status).toBe(201);
  }
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await runtime.stop();
  await Promise.all([curiousAgent.close(), legacyAgent.close(), model.close()]);
});

const scriptQuestions = (...questions: readonly string[]) => scriptPlannerQuestions(model, ...questions);
const scriptPlan = (...agents: readonly string[]) => scriptAgentPlan(model, ...agents);

type ErrorResponse = {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly field?: string;
};

async function resume(id: string, body: object): Promise<ErrorResponse & { thread_id?: string; seq?: number }> {
  const response = await user.request("POST", `/api/v1/conversations/${id}/resume`, body);
  return { ...((await response.json()) as ErrorResponse), status: response.status };
}

const readContext = (id: string) => user.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
const readStatus = async (id: string) => (await user.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status;

async function waitForDone(id: string, doneCount = 1): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const frames = await user.history(id);
      expect(frames.filter(({ event }) => event === "done")).toHaveLength(doneCount);
      return frames;
    },
    { timeout: 15_000, interval: 50 },
  );
}

const listEventNames = (frames: readonly Frame[]): EventName[] => frames.map(({ event }) => event);

describe("question of the planner", () => {
  test("[F26] [F30] ends the stream, pauses the conversation and is listed in the context without internal data", async () => {
    const { message } = scriptQuestions("How much?");
    const { conversationId, threadId, frames } = await user.sendAndWait(message);
    const [question] = filterEvents(frames, "plan_require_user_input");
    expect(question?.payload).toMatchObject({ content: "How much?", options: ["10", "20"] });
    expect(listEventNames(frames)).not.toContain("done");
    expect(await readStatus(conversationId)).toBe("require_user_input");
    const context = await readContext(conversationId);
    expect(context).toMatchObject({
      stage: "planning",
      conversation_id: conversationId,
      thread_id: threadId,
      user_id: "local",
      metadata: { query: message },
      pending: [{ request_id: question?.payload.request_id, prompt: "How much?", options: ["10", "20"] }],
    });
    expect(JSON.stringify(context)).not.toContain("create_plan");
    await user.request("POST", `/api/v1/conversations/${conversationId}/cancel`, {});
  });

  test("[F27] [X3] is answered by the next message, and planning continues without another triage", async () => {
    const { mark, message } = scriptQuestions("How much?");
    const { conversationId, threadId } = await user.sendAndWait(message);
    expect((await user.send("20", { conversation: conversationId })).thread_id).toBe(threadId);
    const frames = await waitForDone(conversationId);
    expect(findViolations(frames)).toEqual([]);
    expect(filterEvents(frames, "thread_started")).toHaveLength(1);
    expect(filterEvents(frames, "message")[0]).toMatchObject({
      role: "user",
      thread_id: threadId,
      payload: { content: "20" },
    });
    expect(joinText(frames)).toContain("It is paid.");
    expect(model.getCalls(mark, "triage")).toHaveLength(1);
    expect(model.getCalls(mark, "planner")).toHaveLength(2);
    expect(model.getCalls(mark, "planner")[1]?.request.messages.at(-1)).toMatchObject({ role: "tool", content: "20" });
    expect(await readStatus(conversationId)).toBe("completed");
    expect(await readContext(conversationId)).toEqual({ pending: [] });
  });

  test("[F28] [F29] is answered with a resume request over HTTP that streams the next question or the result", async () => {
    const { message } = scriptQuestions("How much?", "From which account?");
    const { conversationId } = await user.sendAndWait(message);
    const path = `/api/v1/conversations/${conversationId}/resume`;
    const stream = { accept: "text/event-stream" };
    const first = parseFrames(await (await user.request("POST", path, { message: "20" }, stream)).text());
    expect(filterEvents(first, "plan_require_user_input")[0]?.payload.content).toBe("From which account?");
    const second = parseFrames(await (await user.request("POST", path, { message: "savings" }, stream)).text());
    expect(listEventNames(second).at(0)).toBe("message");
    expect(listEventNames(second).at(-1)).toBe("done");
    expect(joinText(second)).toContain("It is paid.");
  });

  test("[H4] survives repeated crashes of the runtime", async () => {
    const { message, mark } = scriptQuestions("How much?");
    const { conversationId } = await user.sendAndWait(message);
    for (let i = 0; i < 3; i++) {
      await runtime.kill();
      await runtime.restart();
      expect((await readContext(conversationId)).pending).toHaveLength(1);
    }
    await resume(conversationId, { message: "20" });
    const frames = await waitForDone(conversationId);
    expect(findViolations(frames)).toEqual([]);
    expect(listEventNames(frames)).not.toContain("task_retrying");
    expect(model.getCalls(mark, "triage")).toHaveLength(1);
    expect(model.getCalls(mark, "planner")).toHaveLength(2);
  });

  test("[H1] accepts one of eight concurrent answers, rejects the others and looks the same to all clients", async () => {
    const { message } = scriptQuestions("How much?");
    const { conversationId } = await user.sendAndWait(message);
    const clients = Array.from({ length: 8 }, () => connectRecordingClient({ url: runtime.url, conversationId }));
    listeners.push(...clients);
    await Promise.all(clients.map((listener) => listener.waitFor(({ event }) => event === "plan_require_user_input")));
    const outcomes = await Promise.allSettled(clients.map(({ connection: line }, i) => line.resume(`answer ${i}`)));
    const rejections = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as { code?: string }] : [],
    );
    expect(rejections).toHaveLength(7);
    expect(rejections.map(({ code }) => code)).toEqual(Array(7).fill("question_answered"));
    const frames = await waitForDone(conversationId);
    expect(filterEvents(frames, "message")).toHaveLength(1);
    const picture = foldVisibleState(frames);
    for (const listener of clients) {
      await listener.waitForSeq(frames.at(-1)?.seq ?? 0);
      expect(toVisibleState(listener.connection.view)).toEqual(picture);
      expect(listener.connection.view.pending).toEqual([]);
    }
  });
});

describe("[I14] rejected answers", () => {
  test("[H1] [H3] have specific errors and leave the log unchanged", async () => {
    const { message } = scriptQuestions("How much?");
    const { conversationId: id } = await user.sendAndWait(message);
    const { request_id } = (await readContext(id)).pending[0] ?? {};
    const before = await user.history(id);
    expect(await resume(id, { message: "20", request_id: "req-nobody" })).toMatchObject({
      status: 404,
      code: "not_found",
      field: "request_id",
    });
    expect(await resume(id, { message: " " })).toMatchObject({ status: 400, field: "message" });
    expect(await resume(id, { request_id })).toMatchObject({ status: 400, field: "message" });
    expect(await resume(id, { message: "20", request_id: 7 })).toMatchObject({ status: 400, field: "request_id" });
    expect(await resume(id, { message: "20", more: 1 })).toMatchObject({ status: 400, field: "more" });
    expect(await resume(id, { message: "20", arguments: {} })).toMatchObject({ status: 422, field: "arguments" });
    expect(await resume(id, { message: "x".repeat(70_000) })).toMatchObject({ status: 413 });
    expect(await resume("conv-nobody", { message: "20", request_id })).toMatchObject({ status: 404 });
    expect(await user.history(id)).toEqual(before);
    const answered = await resume(id, { message: "20", id: "answer-1" });
    expect(answered.status).toBe(202);
    expect(await resume(id, { message: "20", id: "answer-1" })).toEqual(answered);
    expect(await resume(id, { message: "20", request_id })).toMatchObject({ status: 409, code: "question_answered" });
    const frames = await waitForDone(id);
    expect(filterEvents(frames, "message")).toHaveLength(1);
    expect(await resume(id, { message: "20" })).toMatchObject({ status: 409, code: "question_answered" });
    const { conversationId: idleId } = await user.sendAndWait(`Hi ${model.addScript({ triage: { text: "Hi." } })}`);
    expect(await resume(idleId, { message: "20" })).toMatchObject({ status: 409, code: "conflict" });
  });
});

describe("question of an agent", () => {
  test.each(["1.0", "0.3"])(
    "over A2A %s pauses its task, lets other tasks finish and delivers the answer to the same remote task",
    async (version) => {
      const agent = version === "1.0" ? curiousAgent : legacyAgent;
      const message = scriptPlan(agent.name, "assistant");
      const { conversationId, frames } = await user.sendAndWait(message);
      const [question] = filterEvents(frames, "task_waiting");
      expect(question?.payload.content).toBe("Which city?");
      expect(filterEvents(frames, "task_completed")).toHaveLength(1);
      const tasks = await user.get<{ tasks: { status: string }[] }>(`/api/v1/conversations/${conversationId}/tasks`);
      expect(tasks.tasks.map(({ status }) => status)).toEqual(["waiting_input", "completed"]);
      expect((await readContext(conversationId)).stage).toBe("executing");
      const before = agent.messages.length;
      expect((await resume(conversationId, { message: "Rome" })).status).toBe(202);
      const log = await waitForDone(conversationId);
      expect(findViolations(log)).toEqual([]);
      expect(agent.messages).toHaveLength(before + 1);
      expect(agent.messages.at(-1)).toMatchObject({
        query: "Rome",
        taskId: expect.stringContaining("remote-") as string,
      });
      expect(joinText(log)).toContain("It is fine with Rome.");
      expect(filterEvents(log, "task_completed")).toHaveLength(2);
    },
  );

  test("requires the request id in answers while several questions are open", async () => {
    const { conversationId: id, frames } = await user.sendAndWait(scriptPlan("curious", "old"));
    const [first, second] = filterEvents(frames, "task_waiting");
    expect(await resume(id, { message: "Rome" })).toMatchObject({ status: 409, code: "conflict", field: "request_id" });
    const sent = await user.request("POST", `/api/v1/conversations/${id}/messages`, { message: "Rome" });
    expect([sent.status, ((await sent.json()) as ErrorResponse).field]).toEqual([409, "request_id"]);
    await resume(id, { message: "Oslo", request_id: second?.payload.request_id });
    expect((await readContext(id)).pending.map(({ request_id }) => request_id)).toEqual([first?.payload.request_id]);
    await resume(id, { message: "Rome", request_id: first?.payload.request_id });
    const log = await waitForDone(id);
    expect(joinText(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === first?.task_id))).toContain(
      "fine with Rome",
    );
    expect(
      joinText(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === second?.task_id)),
    ).toContain("fine with Oslo");
    expect(findViolations(log)).toEqual([]);
  });

  test("[T5] stays open when a dependent task is cancelled", async () => {
    const work = model.addScript({ "agent:assistant": { text: "Done." } });
    const planner = createPlanReply({ agent: "curious", query: "Ask" }, { query: `Work ${work}`, after: ["t0"] });
    const mark = model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner,
      synthesis: { text: "All." },
    });
    const { conversationId: id } = await user.sendAndWait(`Please ${mark}`);
    const readTasks = async () => (await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
    const second = (await readTasks())[1]?.task_id;
    expect((await user.request("POST", `/api/v1/tasks/${second}/cancel`, {})).status).toBe(200);
    expect((await readTasks()).map(({ status }) => status)).toEqual(["waiting_input", "cancelled"]);
    expect((await user.request("POST", `/api/v1/tasks/${second}/cancel`, {})).status).toBe(409);
    expect(await readStatus(id)).toBe("require_user_input");
    await resume(id, { message: "Rome" });
    expect(findViolations(await waitForDone(id))).toEqual([]);
    expect((await readTasks()).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
  });

  test("[H4] [T4] is asked and answered twice with crashes before and during the first answer", async () => {
    const mark = model.addScript({
      triage: createHandoffReply("needs_planning"),
      planner: createPlanReply({ agent: "curious", query: "twice please" }),
    });
    const { conversationId: id } = await user.sendAndWait(`Please ${mark}`);
    await runtime.kill();
    await runtime.restart();
    await resume(id, { message: "Rome", id: "first" });
    await runtime.kill();
    await runtime.restart();
    expect((await resume(id, { message: "Rome", id: "first" })).status).toBe(202);
    await vi.waitFor(
      async () => expect((await readContext(id)).pending[0]?.prompt).toBe("Are you sure of Rome?"),
      10_000,
    );
    await resume(id, { message: "sure" });
    const log = await waitForDone(id);
    expect(findViolations(log)).toEqual([]);
    expect(filterEvents(log, "task_waiting")).toHaveLength(2);
    expect(filterEvents(log, "message")).toHaveLength(2);
    expect(joinText(log)).toContain("It is fine with sure.");
    const [task] = (await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
    expect(task).toMatchObject({ status: "completed", result: "It is fine with sure." });
  });

  test("[T5] [F56] is cancelled with its task at the remote agent, and other tasks keep their results", async () => {
    const { conversationId: id, frames } = await user.sendAndWait(scriptPlan("curious", "assistant"));
    const [question] = filterEvents(frames, "task_waiting");
    const cancelled = await user.request("POST", `/api/v1/tasks/${question?.task_id}/cancel`);
    expect(await cancelled.json()).toEqual({ cancelled: [question?.task_id] });
    const log = await waitForDone(id);
    const { tasks } = await user.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`);
    expect(tasks.map(({ status }) => status)).toEqual(["cancelled", "completed"]);
    expect(await user.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
    expect(
      listEventNames(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === question?.task_id)).at(-1),
    ).toBe("task_cancelled");
    await vi.waitFor(
      () => expect(curiousAgent.otherRequests.some((call) => call.startsWith("CancelTask remote-"))).toBe(true),
      5_000,
    );
    expect(await resume(id, { message: "Rome", request_id: question?.payload.request_id })).toMatchObject({
      code: "question_cancelled",
    });
  });
});
