// A thread as words, from streams that a test cuts where it likes.

import { afterEach, describe, expect, test, vi } from "vitest";
import type { AcceptedCommand } from "../../../src/durable/conversation-api.ts";
import { limitHistory } from "../../../src/http/client-history.ts";
import { streamAnswer } from "../../../src/http/answer-stream.ts";
import { AnswerText, formatQuestion, type AnswerEvent } from "../../../src/http/answer-event.ts";
import type { Operations } from "../../../src/http/operations/operations.ts";
import { sendCommandSchema } from "../../../src/protocol/wire/commands.ts";
import type { ConversationEvent, Frame } from "../../../src/protocol/wire/events.ts";
import type { Plan } from "../../../src/protocol/plans/task-plan.ts";
import type { PendingQuestion } from "../../../src/protocol/wire/question.ts";

const ACCEPTED: AcceptedCommand = { conversation_id: "conv-1", thread_id: "th-1", seq: 1, is_first: false };
const place = { conversation_id: "conv-1", thread_id: "th-1", role: "agent" as const, item_id: "item-1" };

type Loose = { readonly event: ConversationEvent["event"]; readonly data?: object };

/** Numbered, in the thread; of the first task unless it says otherwise. */
const numbered = (events: readonly Loose[]): Frame[] =>
  events.map(
    ({ event, data }, i) => ({ seq: i + 1, event, data: { ...place, task_id: "task-0", ...data } }) as unknown as Frame,
  );

const says = (content: string, more: object = {}): Loose => ({
  event: "message_chunk",
  data: { payload: { content }, ...more },
});
const DONE: Loose = { event: "done", data: { metadata: { usage: { input_tokens: 7, output_tokens: 3 } } } };

/** What a task says until it is complete. */
const brought = (i: number): Loose[] => {
  const data = { task_id: `task-${i}` };
  return [{ event: "task_started", data }, says(`said ${i}`, data), { event: "task_completed", data }];
};

function plan(tasks: number, more: object = {}): Plan {
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
const planned = (tasks: number, more: object = {}): Loose => ({
  event: "plan_created",
  data: { payload: { plan: plan(tasks, more) } },
});

type Stage = {
  readonly pending?: readonly PendingQuestion[];
  readonly plans?: readonly Plan[];
  /** As they are when they are read again. */
  readonly later?: readonly Plan[];
  readonly cuts?: readonly number[];
  /** How often the host is gone when it is asked. */
  readonly absent?: number;
};

/** What is spoken when the streams break after so many frames each, and the last one ends well. */
async function spoken(
  events: readonly Loose[],
  { pending = [], plans = [], later = plans, cuts = [], absent = 0 }: Stage = {},
) {
  const frames = numbered(events);
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
  let hasRead = false;
  const late = <T>(read: () => T) => {
    let asked = 0;
    return () => (asked++ < absent ? Promise.reject(new Error("The host is gone")) : Promise.resolve(read()));
  };
  const verbs = {
    follow: (_: string, after: number) => Promise.resolve(follow(after)),
    followThread: late(() => follow(0)),
    plans: late(() => (hasRead ? later : ((hasRead = true), plans))),
    context: () => Promise.resolve({ pending: cuts.length >= follows.length ? [] : pending }),
  } as unknown as Operations;
  const heard: AnswerEvent[] = [];
  const answer = new AnswerText();
  for await (const piece of await streamAnswer(verbs, ACCEPTED, new AbortController().signal)) {
    heard.push(piece);
    answer.apply(piece);
  }
  return { text: answer.text, thoughts: answer.reasoning, last: heard.at(-1), follows };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the answer", () => {
  test("[L2] is the same over breaks, and the end comes once", async () => {
    const events = [says("one "), says("two "), says("three"), DONE];
    const whole = await spoken(events);
    expect(whole.text).toBe("one two three");
    expect(whole.last).toMatchObject({ kind: "done", usage: { input_tokens: 7 } });
    vi.useFakeTimers();
    const breaking = spoken(events, { cuts: [1, 0, 2] });
    await vi.advanceTimersByTimeAsync(10_000);
    const broken = await breaking;
    expect(broken).toEqual({ ...whole, follows: [0, 1, 1, 3] });
  });

  test("of a thread that never says anything again ends in words", async () => {
    vi.useFakeTimers();
    const ended = spoken([says("one")], { cuts: Array.from({ length: 100 }, () => 1) }).catch(String);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ended).toContain("cannot be read");
  });

  test("is heard although the host is gone when it is first asked for, and when its plan is", async () => {
    const answered: Loose = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const events = [answered, says("task"), says("summary", { task_id: "task-3" }), DONE];
    expect((await spoken(events, { plans: [plan(2)], absent: 1 })).text).toBe("summary");
    vi.useFakeTimers();
    const ended = spoken(events, { absent: 100 }).catch(String);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ended).toContain("cannot be read");
  });

  test("has paragraphs where items change, and none of what was taken back", async () => {
    const back: Loose = { event: "task_retrying", data: { payload: { content: "", attempt: 2, since: 1 } } };
    const { text } = await spoken([says("a"), says("b"), back, says("c"), says("d", { item_id: "item-2" }), DONE]);
    expect(text).toBe("a\n\nc\n\nd");
  });

  test("of several tasks is none of theirs, also after an answer in the middle", async () => {
    const answered: Loose = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const events = [says("task"), says("summary", { task_id: "task-3" }), DONE];
    expect((await spoken([planned(2), ...events])).text).toBe("summary");
    expect((await spoken([answered, ...events], { plans: [plan(2)] })).text).toBe("summary");
    expect((await spoken([answered, ...events], { plans: [plan(1)] })).text).toBe("tasksummary");
  });

  test("of a task that recurs is what is told of it", async () => {
    const notice: Loose = { event: "message", data: { payload: { content: "Scheduled: every hour." } } };
    expect((await spoken([planned(1, { pattern: "recurring" }), notice, DONE])).text).toBe("Scheduled: every hour.");
  });

  test("of several tasks that nobody summed up is what they said", async () => {
    expect((await spoken([planned(2), ...brought(0), ...brought(1), DONE])).text).toBe("said 0\n\nsaid 1");
  });
});

