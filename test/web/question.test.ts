import { describe, expect, test } from "vitest";
import { CommandRefused } from "../../src/client/command-outbox.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import type { Item } from "../../src/protocol/wire/items.ts";
import { parseDecision } from "../../src/protocol/wire/question.ts";
import { EMPTY_VIEW, type ConversationView } from "../../src/protocol/wire/view.ts";
import { sayIn } from "../../src/web/language.ts";
import { listShownArguments } from "../../src/web/question/approval-content.ts";
import { computeCountdown } from "../../src/web/question/question-countdown.ts";
import { findInstanceWithForm } from "../../src/web/question/find-instance-with-form.ts";
import { toUserError } from "../../src/web/user-error.ts";
import {
  parseApprovalAnswer,
  formatRefusal,
  computeQuestionState,
} from "../../src/web/question/question-view-state.ts";
import { WORDS } from "../../src/web/question/words.ts";

const say = sayIn("en", WORDS);
const MINUTE = 60_000;

describe("how long a question waits", () => {
  test.each([
    [3 * 24 * 60 * MINUTE, "3 days left", false],
    [3 * 60 * MINUTE, "3 hours left", false],
    [59.6 * MINUTE, "60 minutes left", false],
    [6 * MINUTE, "6 minutes left", false],
    [5 * MINUTE, "5:00 left", true],
    [61_000, "1:01 left", true],
    [59_001, "60 seconds left", true],
    [1, "1 second left", true],
    [0, "Time is up", true],
    [-5, "Time is up", true],
  ])("%d ms: %s", (left, words, isUrgent) => {
    expect(computeCountdown(1_000_000 + left, 1_000_000, say)).toMatchObject({ words, isUrgent, isOver: left <= 0 });
  });
});

const asked = { content: "Which city?", request_id: "req-1" };

function item(id: string, more: Partial<Item> = {}): Item {
  return {
    item_id: id,
    seq: 1,
    event: "task_waiting",
    role: "agent",
    conversation_id: "conv-1",
    thread_id: "th-1",
    task_id: "task-1",
    payload: asked,
    metadata: {},
    ...more,
  };
}

describe("a plan that lacks values", () => {
  const lacking = (...names: string[]) => {
    const missing = names.map((name) => ({ task_id: "001", name }));
    const content = JSON.stringify({ plan_instance_id: "inst-1", hold: { request_id: "req-1", missing } });
    return new Map([["i", item("i", { payload: { component_type: "plan_instance", content } })]]);
  };

  test("is given several of them in its form", () => {
    expect(findInstanceWithForm(lacking("id", "name"), "req-1")).toBe("inst-1");
  });

  test("is given one in words, and what another question asks elsewhere", () => {
    expect(findInstanceWithForm(lacking("id"), "req-1")).toBeNull();
    expect(findInstanceWithForm(lacking("id", "name"), "req-2")).toBeNull();
    expect(findInstanceWithForm(new Map(), "req-1")).toBeNull();
  });
});

