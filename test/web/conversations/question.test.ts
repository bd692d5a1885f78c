import { describe, expect, test } from "vitest";
import { CommandRefused } from "../../../src/client/command-outbox.ts";
import { Fault } from "../../../src/protocol/wire/fault.ts";
import type { Item } from "../../../src/protocol/wire/items.ts";
import { parseDecision } from "../../../src/protocol/wire/question.ts";
import { EMPTY_VIEW, type ConversationView } from "../../../src/protocol/wire/view.ts";
import { getMessages } from "../../../src/web/session/language.ts";
import { formatEscapedJson } from "../../../src/lib/escape-invisible.ts";
import { joinPieces, listOriginSources } from "../../../src/web/features/conversations/question/marked-text.ts";
import { listShownArguments } from "../../../src/web/features/conversations/question/approval-content.ts";
import { computeCountdown } from "../../../src/web/features/conversations/question/question-expiry.tsx";
import { toUserError } from "../../../src/web/session/user-error.ts";
import {
  parseApprovalAnswer,
  formatRefusal,
  computeQuestionState,
  findInstanceWithForm,
} from "../../../src/web/features/conversations/question/question-view-state.ts";
import "../load-messages.ts";

const t = getMessages("en", "question");
const MINUTE = 60_000;

describe("question countdown", () => {
  test.each([
    [3 * 24 * 60 * MINUTE, "3 days left", false],
    [3 * 60 * MINUTE, "3 hours left", false],
    [59.6 * MINUTE, "60 minutes left", false],
    [6 * MINUTE, "6 minutes left", false],
    [5 * MINUTE, "5:00 left", true],
    [61_000, "1:01 left", true],
    [59_001, "60 seconds left", true],
    [1, "1 second left", true],
    [0, "Time’s up", true],
    [-5, "Time’s up", true],
  ])("with %d ms left shows %s", (left, words, isUrgent) => {
    expect(computeCountdown(1_000_000 + left, 1_000_000, t)).toMatchObject({ words, isUrgent, isOver: left <= 0 });
  });
});

const questionPayload = { content: "Which city?", request_id: "req-1" };

function item(id: string, more: Partial<Item> = {}): Item {
  return {
    item_id: id,
    seq: 1,
    event: "task_waiting",
    role: "agent",
    conversation_id: "conv-1",
    thread_id: "th-1",
    task_id: "task-1",
    payload: questionPayload,
    metadata: {},
    ...more,
  };
}

describe("held workflow instance", () => {
  const createHeldInstance = (...names: string[]) => {
    const missing = names.map((name) => ({ task_id: "001", name }));
    const content = JSON.stringify({ plan_instance_id: "inst-1", hold: { request_id: "req-1", missing } });
    return new Map([["i", item("i", { payload: { component_type: "plan_instance", content } })]]);
  };

  test("uses its form if several values are missing", () => {
    expect(findInstanceWithForm(createHeldInstance("id", "name"), "req-1")).toBe("inst-1");
  });

  test("uses the question card if one value is missing or another question is open", () => {
    expect(findInstanceWithForm(createHeldInstance("id"), "req-1")).toBeNull();
    expect(findInstanceWithForm(createHeldInstance("id", "name"), "req-2")).toBeNull();
    expect(findInstanceWithForm(new Map(), "req-1")).toBeNull();
  });
});

describe("question state", () => {
  const question = item("q");
  const planned = item("q", { event: "plan_require_user_input", task_id: "ask-1" });
  const { task_id: _, ...plannerQuestion } = planned;
  const createView = (items: readonly Item[], more: Partial<ConversationView> = {}): ConversationView => ({
    ...EMPTY_VIEW,
    items: new Map(items.map((each) => [each.item_id, each])),
    threads: [{ thread_id: "th-1", query: "q", status: "open" }],
    ...more,
  });

  test("is open while the conversation waits for the answer", () => {
    const view = createView([question], { pending: [{ request_id: "req-1", thread_id: "th-1", prompt: "?" }] });
    expect(computeQuestionState(view, question, questionPayload)).toEqual({ state: "open" });
  });

  test("is answered only by a message with its request id", () => {
    const answer = (request_id: string) =>
      item("a", { event: "message", role: "user", payload: { content: "Rome" }, metadata: { request_id } });
    expect(computeQuestionState(createView([question, answer("req-1")]), question, questionPayload)).toEqual({
      state: "answered",
      answer: "Rome",
    });
    expect(computeQuestionState(createView([question, answer("req-2")]), question, questionPayload).state).toBe(
      "superseded",
    );
  });

  test("contains the edited arguments of an approval", () => {
    const metadata = { request_id: "req-1", arguments: { to: "grace" } };
    const answer = item("a", { event: "message", role: "user", payload: { content: "approve" }, metadata });
    expect(computeQuestionState(createView([question, answer]), question, questionPayload)).toMatchObject({
      edited: { to: "grace" },
    });
  });

  test("is expired or cancelled according to the end of its task or plan", () => {
    const failed = item("f", {
      event: "task_failed",
      payload: { content: "Nobody answered.", code: "question_expired" },
    });
    expect(computeQuestionState(createView([question, failed]), question, questionPayload).state).toBe("expired");
    const stopped = item("f", { event: "task_cancelled", payload: { content: "Stopped." } });
    expect(computeQuestionState(createView([question, stopped]), question, questionPayload).state).toBe("cancelled");
    const otherTaskFailed = item("f", {
      event: "task_failed",
      task_id: "task-2",
      payload: { code: "question_expired" },
    });
    expect(computeQuestionState(createView([question, otherTaskFailed]), question, questionPayload).state).toBe(
      "superseded",
    );
    const planFailed = item("f", { event: "plan_failed", payload: { content: "", code: "question_expired" } });
    expect(
      computeQuestionState(createView([plannerQuestion, planFailed]), plannerQuestion, questionPayload).state,
    ).toBe("expired");
  });

  test("is cancelled for a planner's question if its thread ends without an answer", () => {
    const threads = [{ thread_id: "th-1", query: "q", status: "done" as const }];
    expect(
      computeQuestionState(createView([plannerQuestion], { threads }), plannerQuestion, questionPayload).state,
    ).toBe("cancelled");
    expect(computeQuestionState(createView([plannerQuestion]), plannerQuestion, questionPayload).state).toBe(
      "superseded",
    );
  });
});

