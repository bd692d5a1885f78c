// Questions to the person, from outside: asked by the planner and by agents, answered from every door, once,
// over restarts, and not at all.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { EventName, Frame } from "../../src/protocol/wire/events.ts";
import type { QuestionContext } from "../../src/protocol/wire/question.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { askingWith, curiously, plannedWith } from "../support/asking.ts";
import { startA2AAgent, type A2AAgent } from "../support/a2a-agent.ts";
import { listenTo, type Listener } from "../support/listener.ts";
import { handoff, planOf } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, framesOf, personAt, textOf, type Person } from "../support/person.ts";
import { breachesIn, pictureFrom, pictureOf } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let curious: A2AAgent;
let old: A2AAgent;
let runtime: Runtime;
let person: Person;
const listeners: Listener[] = [];

beforeAll(async () => {
  model = await startModelServer();
  curious = await startA2AAgent("curious", "1.0", curiously);
  old = await startA2AAgent("old", "0.3", curiously);
  runtime = await startRuntime({
    vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1", QUESTION_SECONDS: "20" },
  });
  person = personAt(runtime.url);
  for (const { url } of [curious, old]) {
    expect((await person.request("POST", "/api/v1/agents", { url })).status).toBe(201);
  }
});
afterAll(async () => {
  for (const listener of listeners) listener.close();
  await runtime.stop();
  await Promise.all([curious.close(), old.close(), model.close()]);
});

const asking = (...questions: readonly string[]) => askingWith(model, ...questions);
const planned = (...agents: readonly string[]) => plannedWith(model, ...agents);

type Refused = { readonly status: number; readonly code: string; readonly detail: string; readonly field?: string };

async function resume(id: string, body: object): Promise<Refused & { thread_id?: string; seq?: number }> {
  const response = await person.request("POST", `/api/v1/conversations/${id}/resume`, body);
  return { ...((await response.json()) as Refused), status: response.status };
}

const contextOf = (id: string) => person.get<QuestionContext>(`/api/v1/conversations/${id}/context`);
const statusOf = async (id: string) => (await person.get<ConversationInfo>(`/api/v1/conversations/${id}`)).status;

async function ended(id: string, dones = 1): Promise<Frame[]> {
  return vi.waitFor(
    async () => {
      const frames = await person.history(id);
      expect(frames.filter(({ event }) => event === "done")).toHaveLength(dones);
      return frames;
    },
    { timeout: 15_000, interval: 50 },
  );
}

const names = (frames: readonly Frame[]): EventName[] => frames.map(({ event }) => event);

