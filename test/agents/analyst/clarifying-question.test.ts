import { describe, expect, test } from "vitest";
import { completeQuestion, createClarifyOptions } from "../../../src/agents/analyst/talk/clarifying-question.ts";
import { createPlanContext, findMentionedClasses } from "../../../src/agents/analyst/talk/class-mentions.ts";
import { loadMaterial } from "../../../src/agents/analyst/prompt-material.ts";
import type { AnalystContext } from "../../../src/agents/analyst/analyst-context.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import type { RouteHint } from "../../../src/protocol/pages/analysis-api.ts";
import { openLibrary } from "../../support/dataset-library.ts";
import { createPageLibrary } from "../fixtures/run-analyst.ts";
import { scriptedModel } from "../fixtures/scripted-model.ts";

function createContext(...tables: string[]): AnalystContext {
  const library = openLibrary();
  for (const name of tables) library.add(name, "region,revenue\nNorth,1\n");
  return {
    model: scriptedModel([]),
    signal: new AbortController().signal,
    budget: new AgentBudget(ANALYST_LIMITS),
    tools: createDataTools(library.data),
    library: createPageLibrary(),
  };
}

const getChoices = async (context: AnalystContext, hint: RouteHint | null, teacher = "t-001", request = "") =>
  createClarifyOptions(hint, await loadMaterial(context, teacher, []), "en", request);

describe("[F107] the choices of a clarifying question", () => {
  test("are the classes of the data, and any other answer is allowed", async () => {
    expect(await getChoices(createContext(), "needClassId")).toEqual({
      type: "single_select",
      allowCustomInput: true,
      choices: [
        { label: "Form 1A", value: "class-hk-f1a", description: "" },
        { label: "Form 1B", value: "class-hk-f1b", description: "" },
      ],
    });
  });

  test.each<[RouteHint, string, string[]]>([
    ["needTimeRange", "en", ["This week", "This month", "This semester"]],
    ["needTimeRange", "zh-CN", ["本周", "本月", "本学期"]],
    ["needSubject", "en", ["English", "Mathematics", "Chinese", "Science"]],
    ["needAssignment", "en", []],
  ])("for %s in %s are fixed labels", (hint, language, labels) => {
    const { choices } = createClarifyOptions(hint, { classes: [], datasets: [] }, language);
    expect(choices.map(({ label }) => label)).toEqual(labels);
  });

  test("without a hint are the user's tables, or the columns of the only table that the request names", async () => {
    const context = createContext("Sales", "Costs");
    const labels = async (request: string) =>
      (await getChoices(context, null, "", request)).choices.map(({ label, description }) => [label, description]);
    const tables = [
      ["Costs", "region, revenue"],
      ["Sales", "region, revenue"],
    ];
    expect(await labels("trends")).toEqual(tables);
    expect(await labels("sales and costs")).toEqual(tables);
    expect((await labels("the trend of my sales")).map(([label]) => label)).toEqual(["region", "revenue"]);
  });

  test("are empty for an unknown teacher and after a failed look-up", async () => {
    expect((await getChoices(createContext(), "needClassId", "t-999")).choices).toEqual([]);
    const context = createContext();
    const broken = { ...context, tools: { ...context.tools, call: () => Promise.reject(new Error("down")) } };
    for (const hint of ["needClassId", null] as const) expect((await getChoices(broken, hint)).choices).toEqual([]);
  });
});

describe("[F107] a question for a dataset", () => {
  test.each([
    [
      "en",
      "Choose a dataset.",
      [{}],
      "needClassId",
      /^There are no datasets yet\. Upload.*You can also choose a class\.$/,
    ],
    ["zh-CN", "请选择一个数据集。", [{}], "needClassId", /^还没有数据集。.*上传.*加载示例数据.*也可以选择一个班级。$/],
    ["en", "Which dataset?", [], null, /^There are no datasets yet\..*ask again\.$/],
    ["en", "By week or by month?", [{}], null, /^By week or by month\?$/],
    ["en", "", [{}], null, /^Could you give more details\?$/],
  ])("says in %s how to add one where there is none: %j", (language, question, classes, hint, pattern) => {
    expect(completeQuestion({ question, hint: null }, { datasets: [], classes }, language)).toEqual({
      question: expect.stringMatching(pattern) as string,
      hint,
    });
  });

  test("stays unchanged where a dataset exists", () => {
    const question = { question: "Which dataset?", hint: null };
    expect(completeQuestion(question, { datasets: [{}], classes: [] }, "en")).toEqual(question);
  });
});

const CLASSES = [
  { class_id: "class-hk-f1a", name: "Form 1A" },
  { class_id: "class-hk-f1b", name: "Form 1B" },
];

test.each([
  ["Compare 1B with 1A", ["class-hk-f1b", "class-hk-f1a"]],
  ["how is form 1a doing", ["class-hk-f1a"]],
  ["F.1B", ["class-hk-f1b"]],
  ["class-hk-f1a 的成绩", ["class-hk-f1a"]],
  ["对比1A班和1B班", ["class-hk-f1a", "class-hk-f1b"]],
  ["中一A班的成绩怎么样", ["class-hk-f1a"]],
  ["1A, then 1A again", ["class-hk-f1a"]],
  ["assignment a-001, 21A, 1AB and 2A", []],
])("findMentionedClasses finds the classes in %j", (text, ids) => {
  expect(findMentionedClasses(text, CLASSES).map(({ id }) => id)).toEqual(ids);
});

test("the request context of a plan lists the classes that the message names", () => {
  const request = { message: "Compare 1A and 1B", teacherId: "t-001", context: { term: "autumn" } };
  expect(createPlanContext(request, CLASSES)).toMatchObject({
    teacherId: "t-001",
    term: "autumn",
    entities: [
      { type: "class", id: "class-hk-f1a", name: "Form 1A", mention: "1A" },
      { type: "class", id: "class-hk-f1b", name: "Form 1B", mention: "1B" },
    ],
  });
  expect(createPlanContext({ message: "Hello", teacherId: "" }, CLASSES)).toEqual({});
});
