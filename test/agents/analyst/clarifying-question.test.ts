import { describe, expect, test } from "vitest";
import { createClarifyOptions, type ChoiceSource } from "../../../src/agents/analyst/talk/clarifying-question.ts";
import {
  createChoiceSource,
  collectRequestContext,
  type AnalystContext,
} from "../../../src/agents/analyst/analyst-context.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { createPageLibrary } from "../fixtures/run-analyst.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

const NO_CHOICES: ChoiceSource = { classes: async () => [], datasets: async () => [] };

function createContext(library = openLibrary()): AnalystContext {
  const signal = new AbortController().signal;
  return {
    model: scriptedModel([]),
    signal,
    budget: new AgentBudget(ANALYST_LIMITS),
    tools: createDataTools(library.data),
    library: createPageLibrary(),
  };
}

describe("[F107] the choices of a clarifying question", () => {
  test("are the classes of the data", async () => {
    const { choices, ...rest } = await createClarifyOptions(
      "needClassId",
      createChoiceSource(createContext(), "t-001"),
      "en",
    );
    expect(rest).toEqual({ type: "single_select", allowCustomInput: true });
    expect(choices).toEqual([
      { label: "Form 1A", value: "class-hk-f1a", description: "" },
      { label: "Form 1B", value: "class-hk-f1b", description: "" },
    ]);
  });

  test.each([
    ["needTimeRange", "en", ["This week", "This month", "This semester"]],
    ["needTimeRange", "zh-CN", ["本周", "本月", "本学期"]],
    ["needSubject", "en", ["English", "Mathematics", "Chinese", "Science"]],
    ["needAssignment", "en", []],
    [null, "en", []],
  ] as const)("for %s in %s are fixed labels", async (hint, language, labels) => {
    expect((await createClarifyOptions(hint, NO_CHOICES, language)).choices.map(({ label }) => label)).toEqual(labels);
  });

  test("without a hint are the user's own tables with their columns", async () => {
    const library = openLibrary();
    library.add("Sales", "region,revenue\nNorth,1\n");
    const { choices } = await createClarifyOptions(null, createChoiceSource(createContext(library), ""), "en");
    expect(choices).toEqual([
      { label: "Sales", value: expect.stringMatching(/^data-/) as string, description: "region, revenue" },
    ]);
  });

  test("without a hint are the columns of the only table that the request names", async () => {
    const library = openLibrary();
    library.add("Sales", "region,revenue\nNorth,1\n");
    library.add("Costs", "region,cost\nNorth,1\n");
    const labels = async (request: string) =>
      (await createClarifyOptions(null, createChoiceSource(createContext(library), ""), "en", request)).choices.map(
        ({ label }) => label,
      );
    expect(await labels("the trend of my sales")).toEqual(["region", "revenue"]);
    expect(await labels("sales and costs")).toEqual(["Costs", "Sales"]);
  });

  test("are empty for an unknown teacher and after a failed look-up", async () => {
    const unknown = await createClarifyOptions("needClassId", createChoiceSource(createContext(), "t-999"), "en");
    expect(unknown).toEqual({ type: "single_select", choices: [], allowCustomInput: true });
    const context = createContext();
    const broken = { ...context, tools: { ...context.tools, call: () => Promise.reject(new Error("down")) } };
    expect((await createClarifyOptions("needClassId", createChoiceSource(broken, "t-001"), "en")).choices).toEqual([]);
    expect((await createClarifyOptions(null, createChoiceSource(broken, "t-001"), "en")).choices).toEqual([]);
  });
});

test("the request context of a plan lists the classes that the message names", async () => {
  const request = { message: "Compare 1A and 1B", teacherId: "t-001", context: { term: "autumn" } };
  expect(await collectRequestContext(createContext(), request)).toMatchObject({
    teacherId: "t-001",
    term: "autumn",
    entities: [
      { type: "class", id: "class-hk-f1a", name: "Form 1A", mention: "1A" },
      { type: "class", id: "class-hk-f1b", name: "Form 1B", mention: "1B" },
    ],
  });
  expect(await collectRequestContext(createContext(), { message: "Hello", teacherId: "" })).toEqual({});
});