describe("the planner's question", () => {
  test("[F26] [F30] pauses: the stream ends, the conversation waits, and the context shows why without secrets", async () => {
    const { message } = asking("How much?");
    const { conversationId, threadId, frames } = await person.say(message);
    const [asked] = eventsOf(frames, "plan_require_user_input");
    expect(asked?.payload).toMatchObject({ content: "How much?", options: ["10", "20"] });
    expect(names(frames)).not.toContain("done");
    expect(await statusOf(conversationId)).toBe("require_user_input");
    const context = await contextOf(conversationId);
    expect(context).toMatchObject({
      stage: "planning",
      conversation_id: conversationId,
      thread_id: threadId,
      user_id: "local",
      metadata: { query: message },
      pending: [{ request_id: asked?.payload.request_id, prompt: "How much?", options: ["10", "20"] }],
    });
    expect(JSON.stringify(context)).not.toContain("create_plan");
    await person.request("POST", `/api/v1/conversations/${conversationId}/cancel`, {});
  });

  test("[F27] [X3] the next message answers it: planning goes on, without another triage", async () => {
    const { mark, message } = asking("How much?");
    const { conversationId, threadId } = await person.say(message);
    expect((await person.tell("20", { in: conversationId })).thread_id).toBe(threadId);
    const frames = await ended(conversationId);
    expect(breachesIn(frames)).toEqual([]);
    expect(eventsOf(frames, "thread_started")).toHaveLength(1);
    expect(eventsOf(frames, "message")[0]).toMatchObject({
      role: "user",
      thread_id: threadId,
      payload: { content: "20" },
    });
    expect(textOf(frames)).toContain("It is paid.");
    expect(model.callsOf(mark, "triage")).toHaveLength(1);
    expect(model.callsOf(mark, "planner")).toHaveLength(2);
    expect(model.callsOf(mark, "planner")[1]?.request.messages.at(-1)).toMatchObject({ role: "tool", content: "20" });
    expect(await statusOf(conversationId)).toBe("completed");
    expect(await contextOf(conversationId)).toEqual({ pending: [] });
  });

  test("[F28] [F29] several in a row, resumed explicitly over HTTP, which streams what comes of it", async () => {
    const { message } = asking("How much?", "From which account?");
    const { conversationId } = await person.say(message);
    const path = `/api/v1/conversations/${conversationId}/resume`;
    const stream = { accept: "text/event-stream" };
    const first = framesOf(await (await person.request("POST", path, { message: "20" }, stream)).text());
    expect(eventsOf(first, "plan_require_user_input")[0]?.payload.content).toBe("From which account?");
    const second = framesOf(await (await person.request("POST", path, { message: "savings" }, stream)).text());
    expect(names(second).at(0)).toBe("message");
    expect(names(second).at(-1)).toBe("done");
    expect(textOf(second)).toContain("It is paid.");
  });

  test("[H4] it survives the death of the runtime, again and again", async () => {
    const { message, mark } = asking("How much?");
    const { conversationId } = await person.say(message);
    for (let i = 0; i < 3; i++) {
      await runtime.kill();
      await runtime.restart();
      expect((await contextOf(conversationId)).pending).toHaveLength(1);
    }
    await resume(conversationId, { message: "20" });
    const frames = await ended(conversationId);
    expect(breachesIn(frames)).toEqual([]);
    expect(names(frames)).not.toContain("task_retrying");
    expect(model.callsOf(mark, "triage")).toHaveLength(1);
    expect(model.callsOf(mark, "planner")).toHaveLength(2);
  });

  test("[H1] eight sockets answer at once: one wins, seven are told, and all see the same", async () => {
    const { message } = asking("How much?");
    const { conversationId } = await person.say(message);
    const crowd = Array.from({ length: 8 }, () => listenTo({ url: runtime.url, conversationId }));
    listeners.push(...crowd);
    await Promise.all(crowd.map((listener) => listener.until(({ event }) => event === "plan_require_user_input")));
    const outcomes = await Promise.allSettled(crowd.map(({ line }, i) => line.resume(`answer ${i}`)));
    const lost = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as { code?: string }] : [],
    );
    expect(lost).toHaveLength(7);
    expect(lost.map(({ code }) => code)).toEqual(Array(7).fill("question_answered"));
    const frames = await ended(conversationId);
    expect(eventsOf(frames, "message")).toHaveLength(1);
    const picture = pictureFrom(frames);
    for (const listener of crowd) {
      await listener.hasSeen(frames.at(-1)?.seq ?? 0);
      expect(pictureOf(listener.line.view)).toEqual(picture);
      expect(listener.line.view.pending).toEqual([]);
    }
  });

  test("[T5] cancelling a paused thread closes its question and ends it with done alone", async () => {
    const { message } = asking("How much?");
    const { conversationId, threadId } = await person.say(message);
    const before = await person.history(conversationId);
    const { request_id } = (await contextOf(conversationId)).pending[0] ?? {};
    const cancelled = await person.request("POST", `/api/v1/conversations/${conversationId}/cancel`, {});
    expect(await cancelled.json()).toEqual({ cancelled: [threadId] });
    const frames = await ended(conversationId);
    expect(names(frames.slice(before.length))).toEqual(["done"]);
    expect(await resume(conversationId, { message: "20", request_id })).toMatchObject({
      status: 409,
      code: "question_cancelled",
    });
    expect(await contextOf(conversationId)).toEqual({ pending: [] });
  });
});

describe("answers that are refused change nothing (I14)", () => {
  test("[H1] [H3] late, second, unknown, foreign and ill-shaped ones have an error each", async () => {
    const { message } = asking("How much?");
    const { conversationId: id } = await person.say(message);
    const { request_id } = (await contextOf(id)).pending[0] ?? {};
    const before = await person.history(id);
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
    expect(await person.history(id)).toEqual(before);
    const answered = await resume(id, { message: "20", id: "answer-1" });
    expect(answered.status).toBe(202);
    expect(await resume(id, { message: "20", id: "answer-1" })).toEqual(answered);
    expect(await resume(id, { message: "20", request_id })).toMatchObject({ status: 409, code: "question_answered" });
    const frames = await ended(id);
    expect(eventsOf(frames, "message")).toHaveLength(1);
    expect(await resume(id, { message: "20" })).toMatchObject({ status: 409, code: "question_answered" });
    const { conversationId: quiet } = await person.say(`Hi ${model.act({ triage: { text: "Hi." } })}`);
    expect(await resume(quiet, { message: "20" })).toMatchObject({ status: 409, code: "conflict" });
  });
});