describe("approval answer", () => {
  test.each([
    ["approve", { kind: "approved" }],
    ["同意", { kind: "approved" }],
    ["refuse", { kind: "refused", reason: "" }],
    ["refuse: too risky, really", { kind: "refused", reason: "too risky, really" }],
    ["拒绝，不安全", { kind: "refused", reason: "不安全" }],
    ["no way", { kind: "refused", reason: "way" }],
    ["later", { kind: "words", words: "later" }],
  ])("is parsed as a decision: %s", (answer, decision) => {
    expect(parseApprovalAnswer(answer)).toEqual(decision);
  });

  test("is read as a refusal by the server if it has a reason", () => {
    expect(parseDecision(formatRefusal("yes, but\nnot now"))).toBe("refuse");
    expect(formatRefusal("  ")).toBe("refuse");
    expect(parseApprovalAnswer(formatRefusal("not now"))).toEqual({ kind: "refused", reason: "not now" });
  });
});

test("approval arguments show hidden characters and separate lines", () => {
  const hostile = listShownArguments({ tool: "t", arguments: { "k\u200b": "a\u202eb\nc", one: "x\u0000" } });
  const texts = hostile.map(({ name, lines, json }) => ({
    name: joinPieces(name),
    lines: lines?.map(joinPieces) ?? null,
    json: joinPieces(json),
  }));
  expect(texts).toEqual([
    { name: "k\\u200b", lines: ["a\\u202eb", "c"], json: '"a\\u202eb\\nc"' },
    { name: "one", lines: null, json: '"x\\u0000"' },
  ]);
});

describe("[P1] parts of approval arguments from untrusted text", () => {
  const args = {
    to: "eve@evil",
    "a/b~": { list: ["x", 'say "hi"\u202e\nto eve', 9750], "eve@evil": true, empty: {}, none: [] },
    code: "one\neve\ntwo",
  };
  const origins = [
    { path: "/to", start: 0, end: 8, source: "mail", seq: 7 },
    { path: "/a~1b~0/list/1", start: 4, end: 14, source: "page" },
    { path: "/a~1b~0/list/2", start: 0, end: 4, source: "mail", seq: 7 },
    { path: "/a~1b~0/eve@evil", is_key: true as const, start: 0, end: 3, source: "page" },
    { path: "/code", start: 2, end: 7, source: "page" },
    { path: "/code", start: 5, end: 9, source: "mail", seq: 7 },
  ];

  test("are marked with the number of their source, and the text is the same as without marks", () => {
    const shown = listShownArguments({ tool: "t", arguments: args, origins });
    expect(shown.map(({ json }) => joinPieces(json))).toEqual(Object.values(args).map(formatEscapedJson));
    const getMarked = (i: number) => shown[i]?.json.filter(({ source }) => source !== null);
    expect(getMarked(0)).toEqual([{ text: "eve@evil", source: 1 }]);
    expect(getMarked(1)).toEqual([
      { text: '\\"hi\\"\\u202e\\nto e', source: 2 },
      { text: "9750", source: 1 },
      { text: "eve", source: 2 },
    ]);
    expect(shown[2]?.lines).toEqual([
      [
        { text: "on", source: null },
        { text: "e", source: 2 },
      ],
      [{ text: "eve", source: 2 }],
      [
        { text: "t", source: 1 },
        { text: "wo", source: null },
      ],
    ]);
    expect(listOriginSources({ origins })).toEqual([{ source: "mail", seq: 7 }, { source: "page" }]);
  });
});

test("toUserError keeps the code, message and field of a rejected command and of a Fault", () => {
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
