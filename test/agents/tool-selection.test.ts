// The selection of the tools that a model call offers.

import { expect, test } from "vitest";
import * as z from "zod";
import { selectTools } from "../../src/agents/kit/tools/select-tools.ts";
import { tool, type AgentTool } from "../../src/agents/kit/tools/tool.ts";
import { makeNamesUnique } from "../../src/agents/kit/tools/toolbox.ts";
import { getCpuMs } from "../support/cpu-time.ts";

const createTool = (name: string, description: string, parameter = "value"): AgentTool =>
  tool({ name, description, parameters: z.object({ [parameter]: z.string() }), run: () => "" });

const FILLERS = Array.from({ length: 400 }, (_, i) => createTool(`filler_${i}`, `Stamps form number ${i}. 盖章。`));
const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns the names of the selected tools that are not fillers. */
function selectNames(tools: readonly AgentTool[], task: string, ownNames = NO_NAMES): string[] {
  const { tools: offered } = selectTools([...FILLERS, ...tools], ownNames, task);
  expect(offered).toHaveLength(128);
  return offered.map(({ name }) => name).filter((name) => !name.startsWith("filler"));
}

const WEATHER = createTool("getForecast", "Tells what the sky will do.", "cityName");
const INVOICE = createTool("create_invoice", "Bills a customer for delivered goods.");
const LEAVE = createTool("hr_17", "为员工申请年假，需要审批。");

test.each([
  ["a word of the description", "Please bill the customers of last month", ["create_invoice"]],
  ["a word of the name in camel case", "What is the forecast?", ["getForecast"]],
  ["the name of a parameter", "Anything about my city", ["getForecast"]],
  ["a word of Chinese", "我想申请三天年假", ["hr_17"]],
  ["words of two tools", "Bill the goods and forecast the sky", ["getForecast", "create_invoice"]],
])("of 403 tools, 128 are offered, among them those that share %s with the task", (_, task, names) => {
  expect(selectNames([WEATHER, INVOICE, LEAVE], task)).toEqual(names);
});

test("the tools of the agent itself are offered, whatever the task", () => {
  const own = createTool("ask_user", "Asks the person.");
  expect(selectNames([INVOICE, own], "stamp form number 3", new Set(["ask_user"]))).toEqual(["ask_user"]);
});

test("up to 128 tools are offered in their order and without a note", () => {
  const tools = FILLERS.slice(0, 128);
  expect(selectTools(tools, NO_NAMES, "invoice")).toEqual({ tools, note: "" });
});

test("the note tells the model how many tools are left out, and their first names", () => {
  const { note } = selectTools(FILLERS, NO_NAMES, "nothing in common");
  expect(note).toMatch(/^You are offered 128 of 400 tools.*Not offered: filler_128, filler_129, .* and 212 more\./);
  expect(note.length).toBeLessThan(2_000);
});

test("large descriptions and parameters reduce the number of offered tools", () => {
  const large = FILLERS.slice(0, 100).map((each) => ({ ...each, description: "x".repeat(8_000) }));
  const { tools, note } = selectTools(large, NO_NAMES, "stamp");
  expect(tools.length).toBe(32);
  expect(note).toContain("You are offered 32 of 100 tools");
});

test("a tool of a toolbox cannot take the name of a plain tool, wherever it stands", () => {
  const plain = createTool("report_failure", "ours");
  const others = [1, 2].map((n) => createTool("report_failure", `theirs ${n}`));
  const [first, second] = others as [AgentTool, AgentTool];
  expect(
    makeNamesUnique([first, plain, second], new Set([plain])).map(({ name, description }) => [name, description]),
  ).toEqual([
    ["report_failure_2", "theirs 1"],
    ["report_failure", "ours"],
    ["report_failure_3", "theirs 2"],
  ]);
});

test("1,000 tools are compared in less than 200 ms of CPU time", () => {
  const tools = Array.from({ length: 1_000 }, (_, i) =>
    createTool(`t${i}`, `Moves the crate ${i} 移动箱子. `.repeat(60)),
  );
  const task = "Move crate 17 and crate 18 to the northern warehouse. 请移动箱子。".repeat(20);
  const startedAt = getCpuMs();
  selectTools(tools, NO_NAMES, task);
  expect(getCpuMs() - startedAt).toBeLessThan(200);
});
