// A thread as the text of an answer, from streams that the test interrupts.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { AcceptedCommand } from "../../../src/durable/conversation-api.ts";
import { limitHistory } from "../../../src/http/client-history.ts";
import { streamAnswer } from "../../../src/http/answer-stream.ts";
import { AnswerText, formatQuestion, type AnswerEvent } from "../../../src/http/answer-event.ts";
import type { Operations } from "../../../src/http/api/operations.ts";
import { sendCommandSchema } from "../../../src/protocol/wire/commands.ts";
import type { ConversationEvent, Frame } from "../../../src/protocol/wire/events.ts";
import type { Plan } from "../../../src/protocol/plans/task-plan.ts";
import type { PendingQuestion } from "../../../src/protocol/wire/question.ts";

const ACCEPTED: AcceptedCommand = { conversation_id: "conv-1", thread_id: "th-1", seq: 1, is_first: false };
const scope = { conversation_id: "conv-1", thread_id: "th-1", role: "agent" as const, item_id: "item-1" };

type PartialEvent = { readonly event: ConversationEvent["event"]; readonly data?: object };

/** Numbers events of the thread; they belong to the first task unless they name another. */
const numberEvents = (events: readonly PartialEvent[]): Frame[] =>
  events.map(
    ({ event, data }, i) => ({ seq: i + 1, event, data: { ...scope, task_id: "task-0", ...data } }) as unknown as Frame,
  );

const createText = (content: string, more: object = {}): PartialEvent => ({
  event: "message_chunk",
  data: { payload: { content }, ...more },
});
const DONE: PartialEvent = { event: "done", data: { metadata: { usage: { input_tokens: 7, output_tokens: 3 } } } };

/** Returns the events of a task until it is complete. */
const createCompletedTask = (i: number): PartialEvent[] => {
  const data = { task_id: `task-${i}` };
  return [{ event: "task_started", data }, createText(`said ${i}`, data), { event: "task_completed", data }];
};

function createPlan(tasks: number, more: object = {}): Plan {
  const task = {
    thread_id: "th-1",
    title: "Part",
    agent_name: "assistant",
    depends_on: [],
    pattern: "once",
    status: "pending",
  };
  return {
    plan_id: "plan-1",
    thread_id: "th-1",
    tasks: Array.from({ length: tasks }, (_, i) => ({ ...task, task_id: `task-${i}`, ...more })),
  } as unknown as Plan;
}
const createPlanEvent = (tasks: number, more: object = {}): PartialEvent => ({
  event: "plan_created",
  data: { payload: { plan: createPlan(tasks, more) } },
});

type AnswerSetup = {
  readonly pending?: readonly PendingQuestion[];
  readonly plans?: readonly Plan[];
  /** The plans when they are read again. */
  readonly later?: readonly Plan[];
  readonly cuts?: readonly number[];
  /** How often the host is gone when it is asked. */
  readonly absent?: number;
};

