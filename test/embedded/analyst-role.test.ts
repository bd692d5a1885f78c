// The embedded model in the role of the analyst: complete conversations over the sample classroom and uploaded
// tables.

import { describe, expect, test } from "vitest";
import { createBlueprint } from "../../src/agents/analyst/create-blueprint.ts";
import { checkBlueprint } from "../../src/agents/analyst/blueprint-check.ts";
import { createDataTools } from "../../src/agents/analyst/data-tools.ts";
import { ANALYST_LIMITS } from "../../src/agents/analyst/analyst-limits.ts";
import { AgentBudget } from "../../src/agents/kit/agent-limits.ts";
import type { PageBlock } from "../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { getReturnValue } from "../agents/analyst/run-execution.ts";
import { openLibrary } from "../support/dataset-library.ts";
import {
  startConversation,
  createEmbeddedModel,
  createSampleLibrary,
  type AnalystTurn,
} from "./analyst-conversation.ts";

function getBlock<Type extends PageBlock["type"]>({ blocks }: AnalystTurn, type: Type, at = 0) {
  const found = blocks.filter((candidate): candidate is Extract<PageBlock, { type: Type }> => candidate.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const getText = (turn: AnalystTurn) => getBlock(turn, "markdown").content;
const listTypes = ({ blocks }: AnalystTurn) => blocks.map(({ type }) => type);

describe("questions about classes", () => {
  test("[F108] compare two classes on the last assignment in figures, chart, table and text", async () => {
    const page = await startConversation().send("compare 1A and 1B on the last assignment");
    expect(getBlock(page, "kpi_grid").data.map(({ label, value }) => [label, value])).toEqual([
      ["Form 1A · Average", "74.2"],
      ["Form 1B · Average", "69.5"],
      ["Difference · Average", "4.7"],
    ]);
    expect(getBlock(page, "chart")).toMatchObject({
      variant: "bar",
      series: [
        { name: "Form 1A", data: [74.2, 72, 58, 91] },
        { name: "Form 1B", data: [69.5, 70.5, 49, 90] },
      ],
    });
    expect(getBlock(page, "table").headers).toEqual(["Measure", "Form 1A", "Form 1B", "Difference"]);
    expect(getText(page)).toContain("**Form 1A** has the higher mean; the difference to Form 1B is 4.7.");
    expect(getBlock(page, "suggestion_list").items[0]?.title).toContain("Au Ka Yan");
    expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
  });

  test("in Chinese are answered completely in Chinese except names", async () => {
    const page = await startConversation().send("比较 1A 和 1B 最近一次作业");
    expect(getText(page)).toContain("**Form 1A**的平均更高，与Form 1B相差 4.7。");
    expect(getText(page)).not.toMatch(/\b(?:mean|highest|lowest)\b/);
    expect(getBlock(page, "table").headers).toEqual(["指标", "Form 1A", "Form 1B", "差值"]);
  });

  test("without a class are answered with a question, whose answer completes the request", async () => {
    const conversation = startConversation();
    const turn = await conversation.send("分析一下班级成绩");
    expect(turn).toMatchObject({ action: "clarify", chatResponse: "要分析哪个班级？" });
    expect(turn.clarifyOptions?.choices.map(({ label }) => label)).toEqual(["Form 1A", "Form 1B"]);
    const page = await conversation.send("Form 1A", "zh");
    expect(getBlock(page, "kpi_grid").data[0]).toMatchObject({ label: "平均值", value: "74.2" });
  });

  test("about an unknown class are a data error with the nearest names", async () => {
    const { page, events } = await startConversation().send("compare 1A and 1Z on the last assignment");
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "class" }]);
  });

  test("may name an assignment, a ranking, a trend or a student", async () => {
    const unit = await startConversation().send("Compare 1A and 1B on the Unit 4 Test");
    expect(getBlock(unit, "kpi_grid").data.map(({ value }) => value)).toEqual(["72", "70", "2"]);
    const ranking = await startConversation().send("rank the students of 1B");
    expect(getText(ranking)).toContain("1. Tam Wai Ho: 90\n2. Ng Pui Shan: 82\n");
    expect(getBlock(ranking, "chart").xAxis.slice(0, 2)).toEqual(["Tam Wai Ho", "Ng Pui Shan"]);
    expect(getBlock(ranking, "table").rows[0]?.cells).toEqual(["Tam Wai Ho", 90]);
    const trend = await startConversation().send("1A班历次考试的趋势");
    expect(getBlock(trend, "chart")).toMatchObject({
      variant: "line",
      xAxis: ["Unit 4 Test", "Unit 5 Test"],
      series: [{ name: "Form 1A", data: [72, 74.2] }],
    });
    const student = await startConversation().send("How is Au Ka Yan doing?");
    expect(getText(student)).toContain("Unit 5 Test: 58 of 100");
  });
});

