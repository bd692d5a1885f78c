import { describe, expect, test } from "vitest";
import type { AgentModel } from "../../src/agents/kit/agent.ts";
import { checkSafety, createCandidate } from "../../src/agents/toolsmith/tool-candidate.ts";
import { WRITE_TOOL } from "../../src/agents/toolsmith/offered-tools.ts";
import { joinTextEvents } from "./fixtures/local-agent.ts";
import { scriptedModel } from "./fixtures/scripted-model.ts";
import {
  chooseCall,
  createMemoryRegistry,
  listStepNames,
  UNAVAILABLE_SANDBOX,
  createPlainSandbox,
  planCall,
  createTestToolsmith,
  listSteps,
  writeCall,
} from "./fixtures/test-toolsmith.ts";

const STEPS = ["search", "generate", "safety_check", "execute", "register"];

describe("a request to the toolsmith", () => {
  test("[F90] is answered directly when it needs no tool", async () => {
    const model = scriptedModel([{ text: "Hello to you." }]);
    const events = await createTestToolsmith(model).ask("hello");
    expect(joinTextEvents(events)).toBe("Hello to you.");
    expect(listStepNames(events)).toEqual([]);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([["plan_subtasks"]]);
  });

  test("[F93] [F98] [F101] with one subtask is searched, generated, checked, executed, registered and answered", async () => {
    const registry = createMemoryRegistry();
    const model = scriptedModel([
      { calls: [planCall("678×8776")] },
      { calls: [writeCall()] },
      { text: "The product is 5950128." },
    ]);
    const events = await createTestToolsmith(model, { registry }).ask("计算678乘以8776");
    expect(listStepNames(events)).toEqual(STEPS);
    expect(Object.fromEntries(listSteps(events))).toMatchObject({
      search: { candidates: [] },
      generate: { name: "multiply", arguments: { a: 678, b: 8776 } },
      safety_check: { passed: true, issues: [] },
      execute: { result: "5950128" },
      register: { kept: true, tool: "multiply", version: 1, uses: 1 },
    });
    expect(joinTextEvents(events)).toBe("The product is 5950128.");
    expect(registry.tools).toMatchObject([{ name: "multiply", code: "function run({ a, b }) { return a * b; }" }]);
    expect(model.requests.map(({ role }) => role)).toEqual(["agent:toolsmith", "agent:toolsmith", "agent:toolsmith"]);
  });

  test("[F91] with three subtasks is executed in order, and later subtasks read earlier results", async () => {
    const model = scriptedModel(
      [
        { calls: [planCall("one", "two", "three")] },
        ...[2, 3, 4].map((b) => ({ calls: [writeCall({ name: `times_${b}`, arguments: { a: 10, b } })] })),
        { text: "20, 30 and 40" },
      ].flatMap((reply, i) =>
        i === 2 || i === 3 ? [{ calls: [chooseCall({ use_existing: false })] }, reply] : [reply],
      ),
    );
    const events = await createTestToolsmith(model).ask("three things");
    expect(listStepNames(events)).toEqual([...STEPS, ...STEPS, ...STEPS]);
    expect(joinTextEvents(events)).toBe("20, 30 and 40");
    expect(model.requests.at(-2)?.messages.at(-1)?.content).toContain(
      '<untrusted source="Results so far">\n[{"title":"one","result":"20"}',
    );
  });

  test("with an empty plan becomes one subtask itself", async () => {
    const model = scriptedModel([{ calls: [planCall()] }, { calls: [writeCall()] }, { text: "5950128" }]);
    const events = await createTestToolsmith(model).ask("678 × 8776");
    expect(listStepNames(events)).toEqual(STEPS);
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('"description":"678 × 8776"');
  });

  test("fails with a message after three unreadable plans", async () => {
    const model = scriptedModel(() => ({ calls: [["plan_subtasks", "{"]] }));
    const events = await createTestToolsmith(model).ask("x");
    expect(events.at(-1)).toMatchObject({
      type: "failed",
      reason: expect.stringContaining("couldn’t split the request") as string,
    });
    expect(model.requests).toHaveLength(3);
    expect(model.requests[2]?.messages.at(-1)?.content).toBe("The arguments are not JSON.");
  });
});

