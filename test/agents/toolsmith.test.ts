import { describe, expect, test } from "vitest";
import type { AgentModel } from "../../src/agents/kit/agent.ts";
import { checkSafety, createCandidate } from "../../src/agents/toolsmith/tool-candidate.ts";
import { WRITE_TOOL } from "../../src/agents/toolsmith/offered-tools.ts";
import { textOf } from "./fixtures/local.ts";
import { scriptedModel } from "./fixtures/model.ts";
import { choose, memory, namesOf, noSandbox, plainSandbox, plan, smithy, stepsOf, write } from "./fixtures/smithy.ts";

const STEPS = ["search", "generate", "safety_check", "execute", "register"];

describe("a request", () => {
  test("[F90] that needs no tool is answered directly", async () => {
    const model = scriptedModel([{ text: "Hello to you." }]);
    const said = await smithy(model).ask("hello");
    expect(textOf(said)).toBe("Hello to you.");
    expect(namesOf(said)).toEqual([]);
    expect(model.heard.map(({ tools }) => tools.map(({ name }) => name))).toEqual([["plan_subtasks"]]);
  });

  test("[F93] [F98] [F101] of one part is searched for, written, checked, run, kept and worded", async () => {
    const registry = memory();
    const model = scriptedModel([
      { calls: [plan("678×8776")] },
      { calls: [write()] },
      { text: "The product is 5950128." },
    ]);
    const said = await smithy(model, { registry }).ask("计算678乘以8776");
    expect(namesOf(said)).toEqual(STEPS);
    expect(Object.fromEntries(stepsOf(said))).toMatchObject({
      search: { candidates: [] },
      generate: { name: "multiply", arguments: { a: 678, b: 8776 } },
      safety_check: { passed: true, issues: [] },
      execute: { result: "5950128" },
      register: { kept: true, tool: "multiply", version: 1, uses: 1 },
    });
    expect(textOf(said)).toBe("The product is 5950128.");
    expect(registry.tools).toMatchObject([{ name: "multiply", code: "function run({ a, b }) { return a * b; }" }]);
    expect(model.heard.map(({ role }) => role)).toEqual(["agent:toolsmith", "agent:toolsmith", "agent:toolsmith"]);
  });

  test("[F91] of three parts takes them in order, and later ones see what was found", async () => {
    const model = scriptedModel(
      [
        { calls: [plan("one", "two", "three")] },
        ...[2, 3, 4].map((b) => ({ calls: [write({ name: `times_${b}`, arguments: { a: 10, b } })] })),
        { text: "20, 30 and 40" },
      ].flatMap((reply, i) => (i === 2 || i === 3 ? [{ calls: [choose({ use_existing: false })] }, reply] : [reply])),
    );
    const said = await smithy(model).ask("three things");
    expect(namesOf(said)).toEqual([...STEPS, ...STEPS, ...STEPS]);
    expect(textOf(said)).toBe("20, 30 and 40");
    expect(model.heard.at(-2)?.messages.at(-1)?.content).toContain(
      'Results so far:\n```json\n[{"title":"one","result":"20"}',
    );
  });

  test("whose plan has no part is one part itself", async () => {
    const model = scriptedModel([{ calls: [plan()] }, { calls: [write()] }, { text: "5950128" }]);
    const said = await smithy(model).ask("678 × 8776");
    expect(namesOf(said)).toEqual(STEPS);
    expect(model.heard[1]?.messages.at(-1)?.content).toContain('"description":"678 × 8776"');
  });

  test("that the model splits in a way nobody can read fails after three tries, in words", async () => {
    const model = scriptedModel(() => ({ calls: [["plan_subtasks", "{"]] }));
    const said = await smithy(model).ask("x");
    expect(said.at(-1)).toMatchObject({ type: "failed", reason: expect.stringContaining("another way") as string });
    expect(model.heard).toHaveLength(3);
    expect(model.heard[2]?.messages.at(-1)?.content).toBe("The arguments are not JSON.");
  });
});