describe("questions about tables", () => {
  test("show a trend by month under Chinese headers", async () => {
    const page = await startConversation(createSampleLibrary()).send("销售额按月的趋势");
    expect(getBlock(page, "chart")).toMatchObject({
      variant: "line",
      xAxis: ["2026-01", "2026-02", "2026-03"],
      series: [{ name: "销售额合计", data: [200.5, 260.25, 150] }],
    });
    expect(getText(page)).toContain("最高 2026-02（260.25），最低 2026-03（150）");
  });

  test("rank by a column, also in ascending order and with a limit", async () => {
    const all = await startConversation(createSampleLibrary()).send("按地区给销售额排名");
    expect(getBlock(all, "table").rows.map(({ cells }) => cells)).toEqual([
      ["华东", 320.5],
      ["华北", 230],
      ["华南", 60.25],
    ]);
    const lowest = await startConversation(createSampleLibrary()).send("销售额最低的前2个地区");
    expect(getBlock(lowest, "chart").xAxis).toEqual(["华南", "华北"]);
    // Rows beyond the limit are not mentioned.
    expect(getText(lowest)).toContain("还有更多");
    expect(getText(lowest)).not.toContain("最高");
  });

  test("show a summary and a distribution", async () => {
    const summary = await startConversation(createSampleLibrary()).send("summary of the orders data");
    expect(getBlock(summary, "kpi_grid").data.map(({ value }) => value)).toEqual(["4", "550.5", "3.5"]);
    expect(listTypes(summary)).toEqual(["kpi_grid", "markdown", "chart", "chart", "table"]);
    const spread = await startConversation(createSampleLibrary()).send("销售额的分布");
    expect(getBlock(spread, "chart").variant).toBe("distribution");
    expect(getText(spread)).toContain("平均 122.15");
    expect(getText(spread)).toContain("缺失 1 个值");
  });

  test("about an unknown column are a data error", async () => {
    const { page, events } = await startConversation(createSampleLibrary()).send(
      "compare revenue by country in orders",
    );
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "column" }]);
  });

  test("accept a single period, and a year excludes the others", async () => {
    const quarter = await startConversation(createSampleLibrary()).send("按季度看销售额");
    expect(getBlock(quarter, "chart")).toMatchObject({ xAxis: ["2026-Q1"], series: [{ data: [610.75] }] });
    const year = await startConversation(createSampleLibrary()).send("revenue by region in 2025 in orders");
    expect(year.page).not.toBeNull();
    expect(year.blocks.some(({ type }) => type === "chart")).toBe(false);
  });

  test("sum up a numeric column and count rows", async () => {
    const units = await startConversation(createSampleLibrary()).send("各产品的数量");
    expect(getBlock(units, "chart")).toMatchObject({ xAxis: ["苹果", "梨", "桃"], series: [{ data: [8, 6, 3] }] });
    const rows = await startConversation(createSampleLibrary()).send("How many orders per region?");
    expect(getBlock(rows, "chart")).toMatchObject({ series: [{ data: [2, 2] }] });
  });

  test("find the table by its columns", async () => {
    const { blueprint } = await startConversation(createSampleLibrary()).send("average revenue by region");
    expect(blueprint?.dataContract.bindings[0]?.paramMapping).toMatchObject({
      dataset: "orders",
      aggregate: [{ function: "mean", column: "revenue" }],
    });
  });
});