/** Returns the answer when the streams break after the given numbers of frames and the last one ends properly. */
async function collectAnswer(
  events: readonly PartialEvent[],
  { pending = [], plans = [], later = plans, cuts = [], absent = 0 }: AnswerSetup = {},
) {
  const frames = numberEvents(events);
  const follows: number[] = [];
  const follow = (after: number) => {
    const cut = cuts[follows.length];
    follows.push(after);
    const rest = frames.filter(({ seq }) => seq > after);
    const text = (cut === undefined ? rest : rest.slice(0, cut)).map((frame) => `${JSON.stringify(frame)}\n`).join("");
    let hasSent = false;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (!hasSent) controller.enqueue(new TextEncoder().encode(text));
        else if (cut === undefined) controller.close();
        else controller.error(new Error("The host is gone"));
        hasSent = true;
      },
    });
  };
  let hasReadPlans = false;
  const failAtFirst = <T>(read: () => T) => {
    let callCount = 0;
    return () => (callCount++ < absent ? Promise.reject(new Error("The host is gone")) : Promise.resolve(read()));
  };
  const operations = {
    follow: ({ query: { after } }: { query: { after: number } }) => Promise.resolve(follow(after)),
    followThread: failAtFirst(() => follow(0)),
    plans: failAtFirst(() => (hasReadPlans ? later : ((hasReadPlans = true), plans))),
    context: () => Promise.resolve({ pending: cuts.length >= follows.length ? [] : pending }),
  } as unknown as Operations;
  const received: AnswerEvent[] = [];
  const answer = new AnswerText();
  for await (const event of await streamAnswer(operations, ACCEPTED, new AbortController().signal)) {
    received.push(event);
    answer.apply(event);
  }
  return { text: answer.text, thoughts: answer.reasoning, last: received.at(-1), follows };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the text of an answer", () => {
  test("[L2] does not change with interruptions and ends once", async () => {
    const events = [createText("one "), createText("two "), createText("three"), DONE];
    const complete = await collectAnswer(events);
    expect(complete.text).toBe("one two three");
    expect(complete.last).toMatchObject({ kind: "done", usage: { input_tokens: 7 } });
    vi.useFakeTimers();
    const interrupted = collectAnswer(events, { cuts: [1, 0, 2] });
    await vi.advanceTimersByTimeAsync(10_000);
    const result = await interrupted;
    expect(result).toEqual({ ...complete, follows: [0, 1, 1, 3] });
  });

  test("ends with an error when its thread stays silent", async () => {
    vi.useFakeTimers();
    const outcome = collectAnswer([createText("one")], { cuts: Array.from({ length: 100 }, () => 1) }).catch(String);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await outcome).toContain("can’t be read");
  });

  test("is complete although the host is unreachable at first, also for the plan", async () => {
    const answer: PartialEvent = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const events = [answer, createText("task"), createText("summary", { task_id: "task-3" }), DONE];
    expect((await collectAnswer(events, { plans: [createPlan(2)], absent: 1 })).text).toBe("summary");
    vi.useFakeTimers();
    const ended = collectAnswer(events, { absent: 100 }).catch(String);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ended).toContain("can’t be read");
  });

  test("has a paragraph for each item and no retracted text", async () => {
    const retraction: PartialEvent = {
      event: "task_retrying",
      data: { payload: { content: "", attempt: 2, since: 1 } },
    };
    const { text } = await collectAnswer([
      createText("a"),
      createText("b"),
      retraction,
      createText("c"),
      createText("d", { item_id: "item-2" }),
      DONE,
    ]);
    expect(text).toBe("a\n\nc\n\nd");
  });

  test("contains no text of several tasks, also after an answer in between", async () => {
    const answer: PartialEvent = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const events = [createText("task"), createText("summary", { task_id: "task-3" }), DONE];
    expect((await collectAnswer([createPlanEvent(2), ...events])).text).toBe("summary");
    expect((await collectAnswer([answer, ...events], { plans: [createPlan(2)] })).text).toBe("summary");
    expect((await collectAnswer([answer, ...events], { plans: [createPlan(1)] })).text).toBe("tasksummary");
  });

  test("of a recurring task is the notice about its schedule", async () => {
    const notice: PartialEvent = { event: "message", data: { payload: { content: "Scheduled: every hour." } } };
    expect((await collectAnswer([createPlanEvent(1, { pattern: "recurring" }), notice, DONE])).text).toBe(
      "Scheduled: every hour.",
    );
  });

  test("of several tasks without a synthesis contains their texts", async () => {
    expect(
      (await collectAnswer([createPlanEvent(2), ...createCompletedTask(0), ...createCompletedTask(1), DONE])).text,
    ).toBe("said 0\n\nsaid 1");
  });
});