describe("a tool that is there", () => {
  const kept = async () => {
    const registry = memory();
    const model = scriptedModel([{ calls: [plan("678×8776")] }, { calls: [write()] }, { text: "5950128" }]);
    await smithy(model, { registry }).ask("678×8776");
    return registry;
  };

  test("[F94] is used again with other arguments, and nothing is written", async () => {
    const registry = await kept();
    const model = scriptedModel([
      { calls: [plan("12×34")] },
      { calls: [choose({ use_existing: true, tool_name: "multiply", arguments: { a: 12, b: 34 } })] },
      { text: "It is 408." },
    ]);
    const said = await smithy(model, { registry }).ask("12×34");
    expect(namesOf(said)).toEqual(["search", "use_existing", "safety_check", "execute", "register"]);
    expect(textOf(said)).toBe("It is 408.");
    expect(registry.tools).toMatchObject([{ version: 1, uses: 2 }]);
  });

  test.each([
    [
      "an argument of the wrong type",
      { tool_name: "multiply", arguments: { a: "twelve", b: 34 } },
      /expected number, received string/,
    ],
    ["an argument too few", { tool_name: "multiply", arguments: { a: 12 } }, /received undefined/],
    ["an argument that it does not know", { tool_name: "multiply", arguments: { a: 1, b: 2, c: 3 } }, /"c"/],
    ["a name that is not in the list", { tool_name: "divide", arguments: {} }, /There are: multiply/],
  ])("called with %s, is never run with that: the model may correct it", async (_, answer, problem) => {
    const registry = await kept();
    const sandbox = plainSandbox();
    const model = scriptedModel([
      { calls: [plan("12×34")] },
      { calls: [choose({ use_existing: true, ...answer })] },
      { calls: [choose({ use_existing: true, tool_name: "multiply", arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    await smithy(model, { registry, sandbox }).ask("12×34");
    expect(model.heard[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
    expect(sandbox.calls).toEqual([{ a: 12, b: 34 }]);
  });

  test("whose arguments stay wrong is left alone, and one is written", async () => {
    const registry = await kept();
    const wrong = { calls: [choose({ use_existing: true, tool_name: "multiply", arguments: {} })] };
    const model = scriptedModel([
      { calls: [plan("12×34")] },
      wrong,
      wrong,
      wrong,
      { calls: [write({ name: "times", arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    expect(namesOf(await smithy(model, { registry }).ask("12×34"))).toEqual(STEPS);
  });

  test("that fails is noted as failing, and another is written", async () => {
    const registry = memory();
    await registry.save({
      name: "broken",
      description: "",
      category: "math",
      parameters: {},
      code: "function run() { throw new Error('no'); }",
      hash: "h",
    });
    const model = scriptedModel([
      { calls: [plan("12×34")] },
      { calls: [choose({ use_existing: true, tool_name: "broken" })] },
      { calls: [write({ arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    const said = await smithy(model, { registry }).ask("12×34");
    expect(namesOf(said)).toEqual(["search", "use_existing", "safety_check", "execute", ...STEPS.slice(1)]);
    expect(registry.failures).toEqual([expect.stringContaining("broken: ")]);
  });
});

describe("[F96] what goes wrong with a new tool is told to the model, three times at most", () => {
  test.each([
    ["does not parse", { code: "function run({ a, b }) { return a *; }" }, /safety check.*Line 1/s],
    ["[F95] breaks the policy", { code: "function run() { return fetch('https://example.com'); }" }, /fetch/],
    ["throws", { code: "function run() { throw new Error('not like this'); }" }, /not like this/],
    ["returns what its schema does not allow", { returns: { type: "string" } }, /returns/],
    ["is given arguments that its parameters do not allow", { arguments: { a: 678 } }, /arguments do not fit/],
    ["has parameters that are no schema", { parameters: { type: "object", $ref: "#" } }, /\$ref/],
    ["has no name", { name: "!" }, /name/],
  ])("one that %s", async (_, wrong, problem) => {
    const model = scriptedModel([
      { calls: [plan("678×8776")] },
      { calls: [write(wrong)] },
      { calls: [write()] },
      { text: "5950128" },
    ]);
    const said = await smithy(model).ask("678×8776");
    expect(namesOf(said).slice(-4)).toEqual(STEPS.slice(1));
    expect(model.heard[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
    expect(textOf(said)).toBe("5950128");
  });

  test("[F95] [F98] code that the check refuses is never run and never kept", async () => {
    const sandbox = plainSandbox();
    const registry = memory();
    const bad = { calls: [write({ code: "function run() { return process.env; }" })] };
    const model = scriptedModel([{ calls: [plan("x")] }, bad, bad, bad, { text: "" }]);
    const said = await smithy(model, { sandbox, registry }).ask("x");
    const tried = ["generate", "safety_check"];
    expect(namesOf(said)).toEqual(["search", ...tried, ...tried, ...tried]);
    expect([sandbox.calls, registry.tools]).toEqual([[], []]);
    expect(textOf(said)).toMatch(/^Task 1 \(x\): failed - No tool for this came about in 3 attempts\..*process/);
  });

  test("the function that is called like the tool is the one that runs, wherever it stands", () => {
    const code =
      "function multiplyNumbers({ a, b }) { return helper({ a, b }); }\nfunction helper({ a, b }) { return a * b; }";
    const [, written] = write({ name: "multiply_numbers", code });
    const read = createCandidate(WRITE_TOOL.schema.parse(JSON.parse(written)), "written");
    if (!read.ok) throw new Error(read.problem);
    expect(checkSafety(read.candidate)).toMatchObject({
      ok: true,
      program: { module: expect.stringContaining("return multiplyNumbers(") as string },
    });
  });

  test("code that has not come back twice is not run a third time", async () => {
    const registry = memory();
    const asked = { calls: [plan("x")] };
    const first = scriptedModel([asked, { calls: [write()] }, { text: "5950128" }]);
    const begun: string[] = [];
    await smithy(first, { registry: { ...registry, beginRun: (hash) => (begun.push(hash), Promise.resolve(1)) } }).ask(
      "x",
    );
    const sandbox = plainSandbox();
    const same = { calls: [write()] };
    const again = scriptedModel([asked, same, same, same]);
    const said = await smithy(again, {
      sandbox,
      registry: { ...memory(), beginRun: (hash) => Promise.resolve(hash === begun[0] ? 2 : 0) },
    }).ask("x");
    expect(sandbox.calls).toEqual([]);
    expect(textOf(said)).toContain("has twice not come back");
  });
});

describe("[F99] [X19] a part that fails", () => {
  const partly = (text: string) =>
    scriptedModel([
      { calls: [plan("one", "two", "three")] },
      { calls: [write({ name: "one", arguments: { a: 1, b: 1 } })] },
      { calls: [choose({ use_existing: false })] },
      { text: "Nobody can do that." },
      { calls: [choose({ use_existing: true, tool_name: "one", arguments: { a: 3, b: 3 } })] },
      { text },
    ]);

  test("fails alone: the others have their results, and the failure is told", async () => {
    const said = await smithy(partly("1 and 9.")).ask("three things");
    expect(textOf(said)).toBe("1 and 9.\nTask 2 (two): failed - Nobody can do that.");
    expect(said.at(-1)?.type).not.toBe("failed");
  });

  test("[F100] [F101] words that lose or alter a result are not used: the plain lines are", async () => {
    const said = await smithy(partly("1 and ten.")).ask("three things");
    expect(textOf(said)).toBe("Task 1 (one): 1\nTask 2 (two): failed - Nobody can do that.\nTask 3 (three): 9");
    const chinese = await smithy(partly("没有")).ask("把这三件事做了");
    expect(textOf(chinese)).toBe("任务1(one): 1\n任务2(two): 执行失败 - Nobody can do that.\n任务3(three): 9");
  });

  test("[F102] how far the parts are can be read while they run", async () => {
    const said = await smithy(partly("1 and 9.")).ask("three things");
    const seen = said.flatMap((one) => (one.type === "component" ? [JSON.parse(one.content) as object] : []));
    expect(seen).toMatchObject([
      { current: 1, total: 3, subtasks: [{ status: "running" }, { status: "pending" }, { status: "pending" }] },
      { current: 2, subtasks: [{ status: "completed", result: "1", tool: "one" }, { status: "running" }, {}] },
      { current: 3, subtasks: [{}, { status: "failed", error: "Nobody can do that." }, { status: "running" }] },
      { current: 3, subtasks: [{}, {}, { status: "completed", result: "9" }] },
    ]);
    const ids = said.flatMap((one) => (one.type === "component" ? [one.component_id] : []));
    expect(new Set(ids)).toEqual(new Set(["task-ours/progress"]));
  });

  test("for want of a sandbox fails with what has to be done about it", async () => {
    const model = scriptedModel([{ calls: [plan("x")] }, { calls: [write()] }]);
    const said = await smithy(model, { sandbox: noSandbox }).ask("x");
    expect(said.at(-1)).toMatchObject({ type: "failed", reason: "There is no sandbox here." });
  });
});

describe("[T4] a run that was interrupted", () => {
  /** Answers each kind of call, and keeps which it was asked for. */
  const model = () => {
    const heard: string[] = [];
    return {
      heard,
      complete: (({ tools = [], messages }, hear) => {
        const [{ name } = { name: "none" }] = tools;
        heard.push(name);
        const b = String(messages[1]?.content).includes('"id":"2"') ? 2 : 1;
        const replies = {
          plan_subtasks: { calls: [plan("one", "two")] },
          choose_tool: { calls: [choose({ use_existing: false })] },
          write_tool: { calls: [write({ name: `t${b}`, arguments: { a: b, b } })] },
          none: { text: "1 and 4" },
        };
        return scriptedModel([replies[name as keyof typeof replies]]).complete(
          { role: "", messages, tools, signal: new AbortController().signal },
          hear,
        );
      }) as AgentModel["complete"],
    };
  };

  test("goes on from each checkpoint without a finished model call being made again", async () => {
    const first = model();
    const whole = await smithy(first).ask("both");
    expect(first.heard).toEqual(["plan_subtasks", "write_tool", "choose_tool", "write_tool", "none"]);
    const kept = whole.flatMap((one, i) => (one.type === "checkpoint" ? [{ state: one.state, i }] : []));
    expect(kept.length).toBeGreaterThanOrEqual(4);
    for (const { state, i } of kept) {
      const before = first.heard.slice(0, whole.slice(0, i).filter(({ type }) => type === "usage").length);
      const second = model();
      const rest = await smithy(second).ask("both", { checkpoint: state });
      expect(textOf(rest)).toBe("1 and 4");
      const calls = [...before, ...second.heard].filter((name) => name !== "choose_tool");
      expect(calls).toEqual(["plan_subtasks", "write_tool", "write_tool", "none"]);
    }
  });
});
