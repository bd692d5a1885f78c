// The action for a message, over every intent and around every threshold.

import { describe, expect, test } from "vitest";
import {
  decideAction,
  routerReplySchema,
  type RouterMode,
  type RouterReply,
} from "../../../src/agents/analyst/talk/route-decision.ts";
import { FOLLOW_UP_INTENTS, INITIAL_INTENTS } from "../../../src/protocol/pages/analysis-api.ts";

const createReply = (intent: string, confidence: number | string): RouterReply => ({
  intent,
  confidence,
  clarifyingQuestion: "Which class?",
  routeHint: "needClassId",
});
const getAction = (mode: RouterMode, intent: string, confidence: number | string): string =>
  decideAction(mode, createReply(intent, confidence)).action;

/** The action of each intent at a confidence. */
const INITIAL: readonly (readonly [confidence: number | string, build: string, clarify: string])[] = [
  [1, "build_workflow", "clarify"],
  [0.7, "build_workflow", "clarify"],
  [0.69, "clarify", "clarify"],
  [0.4, "clarify", "clarify"],
  [0.39, "chat_smalltalk", "chat_smalltalk"],
  [0, "chat_smalltalk", "chat_smalltalk"],
  [Number.NaN, "chat_smalltalk", "chat_smalltalk"],
  [-3, "chat_smalltalk", "chat_smalltalk"],
  [85, "build_workflow", "clarify"],
  [Number.POSITIVE_INFINITY, "build_workflow", "clarify"],
  ["0.7", "build_workflow", "clarify"],
  [" 0.69 ", "clarify", "clarify"],
  ["0.39", "chat_smalltalk", "chat_smalltalk"],
  ["high", "chat_smalltalk", "chat_smalltalk"],
  ["", "chat_smalltalk", "chat_smalltalk"],
];

describe("[F106] [X21] the action without a page", () => {
  test.each(INITIAL)("follows the intent at a confidence of %s", (confidence, build, clarify) => {
    expect(getAction("initial", "build_workflow", confidence)).toBe(build);
    expect(getAction("initial", "clarify", confidence)).toBe(clarify);
    // Chat intents stay chat at any confidence, also at 0.5.
    expect(getAction("initial", "chat_smalltalk", confidence)).toBe("chat_smalltalk");
    expect(getAction("initial", "chat_qa", confidence)).toBe("chat_qa");
  });

  test("[X21] is not a clarification for chat at 0.5", () => {
    expect(getAction("initial", "chat_qa", 0.5)).toBe("chat_qa");
  });

  test("carries the question and the hint of a clarification", () => {
    expect(decideAction("initial", createReply("build_workflow", 0.5))).toEqual({
      action: "clarify",
      question: "Which class?",
      hint: "needClassId",
    });
  });

  test.each(["", "BUILD", "refine", "chat", "delete_everything", "__proto__"])(
    "is chat for the unknown intent %j",
    (intent) => {
      expect(getAction("initial", intent, 1)).toBe("chat_smalltalk");
    },
  );
});

describe("[F105] the action with a page", () => {
  test.each([0, 0.39, 0.4, 0.69, 0.7, 1, Number.NaN, "x"])("does not depend on a confidence of %s", (confidence) => {
    for (const intent of FOLLOW_UP_INTENTS) expect(getAction("follow_up", intent, confidence)).toBe(intent);
  });

  test.each([...INITIAL_INTENTS, "nonsense"])("is chat about the page for the intent %s", (intent) => {
    expect(getAction("follow_up", intent, 1)).toBe("chat");
  });
});

describe("a router reply", () => {
  const parseReply = (reply: object) => routerReplySchema.safeParse(reply).data;

  test("is parsed in both spellings", () => {
    const expected = { intent: "clarify", confidence: 0.5, clarifyingQuestion: "Which?", routeHint: "needSubject" };
    const common = { intent: "clarify", confidence: 0.5 };
    expect(
      parseReply({ ...common, should_build: false, clarifying_question: "Which?", route_hint: "needSubject" }),
    ).toEqual(expected);
    expect(
      parseReply({ ...common, shouldBuild: false, clarifyingQuestion: "Which?", routeHint: "needSubject" }),
    ).toEqual(expected);
  });

  test("needs only an intent and a confidence", () => {
    const bare = { clarifyingQuestion: "", routeHint: null };
    expect(parseReply({ intent: "chat_qa", confidence: "0.9" })).toEqual({
      intent: "chat_qa",
      confidence: "0.9",
      ...bare,
    });
    expect(parseReply({ intent: "clarify", confidence: 1, should_build: "yes", route_hint: "needMoney" })).toEqual({
      intent: "clarify",
      confidence: 1,
      ...bare,
    });
    expect(parseReply({ confidence: 1 })).toBeUndefined();
    expect(parseReply({ intent: "chat_qa" })).toBeUndefined();
    expect(parseReply({ intent: "chat_qa", confidence: null })).toBeUndefined();
  });
});