describe("changes of a page", () => {
  test("[F115] may follow one another: chart type, removed block, added block, other data", async () => {
    const conversation = startConversation();
    await conversation.send("compare 1A and 1B on the last assignment");
    const line = await conversation.send("make it a line chart");
    expect(getBlock(line, "chart").variant).toBe("line");
    const less = await conversation.send("remove the table");
    expect(listTypes(less)).not.toContain("table");
    const more = await conversation.send("add a distribution");
    expect(more.blocks.filter((block) => block.type === "chart")).toMatchObject([
      { variant: "line" },
      { variant: "distribution", series: [{ data: [0, 0, 1, 1, 1, 1, 1] }] },
      { variant: "distribution", series: [{ data: [0, 1, 1, 1, 1, 1, 1] }] },
    ]);
    const other = await conversation.send("use the unit 4 test instead");
    expect(getBlock(other, "kpi_grid").data[0]?.value).toBe("72");
    expect(listTypes(other)).toEqual(listTypes(more));
    expect(getBlock(other, "chart").variant).toBe("line");
    expect(other.blueprint?.version).toBe(5);
  });

  test("of the layout are operations and write no text", async () => {
    const conversation = startConversation();
    await conversation.send("比较 1A 和 1B 最近一次作业");
    await conversation.send("改成饼图");
    expect(conversation.model.answers.at(-1)).toMatchObject({
      role: "blueprint",
      answer: { calls: [{ name: "patch_blueprint", arguments: { operations: [{ op: "update_props" }] } }] },
    });
  });

  test("select another column, another measure and an additional chart", async () => {
    const conversation = startConversation(createSampleLibrary());
    await conversation.send("show revenue by month");
    const region = await conversation.send("by region instead");
    expect(getBlock(region, "chart")).toMatchObject({ xAxis: ["East", "North"], series: [{ data: [320.5, 230] }] });
    const units = await conversation.send("use units instead");
    expect(getBlock(units, "chart").series[0]?.data).toEqual([8, 6]);
    const more = await conversation.send("add a pie chart of revenue by product");
    expect(getBlock(more, "chart", 1)).toMatchObject({
      variant: "pie",
      xAxis: ["apple", "pear"],
      series: [{ data: [320.5, 230] }],
    });
  });

  test("can still select other data after the text was removed", async () => {
    const conversation = startConversation();
    await conversation.send("compare 1A and 1B on the last assignment");
    expect(listTypes(await conversation.send("remove the text"))).not.toContain("markdown");
    expect(getBlock(await conversation.send("use the unit 4 test instead"), "kpi_grid").data[0]?.value).toBe("72");
  });

  test("pass the blueprint check without warnings", async () => {
    const library = createSampleLibrary();
    const { infos } = createDataTools(library.data);
    for (const first of ["compare 1A and 1B", "1A班成绩分布", "销售额按月的趋势", "概括一下销售数据"]) {
      const conversation = startConversation(library);
      for (const message of [first, "改成柱状图", "加一个分布图", "加上建议", "把图表放到最前面"]) {
        const { blueprint, page } = await conversation.send(message);
        const checked = checkBlueprint(blueprint, infos);
        expect([message, checked.ok, checked.ok ? checked.warnings : checked.problems]).toEqual([message, true, []]);
        expect([message, page === null]).toEqual([message, false]);
      }
    }
  });
});

describe("chat of the analyst", () => {
  test("[F114] answers from the page", async () => {
    const conversation = startConversation();
    await conversation.send("compare 1A and 1B on the last assignment");
    expect((await conversation.send("which class is better?")).chatResponse).toContain(
      "**Form 1A** is ahead: Average 74.2",
    );
    expect((await conversation.send("哪个班更差？")).chatResponse).toContain("**Form 1B**靠后");
    expect((await conversation.send("what is the median of 1B?")).chatResponse).toContain("70.5");
    expect((await conversation.send("who did best?")).chatResponse).toContain("**Ho Sze Wai** is ahead: 91");
  });

  test("[F114] does not answer questions that the page does not cover", async () => {
    const conversation = startConversation(createSampleLibrary());
    await conversation.send("how did 1A do on the last assignment?");
    expect((await conversation.send("what is the median of 1B?")).chatResponse).toContain("no answer");
    const salesConversation = startConversation(createSampleLibrary());
    await salesConversation.send("按地区给销售额排名");
    expect((await salesConversation.send("哪个产品最高？")).chatResponse).toContain("没有找到答案");
    expect((await salesConversation.send("哪个地区最高？")).chatResponse).toContain("**华东**领先");
  });

  test("about the page of a table answers from its rows", async () => {
    const conversation = startConversation(createSampleLibrary());
    await conversation.send("summary of the orders data");
    expect((await conversation.send("which region is best?")).chatResponse).toContain(
      "**East** is ahead: total revenue 320.5",
    );
  });

  test("names a request that cannot be planned in its refusal, also after a correction", async () => {
    const { data } = openLibrary();
    const planning = {
      tools: createDataTools(data),
      model: createEmbeddedModel(),
      signal: new AbortController().signal,
      budget: new AgentBudget(ANALYST_LIMITS),
    };
    const options = { prompt: "Write me a sonnet", language: "en", context: {} };
    await expect(getReturnValue(createBlueprint(planning, options))).rejects.toThrow(
      '"Write me a sonnet" needs a real model',
    );
  });

  test("refers to a real model where the rules cannot help", async () => {
    const conversation = startConversation(createSampleLibrary());
    expect((await conversation.send("预测1A班下学期的成绩")).chatResponse).toContain("OPENAI_API_KEY");
    expect((await conversation.send("join orders with 销售 by date")).chatResponse).toContain("OPENAI_API_KEY");
    await conversation.send("compare 1A and 1B");
    expect((await conversation.send("why is 1A better?")).chatResponse).toContain("OPENAI_API_KEY");
    expect((await conversation.send("What is a median?")).chatResponse).toContain("median");
  });
});
