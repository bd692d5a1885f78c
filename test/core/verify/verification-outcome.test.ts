import { describe, expect, test } from "vitest";
import { toVerificationOutcome } from "../../../src/core/verify/verification-outcome.ts";
import { QUESTION_REFUSED, type TaskOutcome } from "../../../src/core/task-outcome.ts";
import { parseVerdict } from "../../../src/core/verify/verification-request.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const use = (result: string, tool = "query_profile") => ({ tool, result });
const GOOD = use('{"found":true}');
const BAD = use('{"found":false}');

const completed = (result: string, ...tools: { tool: string; result: string }[]): TaskOutcome => ({
  status: "completed",
  result,
  tools,
});
const failed = (code: string | undefined, ...tools: { tool: string; result: string }[]): TaskOutcome => ({
  status: "failed",
  error: "It broke.",
  tools,
  ...(code === undefined ? {} : { code }),
});

const verifiedOf = (end: TaskOutcome) => toVerificationOutcome(end, "en").verified;

describe("[F131] without a tool", () => {
  test.each(["VERIFIED", "已验证", "I remember doing it.", "NOT VERIFIED", ""])("whatever it says (%s)", (words) => {
    expect(toVerificationOutcome(completed(words), "en")).toEqual({
      verified: "unable_to_verify",
      reason: "no_verification_tool",
      response: words,
      tools: [],
    });
  });

  test("also where nobody kept the tools", () => {
    expect(verifiedOf({ status: "completed", result: "VERIFIED" })).toBe("unable_to_verify");
  });
});

describe("with a tool", () => {
  test.each([
    ["the result is good and it draws no conclusion", "It is there.", [GOOD], true],
    ["the result is good and it agrees", "There.\nVERIFIED", [GOOD], true],
    ["the last result is good", "VERIFIED", [BAD, GOOD], true],
    ["the result is bad and it says that all is well", "VERIFIED", [BAD], false],
    ["the last result is bad", "VERIFIED", [GOOD, BAD], false],
    ["the result is good and it denies", "Wrong department.\n**NOT VERIFIED**", [GOOD], false],
    ["the result is good and it denies in Chinese", "部门不对。\n未通过", [GOOD], false],
    ["the result is good and it cannot tell", "UNABLE TO VERIFY", [GOOD], "unable_to_verify"],
    ["the result is bad and it cannot tell", "无法验证", [BAD], false],
    ["the tool failed", "VERIFIED", [use("Error: the tool failed.")], false],
  ])("%s", (_name, words, tools, expected) => {
    expect(verifiedOf(completed(words, ...tools))).toBe(expected);
  });

  test("a failure says what the tool answered", () => {
    expect(toVerificationOutcome(completed("VERIFIED", BAD), "en").reason).toBe(
      'query_profile answered: {"found":false}',
    );
    expect(toVerificationOutcome(completed("", use("")), "zh").reason).toBe('query_profile 返回：""');
    expect(toVerificationOutcome(completed("x", use(`Error: ${"x".repeat(9_000)}`)), "en").reason?.length).toBeLessThan(
      400,
    );
  });
});

describe("a run that does not end well", () => {
  test.each([
    ["failed before it used a tool", failed("agent_unreachable"), "exception"],
    ["failed, and nobody kept the tools", { status: "failed", error: "x" } as const, "exception"],
    ["failed after a tool", failed("agent_failed", GOOD), false],
    ["the budget ran out", failed("budget_exceeded"), "exception"],
    ["asked the person", failed(QUESTION_REFUSED), "unable_to_verify"],
    ["asked the person after a tool", failed(QUESTION_REFUSED, GOOD), "unable_to_verify"],
    ["cancelled", { status: "cancelled", error: "You cancelled this." } as const, "exception"],
  ])("%s", (_name, end, expected) => {
    const outcome = toVerificationOutcome(end, "en");
    expect(outcome.verified).toBe(expected);
    expect(outcome.reason).not.toBe(undefined);
  });
});

describe("the conclusion of an answer", () => {
  test.each([
    ["VERIFIED", "verified"],
    ["All is there.\n\nVERIFIED.", "verified"],
    ["**Verified** ✅", "verified"],
    ["结论：已验证", "verified"],
    ["已验证。", "verified"],
    ["NOT VERIFIED", "not_verified"],
    ["not_verified", "not_verified"],
    ["The profile is not yet verified.", "not_verified"],
    ["The profile is not yet fully verified.", "not_verified"],
    ["The profile isn't verified.", "not_verified"],
    ["它没有验证通过。", "not_verified"],
    ["This remains unverified", "not_verified"],
    ["NOT VERIFIED\n\nTell me if you need more.", "not_verified"],
    ["未通过", "not_verified"],
    ["结论：验证失败", "not_verified"],
    ["UNABLE TO VERIFY", "unable"],
    ["I cannot verify this.", "unable"],
    ["无法验证", "unable"],
    ["VERIFIED\nNOT VERIFIED", "not_verified"],
    ["", null],
    ["It was not verified before.\nIt is there now.", null],
    ["It is done.", null],
  ])("%j", (answer, expected) => expect(parseVerdict(answer)).toBe(expected));

  test("a long answer is read in no time", () => {
    const started = cpuMs();
    parseVerdict(`${" ".repeat(100_000)}x${"\n-".repeat(50_000)} not ${"a".repeat(100_000)}\n${"a".repeat(100_000)}`);
    expect(cpuMs() - started).toBeLessThan(1_000);
  });
});
