// The examples of the toolsmith's abilities: split, choose or write a tool, run it in the isolate, word the results.

import { describe, expect, test } from "vitest";
import { TOOLSMITH_ABILITIES } from "../../src/embedded/toolsmith/toolsmith-abilities.ts";
import { TOOL_TEMPLATES } from "../../src/embedded/toolsmith/tool-templates.ts";
import { chooseTool, planSubtasks, runRequest, writeAnswer, writeTool, type SavedTool } from "./toolsmith-runner.ts";

/** Formats the steps of a request, or `declines` if it is answered with a refusal. */
function formatSteps(request: string): string {
  const { steps, answer } = runRequest(request, []);
  if (steps.length === 0) return /OPENAI_API_KEY/.test(answer) ? "declines" : answer;
  return steps
    .map(({ tool, result, error }) => {
      if (tool === undefined) return /OPENAI_API_KEY/.test(error ?? "") ? "declines" : error;
      return error === undefined ? `${tool} = ${result}` : `${tool} ! ${error}`;
    })
    .join("\n");
}

describe.each(TOOLSMITH_ABILITIES)("[F90] [F91] [F99] the ability to $description.en", ({ examples }) => {
  test.each(examples)("does or declines %s", (request, ...beginnings) => {
    const steps = formatSteps(request).split("\n");
    expect(steps.map((step, i) => step.slice(0, beginnings[i]?.length ?? step.length))).toEqual(beginnings);
  });
});

describe("the tool templates", () => {
  test("have unique names, and descriptions in both languages", () => {
    expect(new Set(TOOL_TEMPLATES.map(({ name }) => name)).size).toBe(TOOL_TEMPLATES.length);
    for (const { description } of TOOL_TEMPLATES) expect(description).toMatch(/^[A-Z].*[a-z].*[\u4e00-\u9fff]/);
  });

  test("[F95] are all written by an example", () => {
    const steps = TOOLSMITH_ABILITIES.flatMap(({ examples }) => examples.flatMap(([, ...outcome]) => outcome));
    const written = new Set(steps.flatMap((step) => /^\w+(?= [=!])/.exec(step) ?? []));
    expect(TOOL_TEMPLATES.map(({ name }) => name).filter((name) => !written.has(name))).toEqual([]);
  });

  test("[F98] have valid schemas, and their code contains no value of the request", () => {
    const { call } = writeTool("计算678乘以8776");
    expect(call).toMatchObject({ name: "calculate", category: "math", arguments: { expression: "678 * 8776" } });
    expect(call?.["code"]).not.toMatch(/678|8776/);
    expect(call?.["parameters"]).toMatchObject({ type: "object", required: ["expression"] });
  });
});

describe("a saved tool", () => {
  const saved: SavedTool = {
    name: "calculate",
    description: "",
    category: "math",
    parameters: { properties: { expression: {} } },
  };

  test("[F94] is used again for the same kind of work with other values", () => {
    const tools: SavedTool[] = [];
    const run = (request: string) => runRequest(request, tools).steps.map(({ source }) => source);
    expect(run("首先查询现在时间然后计算678乘以8776的结果")).toEqual(["generate", "generate"]);
    expect(run("what is 12 * 34, and what time is it in Tokyo?")).toEqual(["use_existing", "use_existing"]);
    expect(run("告诉我现在时间、生成一个随机数、计算123加456")).toEqual(["use_existing", "generate", "use_existing"]);
    expect(tools.map(({ name }) => name)).toEqual(["current_time", "calculate", "random_integer"]);
  });

  test("takes the earlier result that the words mean", () => {
    const earlier = [
      { title: "生成一个随机数", result: "42" },
      { title: "计算3加4", result: "7" },
    ];
    expect(chooseTool("把结果乘以2", [saved], earlier)).toMatchObject({ arguments: { expression: "7 * 2" } });
    expect(chooseTool("把随机数乘以2", [saved], earlier)).toMatchObject({ arguments: { expression: "42 * 2" } });
  });
});

describe("the answers of the toolsmith", () => {
  test("[F101] contain each result unchanged in a line of its own, and [F100] failures with their reason", () => {
    const results = [
      { id: "1", description: "查询现在时间", result: "2026-11-21 16:00:00 Sat (Asia/Shanghai)" },
      { id: "2", description: "计算678乘以8776的结果", result: "5950128" },
      { id: "3", description: "判断97是不是质数", result: "true" },
      { id: "4", description: "5除以0", error: "除数不能为零。" },
    ];
    expect(writeAnswer("首先查询现在时间……", results)).toBe(
      "查询现在时间：2026-11-21 16:00:00 Sat (Asia/Shanghai)\n678 × 8776 = 5950128\n判断97是不是质数：是（true）\n5除以0：失败：除数不能为零。",
    );
  });

  test("to small talk need no tool", () => {
    expect(planSubtasks("你好")).toBe("你好！有什么可以帮你的吗？");
    expect(planSubtasks("what can you do?")).toContain("statistics");
  });

  test("[F96] to a rejected tool name the problem and write no other", () => {
    const { call } = writeTool("5除以0");
    const problem = "Running it failed. Error: Nothing can be divided by zero. (line 29)";
    expect(writeTool("5除以0", [], [[call ?? {}, problem]]).text).toBe("工具没有成功：Nothing can be divided by zero.");
  });

  test("refuse more than ten sub-tasks", () => {
    expect(planSubtasks(Array.from({ length: 11 }, (_, i) => `计算${i + 1}加1`).join("；"))).toContain("最多 10");
  });
});
