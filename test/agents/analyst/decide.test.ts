// What becomes of a message, over every intent and around every threshold.

import { describe, expect, test } from "vitest";
import {
  decideAction,
  routerReplySchema,
  type RouterMode,
  type RouterReply,
} from "../../../src/agents/analyst/route-decision.ts";
import { FOLLOW_UP_INTENTS, INITIAL_INTENTS } from "../../../src/protocol/pages/analysis-api.ts";

const route = (intent: string, confidence: number | string): RouterReply => ({
  intent,
  confidence,
  clarifyingQuestion: "Which class?",
  routeHint: "needClassId",
});
const actionFor = (mode: RouterMode, intent: string, confidence: number | string): string =>
  decideAction(mode, route(intent, confidence)).action;

/** What each intent comes to at a confidence. */
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

describe("[F106] [X21] without a page", () => {
  test.each(INITIAL)("a confidence of %s", (confidence, build, clarify) => {
    expect(actionFor("initial", "build_workflow", confidence)).toBe(build);
    expect(actionFor("initial", "clarify", confidence)).toBe(clarify);
    // Talk is talk, however sure the model is: at 0.5 too.
    expect(actionFor("initial", "chat_smalltalk", confidence)).toBe("chat_smalltalk");
    expect(actionFor("initial", "chat_qa", confidence)).toBe("chat_qa");
  });

  test("[X21] talk at 0.5 is not asked back about", () => {
    expect(actionFor("initial", "chat_qa", 0.5)).toBe("chat_qa");
  });

  test("what a clarification says goes with it", () => {
    expect(decideAction("initial", route("build_workflow", 0.5))).toEqual({
      action: "clarify",
      question: "Which class?",
      hint: "needClassId",
    });
  });

  test.each(["", "BUILD", "refine", "chat", "delete_everything", "__proto__"])(
    "%j is no intent, so it is talk",
    (intent) => {
      expect(actionFor("initial", intent, 1)).toBe("chat_smalltalk");
    },
  );
});

describe("[F105] with a page", () => {
  test.each([0, 0.39, 0.4, 0.69, 0.7, 1, Number.NaN, "x"])("a confidence of %s changes nothing", (confidence) => {
    for (const intent of FOLLOW_UP_INTENTS) expect(actionFor("follow_up", intent, confidence)).toBe(intent);
  });

  test.each([...INITIAL_INTENTS, "nonsense"])("%s is talk about the page", (intent) => {
    expect(actionFor("follow_up", intent, 1)).toBe("chat");
  });
});

describe("a route", () => {
  const read = (given: object) => routerReplySchema.safeParse(given).data;

  test("is read in both spellings", () => {
    const expected = { intent: "clarify", confidence: 0.5, clarifyingQuestion: "Which?", routeHint: "needSubject" };
    const common = { intent: "clarify", confidence: 0.5 };
    expect(read({ ...common, should_build: false, clarifying_question: "Which?", route_hint: "needSubject" })).toEqual(
      expected,
    );
    expect(read({ ...common, shouldBuild: false, clarifyingQuestion: "Which?", routeHint: "needSubject" })).toEqual(
      expected,
    );
  });

  test("needs no more than an intent and a confidence", () => {
    const bare = { clarifyingQuestion: "", routeHint: null };
    expect(read({ intent: "chat_qa", confidence: "0.9" })).toEqual({ intent: "chat_qa", confidence: "0.9", ...bare });
    expect(read({ intent: "clarify", confidence: 1, should_build: "yes", route_hint: "needMoney" })).toEqual({
      intent: "clarify",
      confidence: 1,
      ...bare,
    });
    expect(read({ confidence: 1 })).toBeUndefined();
    expect(read({ intent: "chat_qa" })).toBeUndefined();
    expect(read({ intent: "chat_qa", confidence: null })).toBeUndefined();
  });
});