describe("the end of an answer", () => {
  const createFailure = (event: PartialEvent["event"], code: string, more: object = {}): PartialEvent => ({
    event,
    data: { payload: { content: "Why.", code }, ...more },
  });

  test("is a failure of the thread or of its only task", async () => {
    const failure = { kind: "failed", code: "x", message: "Why." };
    expect((await collectAnswer([createFailure("system_failed", "x"), DONE])).last).toEqual(failure);
    expect((await collectAnswer([createFailure("plan_failed", "x"), DONE])).last).toEqual(failure);
    expect((await collectAnswer([createPlanEvent(1), createFailure("task_failed", "x"), DONE])).last).toEqual(failure);
    expect((await collectAnswer([createPlanEvent(2), createFailure("task_failed", "x"), DONE])).last).toMatchObject({
      kind: "done",
    });
  });

  test("is a partial result when tasks completed before a failure, in their order", async () => {
    const unfinished = { kind: "unfinished", code: "x", message: "Why.", usage: { input_tokens: 7, output_tokens: 3 } };
    const end = [createFailure("system_failed", "x"), DONE];
    const several = await collectAnswer([
      createPlanEvent(2),
      ...createCompletedTask(1),
      ...createCompletedTask(0),
      ...end,
    ]);
    expect([several.text, several.last]).toEqual(["**Part**\n\nsaid 0\n\n**Part**\n\nsaid 1", unfinished]);
    const task = createFailure("task_failed", "y", { task_id: "task-1" });
    const broken = await collectAnswer([
      createPlanEvent(3),
      createText("lost", { task_id: "task-1" }),
      task,
      ...createCompletedTask(0),
      ...end,
    ]);
    expect([broken.text, broken.last]).toEqual(["**Part**\n\nsaid 0\n\n**Part**\n\nWhy.", unfinished]);
    const only = await collectAnswer([createPlanEvent(1), ...createCompletedTask(0), ...end]);
    expect([only.text, only.last]).toEqual(["said 0", unfinished]);
    expect((await collectAnswer([createPlanEvent(2), createText("lost"), task, ...end])).last?.kind).toBe("failed");
    expect(
      (
        await collectAnswer([
          createPlanEvent(1),
          ...createCompletedTask(0),
          createFailure("system_failed", "verification_failed"),
          DONE,
        ])
      ).text,
    ).toBe("said 0\n\nWhy.");
  });

  test("is a partial result also after an answer in between, whatever was known of the plan", async () => {
    const answer: PartialEvent = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const plans = [createPlan(2, { status: "running", result: "said" })];
    const later = [createPlan(2, { status: "completed", result: "said 0" })];
    const { text } = await collectAnswer(
      [answer, ...createCompletedTask(0), createFailure("system_failed", "x"), DONE],
      { plans, later },
    );
    expect(text).toBe("**Part**\n\nsaid 0\n\n**Part**\n\nsaid 0");
  });

  test("includes a failed verification in the text, and a cancellation", async () => {
    expect(
      (await collectAnswer([createText("It is done."), createFailure("system_failed", "verification_failed"), DONE]))
        .text,
    ).toBe("It is done.\n\nWhy.");
    const { text, last } = await collectAnswer([
      createPlanEvent(1),
      createFailure("task_cancelled", "interrupted"),
      DONE,
    ]);
    expect([text, last?.kind]).toEqual(["Why.", "done"]);
  });

  test("is a question with its call and its options", async () => {
    const question = { request_id: "req-1", thread_id: "th-1", prompt: "May I?" };
    const approval = { tool: "send_mail", arguments: { to: "grace" } };
    const { last } = await collectAnswer([createText("a")], {
      pending: [question, { ...question, thread_id: "th-2" }],
    });
    expect(last).toEqual({ kind: "asked", questions: [question] });
    expect(formatQuestion({ ...question, approval })).toBe(
      'May I?\n\nsend_mail: {"to":"grace"}\n\n- approve\n- refuse',
    );
    expect(formatQuestion({ ...question, options: ["10", "20"] })).toBe("May I?\n\n- 10\n- 20");
  });
});

describe("the history of a conversation", () => {
  const createTurn = (role: "system" | "user" | "assistant", content: string) => ({ role, content });

  test("keeps the order, the newest messages, and all instructions", () => {
    const many = Array.from({ length: 100 }, (_, i) => createTurn(i % 2 === 0 ? "user" : "assistant", `${i}`));
    const limited = limitHistory([createTurn("system", "Be terse."), ...many]);
    expect(limited).toHaveLength(40);
    expect(limited[0]).toEqual(createTurn("system", "Be terse."));
    expect(limited.slice(1).map(({ content }) => content)).toEqual(many.slice(61).map(({ content }) => content));
  });

  test("keeps calls with all of their results, or leaves them out together", () => {
    const call = { role: "assistant" as const, content: "", toolCalls: [{ id: "a", name: "f", arguments: "{}" }] };
    const createResult = (content: string) => ({ role: "tool" as const, toolCallId: "a", content });
    const exchange = [createTurn("user", "Go."), call, createResult("x".repeat(9_000)), createResult("y")];
    const kept = limitHistory([...exchange, createTurn("user", "Next.")]);
    expect(kept.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
    expect(kept[1]).toEqual(call);
    expect(kept[2]?.content.length).toBeLessThanOrEqual(4_000);
    const many = Array.from({ length: 39 }, (_, i) => createTurn("user", `${i}`));
    expect(limitHistory([...exchange, ...many])).toEqual(many);
  });

  test("cuts instructions only when they are long", () => {
    const [instruction, ...rest] = limitHistory([createTurn("system", "x ".repeat(5_000)), createTurn("user", "Go.")]);
    expect(instruction?.content).toHaveLength(10_000);
    expect(rest).toEqual([createTurn("user", "Go.")]);
  });

  test.each([
    ["long text", "word ".repeat(10_000)],
    ["surrogate pairs", "😀".repeat(20_000)],
    ["characters that JSON escapes", "\u0001".repeat(20_000)],
  ])("fits into the context of a message: %s", (_, content) => {
    const history = limitHistory(Array.from({ length: 50 }, () => createTurn("user", content)));
    expect(sendCommandSchema.safeParse({ message: "x", context: { history } }).success).toBe(true);
    expect(history.length).toBeGreaterThan(2);
    for (const entry of history)
      expect([entry.content.isWellFormed(), entry.content.endsWith("…")]).toEqual([true, true]);
    // It is truncated between words.
    if (content.startsWith("word")) expect(history[0]?.content).toMatch(/^(word )*word…$/);
  });
});