describe("an agent's question", () => {
  test.each(["1.0", "0.3"])(
    "over A2A %s: the task waits, others finish, and the answer reaches the same task",
    async (version) => {
      const agent = version === "1.0" ? curious : old;
      const message = planned(agent.name, "assistant");
      const { conversationId, frames } = await person.say(message);
      const [asked] = eventsOf(frames, "task_waiting");
      expect(asked?.payload.content).toBe("Which city?");
      expect(eventsOf(frames, "task_completed")).toHaveLength(1);
      const tasks = await person.get<{ tasks: { status: string }[] }>(`/api/v1/conversations/${conversationId}/tasks`);
      expect(tasks.tasks.map(({ status }) => status)).toEqual(["waiting_input", "completed"]);
      expect((await contextOf(conversationId)).stage).toBe("executing");
      const before = agent.asked.length;
      expect((await resume(conversationId, { message: "Rome" })).status).toBe(202);
      const log = await ended(conversationId);
      expect(breachesIn(log)).toEqual([]);
      expect(agent.asked).toHaveLength(before + 1);
      expect(agent.asked.at(-1)).toMatchObject({ query: "Rome", taskId: expect.stringContaining("remote-") as string });
      expect(textOf(log)).toContain("It is fine with Rome.");
      expect(eventsOf(log, "task_completed")).toHaveLength(2);
    },
  );

  test("several open at once: an answer must name its question, and each reaches its own", async () => {
    const { conversationId: id, frames } = await person.say(planned("curious", "old"));
    const [first, second] = eventsOf(frames, "task_waiting");
    expect(await resume(id, { message: "Rome" })).toMatchObject({ status: 409, code: "conflict", field: "request_id" });
    const sent = await person.request("POST", `/api/v1/conversations/${id}/messages`, { message: "Rome" });
    expect([sent.status, ((await sent.json()) as Refused).field]).toEqual([409, "request_id"]);
    await resume(id, { message: "Oslo", request_id: second?.payload.request_id });
    expect((await contextOf(id)).pending.map(({ request_id }) => request_id)).toEqual([first?.payload.request_id]);
    await resume(id, { message: "Rome", request_id: first?.payload.request_id });
    const log = await ended(id);
    expect(textOf(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === first?.task_id))).toContain(
      "fine with Rome",
    );
    expect(textOf(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === second?.task_id))).toContain(
      "fine with Oslo",
    );
    expect(breachesIn(log)).toEqual([]);
  });

  test("[T5] what waits for the answer is cancelled at once, and the question stays", async () => {
    const work = model.act({ "agent:assistant": { text: "Done." } });
    const planner = planOf({ agent: "curious", query: "Ask" }, { query: `Work ${work}`, after: ["t0"] });
    const mark = model.act({ triage: handoff("needs_planning"), planner, synthesis: { text: "All." } });
    const { conversationId: id } = await person.say(`Please ${mark}`);
    const tasksOf = async () => (await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
    const second = (await tasksOf())[1]?.task_id;
    expect((await person.request("POST", `/api/v1/tasks/${second}/cancel`, {})).status).toBe(200);
    expect((await tasksOf()).map(({ status }) => status)).toEqual(["waiting_input", "cancelled"]);
    expect((await person.request("POST", `/api/v1/tasks/${second}/cancel`, {})).status).toBe(409);
    expect(await statusOf(id)).toBe("require_user_input");
    await resume(id, { message: "Rome" });
    expect(breachesIn(await ended(id))).toEqual([]);
    expect((await tasksOf()).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
  });

  test("[H4] [T4] asked twice, over the death of the runtime before and in the middle of the answer", async () => {
    const mark = model.act({
      triage: handoff("needs_planning"),
      planner: planOf({ agent: "curious", query: "twice please" }),
    });
    const { conversationId: id } = await person.say(`Please ${mark}`);
    await runtime.kill();
    await runtime.restart();
    await resume(id, { message: "Rome", id: "first" });
    await runtime.kill();
    await runtime.restart();
    expect((await resume(id, { message: "Rome", id: "first" })).status).toBe(202);
    await vi.waitFor(
      async () => expect((await contextOf(id)).pending[0]?.prompt).toBe("Are you sure of Rome?"),
      10_000,
    );
    await resume(id, { message: "sure" });
    const log = await ended(id);
    expect(breachesIn(log)).toEqual([]);
    expect(eventsOf(log, "task_waiting")).toHaveLength(2);
    expect(eventsOf(log, "message")).toHaveLength(2);
    expect(textOf(log)).toContain("It is fine with sure.");
    const [task] = (await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`)).tasks;
    expect(task).toMatchObject({ status: "completed", result: "It is fine with sure." });
  });

  test("[T5] [F56] cancelling the waiting task tells its agent; the other work stands", async () => {
    const { conversationId: id, frames } = await person.say(planned("curious", "assistant"));
    const [asked] = eventsOf(frames, "task_waiting");
    const cancelled = await person.request("POST", `/api/v1/tasks/${asked?.task_id}/cancel`);
    expect(await cancelled.json()).toEqual({ cancelled: [asked?.task_id] });
    const log = await ended(id);
    const { tasks } = await person.get<{ tasks: Task[] }>(`/api/v1/conversations/${id}/tasks`);
    expect(tasks.map(({ status }) => status)).toEqual(["cancelled", "completed"]);
    expect(await person.get(`/api/v1/conversations/${id}`)).toMatchObject({ status: "completed" });
    expect(names(log.filter((frame) => "task_id" in frame.data && frame.data.task_id === asked?.task_id)).at(-1)).toBe(
      "task_cancelled",
    );
    await vi.waitFor(
      () => expect(curious.told.some((call) => call.startsWith("CancelTask remote-"))).toBe(true),
      5_000,
    );
    expect(await resume(id, { message: "Rome", request_id: asked?.payload.request_id })).toMatchObject({
      code: "question_cancelled",
    });
  });
});