describe("other ends", () => {
  const failed = (event: Loose["event"], code: string, more: object = {}): Loose => ({
    event,
    data: { payload: { content: "Why.", code }, ...more },
  });

  test("a failure of the thread, or of its only task, is the end", async () => {
    const failure = { kind: "failed", code: "x", message: "Why." };
    expect((await spoken([failed("system_failed", "x"), DONE])).last).toEqual(failure);
    expect((await spoken([failed("plan_failed", "x"), DONE])).last).toEqual(failure);
    expect((await spoken([planned(1), failed("task_failed", "x"), DONE])).last).toEqual(failure);
    expect((await spoken([planned(2), failed("task_failed", "x"), DONE])).last).toMatchObject({ kind: "done" });
  });

  test("a failure after tasks have completed leaves what they brought, in their order", async () => {
    const unfinished = { kind: "unfinished", code: "x", message: "Why.", usage: { input_tokens: 7, output_tokens: 3 } };
    const end = [failed("system_failed", "x"), DONE];
    const several = await spoken([planned(2), ...brought(1), ...brought(0), ...end]);
    expect([several.text, several.last]).toEqual(["**Part**\n\nsaid 0\n\n**Part**\n\nsaid 1", unfinished]);
    const task = failed("task_failed", "y", { task_id: "task-1" });
    const broken = await spoken([planned(3), says("lost", { task_id: "task-1" }), task, ...brought(0), ...end]);
    expect([broken.text, broken.last]).toEqual(["**Part**\n\nsaid 0\n\n**Part**\n\nWhy.", unfinished]);
    const only = await spoken([planned(1), ...brought(0), ...end]);
    expect([only.text, only.last]).toEqual(["said 0", unfinished]);
    expect((await spoken([planned(2), says("lost"), task, ...end])).last?.kind).toBe("failed");
    expect((await spoken([planned(1), ...brought(0), failed("system_failed", "verification_failed"), DONE])).text).toBe(
      "said 0\n\nWhy.",
    );
  });

  test("so does one after an answer in the middle, whatever was read of the plan by then", async () => {
    const answered: Loose = { event: "message", data: { role: "user", payload: { content: "Oslo" } } };
    const plans = [plan(2, { status: "running", result: "said" })];
    const later = [plan(2, { status: "completed", result: "said 0" })];
    const { text } = await spoken([answered, ...brought(0), failed("system_failed", "x"), DONE], { plans, later });
    expect(text).toBe("**Part**\n\nsaid 0\n\n**Part**\n\nsaid 0");
  });

  test("what was not verified is answered, and says so; what was cancelled says so", async () => {
    expect((await spoken([says("It is done."), failed("system_failed", "verification_failed"), DONE])).text).toBe(
      "It is done.\n\nWhy.",
    );
    const { text, last } = await spoken([planned(1), failed("task_cancelled", "interrupted"), DONE]);
    expect([text, last?.kind]).toEqual(["Why.", "done"]);
  });

  test("a question is, with the call that it is about and what may be answered", async () => {
    const question = { request_id: "req-1", thread_id: "th-1", prompt: "May I?" };
    const approval = { tool: "send_mail", arguments: { to: "grace" } };
    const { last } = await spoken([says("a")], { pending: [question, { ...question, thread_id: "th-2" }] });
    expect(last).toEqual({ kind: "asked", questions: [question] });
    expect(formatQuestion({ ...question, approval })).toBe(
      'May I?\n\nsend_mail: {"to":"grace"}\n\n- approve\n- refuse',
    );
    expect(formatQuestion({ ...question, options: ["10", "20"] })).toBe("May I?\n\n- 10\n- 20");
  });
});

describe("what was said before", () => {
  const turn = (role: "system" | "user" | "assistant", content: string) => ({ role, content });

  test("is kept in its order, the newest of it, instructions always", () => {
    const many = Array.from({ length: 100 }, (_, i) => turn(i % 2 === 0 ? "user" : "assistant", `${i}`));
    const kept = limitHistory([turn("system", "Be terse."), ...many]);
    expect(kept).toHaveLength(40);
    expect(kept[0]).toEqual(turn("system", "Be terse."));
    expect(kept.slice(1).map(({ content }) => content)).toEqual(many.slice(61).map(({ content }) => content));
  });

  test.each([
    ["words", "word ".repeat(10_000)],
    ["Chinese", "汉".repeat(20_000)],
    ["characters of two halves", "😀".repeat(20_000)],
    ["what JSON writes with six", "\u0001".repeat(20_000)],
    ["half characters", "\ud800".repeat(20_000)],
  ])("fits into a message's context, whatever it is: %s", (_, content) => {
    const history = limitHistory(Array.from({ length: 50 }, () => turn("user", content)));
    expect(sendCommandSchema.safeParse({ message: "x", context: { history } }).success).toBe(true);
    expect(history.length).toBeGreaterThan(2);
    for (const kept of history) expect([kept.content.isWellFormed(), kept.content.endsWith("…")]).toEqual([true, true]);
  });

  test("is cut between words", () => {
    const [kept] = limitHistory([turn("user", "word ".repeat(10_000))]);
    expect(kept?.content).toMatch(/^(word )*word…$/);
  });
});
