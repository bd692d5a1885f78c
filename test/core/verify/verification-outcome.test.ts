import { describe, expect, test } from "vitest";
import { toVerificationOutcome } from "../../../src/core/verify/verification-outcome.ts";
import { QUESTION_REFUSED, type TaskOutcome } from "../../../src/core/turn/task-outcome.ts";
import type { ToolUse } from "../../../src/protocol/workflows/workflow-instance.ts";
import { parseVerdict } from "../../../src/core/verify/parse-verdict.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { createFormatter } from "../../support/scripted-ports.ts";

const EN = { formatMessage: createFormatter("en") };
const ZH = { formatMessage: createFormatter("zh") };
const toolUse = (result: string, tool = "query_profile") => ({ tool, result });
const SUBJECT = ["Register Ada Lovelace, number V-17."];
const GOOD = toolUse('{"found":true}');
const BAD = toolUse('{"found":false}');

const completed = (result: string, ...tools: ToolUse[]): TaskOutcome => ({
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

const judge = (end: TaskOutcome, ports = EN) => toVerificationOutcome(ports, end, SUBJECT);
const getVerdict = (end: TaskOutcome) => judge(end).verified;

describe("[F131] verification without a tool call", () => {
  test.each(["VERIFIED", "已验证", "I remember doing it.", "NOT VERIFIED", ""])(
    "cannot verify, whatever the answer (%s)",
    (words) => {
      expect(judge(completed(words))).toEqual({
        verified: "unable_to_verify",
        reason: "no_verification_tool",
        response: words,
        tools: [],
      });
    },
  );

  test("cannot verify without recorded tools", () => {
    expect(getVerdict({ status: "completed", result: "VERIFIED" })).toBe("unable_to_verify");
  });
});

describe("verification with a tool call", () => {
  test.each([
    ["the result is positive and the answer has no verdict", "It is there.", [GOOD], true],
    ["the result is positive and the answer agrees", "There.\nVERIFIED", [GOOD], true],
    ["the last result is positive", "VERIFIED", [BAD, GOOD], true],
    ["the result is negative and the answer claims success", "VERIFIED", [BAD], false],
    ["the last result is negative", "VERIFIED", [GOOD, BAD], false],
    ["the result is positive and the answer denies", "Wrong department.\n**NOT VERIFIED**", [GOOD], false],
    ["the result is positive and the answer denies in Chinese", "部门不对。\n未通过", [GOOD], false],
    ["the result is positive and the answer is undecided", "UNABLE TO VERIFY", [GOOD], "unable_to_verify"],
    ["the result is negative and the answer is undecided", "无法验证", [BAD], false],
    ["the tool failed", "VERIFIED", [toolUse("Error: the tool failed.")], false],
  ])("has the expected verdict if %s", (_name, words, tools, expected) => {
    expect(getVerdict(completed(words, ...tools))).toBe(expected);
  });

  test.each([
    ["the subject under another name of its parameter", { volunteer_id: "V-17" }, true],
    ["the subject in other capitals", { name: "ADA LOVELACE" }, true],
    ["everything", {}, true],
    ["another subject", { volunteer_id: "V-18" }, "unable_to_verify"],
  ])("depends on the lookup: %s", (_name, args, expected) => {
    expect(getVerdict(completed("VERIFIED", { ...GOOD, arguments: JSON.stringify(args) }))).toBe(expected);
  });

  test("returns the tool's answer as the reason of a failure", () => {
    expect(judge(completed("VERIFIED", BAD)).reason).toBe('query_profile returned: {"found":false}');
    expect(judge(completed("", toolUse("")), ZH).reason).toBe('query_profile 返回：""');
    expect(judge(completed("x", toolUse(`Error: ${"x".repeat(9_000)}`))).reason?.length).toBeLessThan(400);
  });
});

describe("verification run that fails", () => {
  test.each([
    ["failed before a tool call", failed("agent_unreachable"), "exception"],
    ["failed without recorded tools", { status: "failed", error: "x" } as const, "exception"],
    ["failed after a tool call", failed("agent_failed", GOOD), false],
    ["exhausted the budget", failed("budget_exceeded"), "exception"],
    ["asked the user", failed(QUESTION_REFUSED), "unable_to_verify"],
    ["asked the user after a tool call", failed(QUESTION_REFUSED, GOOD), "unable_to_verify"],
    ["was cancelled", { status: "cancelled", error: "You stopped this." } as const, "exception"],
  ])("has the expected verdict if it %s", (_name, end, expected) => {
    const outcome = judge(end);
    expect(outcome.verified).toBe(expected);
    expect(outcome.reason).not.toBe(undefined);
  });
});

describe("parseVerdict()", () => {
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
  ])("parses %j as %s", (answer, expected) => expect(parseVerdict(answer)).toBe(expected));

  test("reads a long answer quickly", () => {
    const started = getCpuMs();
    parseVerdict(`${" ".repeat(100_000)}x${"\n-".repeat(50_000)} not ${"a".repeat(100_000)}\n${"a".repeat(100_000)}`);
    expect(getCpuMs() - started).toBeLessThan(1_000);
  });
});