describe("how a question stands", () => {
  const question = item("q");
  const planned = item("q", { event: "plan_require_user_input", task_id: "ask-1" });
  const { task_id: _, ...planners } = planned;
  const viewOf = (items: readonly Item[], more: Partial<ConversationView> = {}): ConversationView => ({
    ...EMPTY_VIEW,
    items: new Map(items.map((each) => [each.item_id, each])),
    threads: [{ thread_id: "th-1", query: "q", status: "open" }],
    ...more,
  });

  test("open while the conversation waits for it", () => {
    const view = viewOf([question], { pending: [{ request_id: "req-1", thread_id: "th-1", prompt: "?" }] });
    expect(computeQuestionState(view, question, asked)).toEqual({ state: "open" });
  });

  test("answered by the message that names it, and by no other", () => {
    const answer = (request_id: string) =>
      item("a", { event: "message", role: "user", payload: { content: "Rome" }, metadata: { request_id } });
    expect(computeQuestionState(viewOf([question, answer("req-1")]), question, asked)).toEqual({
      state: "answered",
      answer: "Rome",
    });
    expect(computeQuestionState(viewOf([question, answer("req-2")]), question, asked).state).toBe("superseded");
  });

  test("answered with other arguments than those that were asked for", () => {
    const metadata = { request_id: "req-1", arguments: { to: "grace" } };
    const answer = item("a", { event: "message", role: "user", payload: { content: "approve" }, metadata });
    expect(computeQuestionState(viewOf([question, answer]), question, asked)).toMatchObject({
      edited: { to: "grace" },
    });
  });

  test("expired when its work was given up for that, cancelled when it was stopped", () => {
    const failed = item("f", {
      event: "task_failed",
      payload: { content: "Nobody answered.", code: "question_expired" },
    });
    expect(computeQuestionState(viewOf([question, failed]), question, asked).state).toBe("expired");
    const stopped = item("f", { event: "task_cancelled", payload: { content: "Stopped." } });
    expect(computeQuestionState(viewOf([question, stopped]), question, asked).state).toBe("cancelled");
    const ofOthers = item("f", { event: "task_failed", task_id: "task-2", payload: { code: "question_expired" } });
    expect(computeQuestionState(viewOf([question, ofOthers]), question, asked).state).toBe("superseded");
    const given = item("f", { event: "plan_failed", payload: { content: "", code: "question_expired" } });
    expect(computeQuestionState(viewOf([planners, given]), planners, asked).state).toBe("expired");
  });

  test("the planner's is withdrawn when its thread ends without an answer", () => {
    const threads = [{ thread_id: "th-1", query: "q", status: "done" as const }];
    expect(computeQuestionState(viewOf([planners], { threads }), planners, asked).state).toBe("cancelled");
    expect(computeQuestionState(viewOf([planners]), planners, asked).state).toBe("superseded");
  });
});

describe("what an approval was answered with", () => {
  test.each([
    ["approve", { kind: "approved" }],
    ["同意", { kind: "approved" }],
    ["refuse", { kind: "refused", reason: "" }],
    ["refuse: too risky, really", { kind: "refused", reason: "too risky, really" }],
    ["拒绝，不安全", { kind: "refused", reason: "不安全" }],
    ["no way", { kind: "refused", reason: "way" }],
    ["later", { kind: "words", words: "later" }],
  ])("%s", (answer, decision) => {
    expect(parseApprovalAnswer(answer)).toEqual(decision);
  });

  test("a refusal with a reason is read as one by the server", () => {
    expect(parseDecision(formatRefusal("yes, but\nnot now"))).toBe("refuse");
    expect(formatRefusal("  ")).toBe("refuse");
    expect(parseApprovalAnswer(formatRefusal("not now"))).toEqual({ kind: "refused", reason: "not now" });
  });
});

test("every argument is shown with what hides in it, and what has several lines line by line", () => {
  const hostile = listShownArguments({ tool: "t", arguments: { "k\u200b": "a\u202eb\nc", one: "x\u0000" } });
  expect(hostile).toEqual([
    { name: "k\\u200b", lines: ["a\\u202eb", "c"], json: '"a\\u202eb\\nc"' },
    { name: "one", lines: null, json: '"x\\u0000"' },
  ]);
});

test("a refusal keeps its code, its words and its field, wherever it comes from", () => {
  const frame = { type: "error", id: "c", code: "unprocessable", message: "arguments.to: bad", field: "arguments.to" };
  expect(toUserError(new CommandRefused(frame as ConstructorParameters<typeof CommandRefused>[0]))).toEqual({
    code: "unprocessable",
    message: "arguments.to: bad",
    field: "arguments.to",
  });
  expect(toUserError(new Fault("question_expired", "Too late."))).toEqual({
    code: "question_expired",
    message: "Too late.",
  });
  expect(toUserError(new Error("secret")).code).toBe("internal");
});