describe("a stored tool", () => {
  const createFilledRegistry = async () => {
    const registry = createMemoryRegistry();
    const model = scriptedModel([{ calls: [planCall("678×8776")] }, { calls: [writeCall()] }, { text: "5950128" }]);
    await createTestToolsmith(model, { registry }).ask("678×8776");
    return registry;
  };

  test("[F94] is used again with other arguments, and no tool is written", async () => {
    const registry = await createFilledRegistry();
    const model = scriptedModel([
      { calls: [planCall("12×34")] },
      { calls: [chooseCall({ use_existing: true, tool_name: "multiply", arguments: { a: 12, b: 34 } })] },
      { text: "It is 408." },
    ]);
    const events = await createTestToolsmith(model, { registry }).ask("12×34");
    expect(listStepNames(events)).toEqual(["search", "use_existing", "safety_check", "execute", "register"]);
    expect(joinTextEvents(events)).toBe("It is 408.");
    expect(registry.tools).toMatchObject([{ version: 1, uses: 2 }]);
  });

  test.each([
    [
      "an argument of the wrong type",
      { tool_name: "multiply", arguments: { a: "twelve", b: 34 } },
      /expected number, received string/,
    ],
    ["a missing argument", { tool_name: "multiply", arguments: { a: 12 } }, /received undefined/],
    ["an unknown argument", { tool_name: "multiply", arguments: { a: 1, b: 2, c: 3 } }, /"c"/],
    ["an unknown name", { tool_name: "divide", arguments: {} }, /There are: multiply/],
  ])("is not run with %s, and the model may correct the call", async (_, answer, problem) => {
    const registry = await createFilledRegistry();
    const sandbox = createPlainSandbox();
    const model = scriptedModel([
      { calls: [planCall("12×34")] },
      { calls: [chooseCall({ use_existing: true, ...answer })] },
      { calls: [chooseCall({ use_existing: true, tool_name: "multiply", arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    await createTestToolsmith(model, { registry, sandbox }).ask("12×34");
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
    expect(sandbox.calls).toEqual([{ a: 12, b: 34 }]);
  });

  test("is replaced with a new tool when its arguments stay invalid", async () => {
    const registry = await createFilledRegistry();
    const wrong = { calls: [chooseCall({ use_existing: true, tool_name: "multiply", arguments: {} })] };
    const model = scriptedModel([
      { calls: [planCall("12×34")] },
      wrong,
      wrong,
      wrong,
      { calls: [writeCall({ name: "times", arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    expect(listStepNames(await createTestToolsmith(model, { registry }).ask("12×34"))).toEqual(STEPS);
  });

  test("is recorded as failing when it throws, and another is written", async () => {
    const registry = createMemoryRegistry();
    await registry.save({
      name: "broken",
      description: "",
      category: "math",
      parameters: {},
      code: "function run() { throw new Error('no'); }",
      hash: "h",
    });
    const model = scriptedModel([
      { calls: [planCall("12×34")] },
      { calls: [chooseCall({ use_existing: true, tool_name: "broken" })] },
      { calls: [writeCall({ arguments: { a: 12, b: 34 } })] },
      { text: "408" },
    ]);
    const events = await createTestToolsmith(model, { registry }).ask("12×34");
    expect(listStepNames(events)).toEqual(["search", "use_existing", "safety_check", "execute", ...STEPS.slice(1)]);
    expect(registry.failures).toEqual([expect.stringContaining("broken: ")]);
  });
});

describe("[F96] a new tool", () => {
  test.each([
    ["does not parse", { code: "function run({ a, b }) { return a *; }" }, /safety check.*Line 1/s],
    ["[F95] breaks the policy", { code: "function run() { return fetch('https://example.com'); }" }, /fetch/],
    ["throws", { code: "function run() { throw new Error('not like this'); }" }, /not like this/],
    ["returns a value that its schema does not allow", { returns: { type: "string" } }, /returns/],
    ["is called with arguments that its parameters do not allow", { arguments: { a: 678 } }, /arguments do not fit/],
    ["has an invalid schema for its parameters", { parameters: { type: "object", $ref: "#" } }, /\$ref/],
    ["has no name", { name: "!" }, /name/],
  ])("goes back to the model, up to three times, when it %s", async (_, wrong, problem) => {
    const model = scriptedModel([
      { calls: [planCall("678×8776")] },
      { calls: [writeCall(wrong)] },
      { calls: [writeCall()] },
      { text: "5950128" },
    ]);
    const events = await createTestToolsmith(model).ask("678×8776");
    expect(listStepNames(events).slice(-4)).toEqual(STEPS.slice(1));
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringMatching(problem) as string,
    });
    expect(joinTextEvents(events)).toBe("5950128");
  });

  test("[F95] [F98] is neither run nor stored when the check rejects its code", async () => {
    const sandbox = createPlainSandbox();
    const registry = createMemoryRegistry();
    const bad = { calls: [writeCall({ code: "function run() { return process.env; }" })] };
    const model = scriptedModel([{ calls: [planCall("x")] }, bad, bad, bad, { text: "" }]);
    const events = await createTestToolsmith(model, { sandbox, registry }).ask("x");
    const attempt = ["generate", "safety_check"];
    expect(listStepNames(events)).toEqual(["search", ...attempt, ...attempt, ...attempt]);
    expect([sandbox.calls, registry.tools]).toEqual([[], []]);
    expect(joinTextEvents(events)).toMatch(
      /^Task 1 \(x\) failed: No working tool was written in 3 attempts\..*process/,
    );
  });

  test("runs the function with its name, wherever it stands in the code", () => {
    const code =
      "function multiplyNumbers({ a, b }) { return helper({ a, b }); }\nfunction helper({ a, b }) { return a * b; }";
    const [, written] = writeCall({ name: "multiply_numbers", code });
    const read = createCandidate(WRITE_TOOL.schema.parse(JSON.parse(written)), "written");
    if (!read.ok) throw new Error(read.problem);
    expect(checkSafety(read.candidate)).toMatchObject({
      ok: true,
      program: { module: expect.stringContaining("return multiplyNumbers(") as string },
    });
  });

  test("is not run a third time when its code has hung twice", async () => {
    const registry = createMemoryRegistry();
    const planReply = { calls: [planCall("x")] };
    const first = scriptedModel([planReply, { calls: [writeCall()] }, { text: "5950128" }]);
    const startedHashes: string[] = [];
    await createTestToolsmith(first, {
      registry: { ...registry, beginRun: (hash) => (startedHashes.push(hash), Promise.resolve(1)) },
    }).ask("x");
    const sandbox = createPlainSandbox();
    const same = { calls: [writeCall()] };
    const again = scriptedModel([planReply, same, same, same]);
    const events = await createTestToolsmith(again, {
      sandbox,
      registry: { ...createMemoryRegistry(), beginRun: (hash) => Promise.resolve(hash === startedHashes[0] ? 2 : 0) },
    }).ask("x");
    expect(sandbox.calls).toEqual([]);
    expect(joinTextEvents(events)).toContain("has twice not come back");
  });
});

describe("[F99] [X19] a failed subtask", () => {
  const createPartialModel = (text: string) =>
    scriptedModel([
      { calls: [planCall("one", "two", "three")] },
      { calls: [writeCall({ name: "one", arguments: { a: 1, b: 1 } })] },
      { calls: [chooseCall({ use_existing: false })] },
      { text: "Nobody can do that." },
      { calls: [chooseCall({ use_existing: true, tool_name: "one", arguments: { a: 3, b: 3 } })] },
      { text },
    ]);

  test("does not affect the others, and the answer reports it", async () => {
    const events = await createTestToolsmith(createPartialModel("1 and 9.")).ask("three things");
    expect(joinTextEvents(events)).toBe("1 and 9.\nTask 2 (two) failed: Nobody can do that.");
    expect(events.at(-1)?.type).not.toBe("failed");
  });

  test("[F100] [F101] is listed with the results in place of a text that loses or alters a result", async () => {
    const events = await createTestToolsmith(createPartialModel("1 and ten.")).ask("three things");
    expect(joinTextEvents(events)).toBe("Task 1 (one): 1\nTask 2 (two) failed: Nobody can do that.\nTask 3 (three): 9");
    const chinese = await createTestToolsmith(createPartialModel("没有")).ask("把这三件事做了");
    expect(joinTextEvents(chinese)).toBe(
      "任务 1（one）：1\n任务 2（two）失败：Nobody can do that.\n任务 3（three）：9",
    );
  });

  test("[F102] appears in the progress component while the subtasks run", async () => {
    const events = await createTestToolsmith(createPartialModel("1 and 9.")).ask("three things");
    const seen = events.flatMap((event) => (event.type === "component" ? [JSON.parse(event.content) as object] : []));
    expect(seen).toMatchObject([
      { current: 1, total: 3, subtasks: [{ status: "running" }, { status: "pending" }, { status: "pending" }] },
      { current: 2, subtasks: [{ status: "completed", result: "1", tool: "one" }, { status: "running" }, {}] },
      { current: 3, subtasks: [{}, { status: "failed", error: "Nobody can do that." }, { status: "running" }] },
      { current: 3, subtasks: [{}, {}, { status: "completed", result: "9" }] },
    ]);
    const ids = events.flatMap((event) => (event.type === "component" ? [event.component_id] : []));
    expect(new Set(ids)).toEqual(new Set(["task-ours/progress"]));
  });

  test("without a sandbox fails the request with the remedy", async () => {
    const model = scriptedModel([{ calls: [planCall("x")] }, { calls: [writeCall()] }]);
    const events = await createTestToolsmith(model, { sandbox: UNAVAILABLE_SANDBOX }).ask("x");
    expect(events.at(-1)).toMatchObject({ type: "failed", reason: "There is no sandbox here." });
  });
});

describe("[T4] an interrupted toolsmith run", () => {
  /** Replies to each kind of call and records the tools that were offered. */
  const createRecordingModel = () => {
    const calls: string[] = [];
    return {
      calls,
      complete: (({ tools = [], messages }, emit) => {
        const [{ name } = { name: "none" }] = tools;
        calls.push(name);
        const b = String(messages[1]?.content).includes('"id":"2"') ? 2 : 1;
        const replies = {
          plan_subtasks: { calls: [planCall("one", "two")] },
          choose_tool: { calls: [chooseCall({ use_existing: false })] },
          write_tool: { calls: [writeCall({ name: `t${b}`, arguments: { a: b, b } })] },
          none: { text: "1 and 4" },
        };
        return scriptedModel([replies[name as keyof typeof replies]]).complete(
          { role: "", messages, tools, signal: new AbortController().signal },
          emit,
        );
      }) as AgentModel["complete"],
    };
  };

  test("continues from each checkpoint without repeating a finished model call", async () => {
    const first = createRecordingModel();
    const events = await createTestToolsmith(first).ask("both");
    expect(first.calls).toEqual(["plan_subtasks", "write_tool", "choose_tool", "write_tool", "none"]);
    const checkpoints = events.flatMap((event, i) => (event.type === "checkpoint" ? [{ state: event.state, i }] : []));
    expect(checkpoints.length).toBeGreaterThanOrEqual(4);
    for (const { state, i } of checkpoints) {
      const before = first.calls.slice(0, events.slice(0, i).filter(({ type }) => type === "usage").length);
      const second = createRecordingModel();
      const rest = await createTestToolsmith(second).ask("both", { checkpoint: state });
      expect(joinTextEvents(rest)).toBe("1 and 4");
      const calls = [...before, ...second.calls].filter((name) => name !== "choose_tool");
      expect(calls).toEqual(["plan_subtasks", "write_tool", "write_tool", "none"]);
    }
  });
});
