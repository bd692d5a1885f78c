// The embedded model as the analyst's: whole conversations over the sample classroom and uploaded tables.

import { describe, expect, test } from "vitest";
import { createBlueprint } from "../../../src/agents/analyst/create-blueprint.ts";
import { checkBlueprint } from "../../../src/agents/analyst/blueprint-check.ts";
import { createDataTools } from "../../../src/agents/analyst/data-tools.ts";
import { ANALYST_LIMITS } from "../../../src/agents/analyst/analyst-limits.ts";
import { AgentBudget } from "../../../src/agents/kit/agent-limits.ts";
import type { PageBlock } from "../../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { endOf } from "../../agents/analyst/stage.ts";
import { openLibrary } from "../../support/library.ts";
import { conversation, embedded, withTables, type Turned } from "./analyst-drive.ts";

function block<Type extends PageBlock["type"]>({ blocks }: Turned, type: Type, at = 0) {
  const found = blocks.filter((one): one is Extract<PageBlock, { type: Type }> => one.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const words = (turned: Turned) => block(turned, "markdown").content;
const types = ({ blocks }: Turned) => blocks.map(({ type }) => type);

describe("classes", () => {
  test("[F108] two classes on the last assignment have the classroom's numbers, in figures, chart, table and words", async () => {
    const page = await conversation().says("compare 1A and 1B on the last assignment");
    expect(block(page, "kpi_grid").data.map(({ label, value }) => [label, value])).toEqual([
      ["Form 1A · Average", "74.2"],
      ["Form 1B · Average", "69.5"],
      ["Difference · Average", "4.7"],
    ]);
    expect(block(page, "chart")).toMatchObject({
      variant: "bar",
      series: [
        { name: "Form 1A", data: [74.2, 72, 58, 91] },
        { name: "Form 1B", data: [69.5, 70.5, 49, 90] },
      ],
    });
    expect(block(page, "table").headers).toEqual(["Measure", "Form 1A", "Form 1B", "Difference"]);
    expect(words(page)).toContain("**Form 1A** has the higher mean; the difference to Form 1B is 4.7.");
    expect(block(page, "suggestion_list").items[0]?.title).toContain("Au Ka Yan");
    expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
  });

  test("in Chinese everything but the names is Chinese", async () => {
    const page = await conversation().says("比较 1A 和 1B 最近一次作业");
    expect(words(page)).toContain("**Form 1A**的平均更高，与Form 1B相差 4.7。");
    expect(words(page)).not.toMatch(/\b(?:mean|highest|lowest)\b/);
    expect(block(page, "table").headers).toEqual(["指标", "Form 1A", "Form 1B", "差值"]);
  });

  test("a class that is not named is asked for, and the answer completes the request", async () => {
    const talk = conversation();
    const asked = await talk.says("分析一下班级成绩");
    expect(asked).toMatchObject({ action: "clarify", chatResponse: "要分析哪个班级？" });
    expect(asked.clarifyOptions?.choices.map(({ label }) => label)).toEqual(["Form 1A", "Form 1B"]);
    const page = await talk.says("Form 1A", "zh");
    expect(block(page, "kpi_grid").data[0]).toMatchObject({ label: "平均值", value: "74.2" });
  });

  test("a class that does not exist is a data error with the nearest names", async () => {
    const { page, events } = await conversation().says("compare 1A and 1Z on the last assignment");
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "class" }]);
  });

  test("an assignment by its name, a ranking, a trend, a student", async () => {
    const unit = await conversation().says("Compare 1A and 1B on the Unit 4 Test");
    expect(block(unit, "kpi_grid").data.map(({ value }) => value)).toEqual(["72", "70", "2"]);
    const ranking = await conversation().says("rank the students of 1B");
    expect(words(ranking)).toContain("1. Tam Wai Ho: 90\n2. Ng Pui Shan: 82\n");
    expect(block(ranking, "chart").xAxis.slice(0, 2)).toEqual(["Tam Wai Ho", "Ng Pui Shan"]);
    expect(block(ranking, "table").rows[0]?.cells).toEqual(["Tam Wai Ho", 90]);
    const trend = await conversation().says("1A班历次考试的趋势");
    expect(block(trend, "chart")).toMatchObject({
      variant: "line",
      xAxis: ["Unit 4 Test", "Unit 5 Test"],
      series: [{ name: "Form 1A", data: [72, 74.2] }],
    });
    const student = await conversation().says("How is Au Ka Yan doing?");
    expect(words(student)).toContain("Unit 5 Test: 58 of 100");
  });
});

describe("tables", () => {
  test("a trend by month under Chinese headers", async () => {
    const page = await conversation(withTables()).says("销售额按月的趋势");
    expect(block(page, "chart")).toMatchObject({
      variant: "line",
      xAxis: ["2026-01", "2026-02", "2026-03"],
      series: [{ name: "销售额合计", data: [200.5, 260.25, 150] }],
    });
    expect(words(page)).toContain("最高 2026-02（260.25），最低 2026-03（150）");
  });

  test("a ranking, the lowest first, the first two, by a column", async () => {
    const all = await conversation(withTables()).says("按地区给销售额排名");
    expect(block(all, "table").rows.map(({ cells }) => cells)).toEqual([
      ["华东", 320.5],
      ["华北", 230],
      ["华南", 60.25],
    ]);
    const lowest = await conversation(withTables()).says("销售额最低的前2个地区");
    expect(block(lowest, "chart").xAxis).toEqual(["华南", "华北"]);
    // What is cut off is not spoken of.
    expect(words(lowest)).toContain("还有更多");
    expect(words(lowest)).not.toContain("最高");
  });

  test("a summary and a distribution", async () => {
    const summary = await conversation(withTables()).says("summary of the orders data");
    expect(block(summary, "kpi_grid").data.map(({ value }) => value)).toEqual(["4", "550.5", "3.5"]);
    expect(types(summary)).toEqual(["kpi_grid", "markdown", "chart", "chart", "table"]);
    const spread = await conversation(withTables()).says("销售额的分布");
    expect(block(spread, "chart").variant).toBe("distribution");
    expect(words(spread)).toContain("平均 122.15");
    expect(words(spread)).toContain("缺失 1 个值");
  });

  test("a column that does not exist is a data error", async () => {
    const { page, events } = await conversation(withTables()).says("compare revenue by country in orders");
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "column" }]);
  });

  test("a single period is no error; a year leaves the others out", async () => {
    const quarter = await conversation(withTables()).says("按季度看销售额");
    expect(block(quarter, "chart")).toMatchObject({ xAxis: ["2026-Q1"], series: [{ data: [610.75] }] });
    const year = await conversation(withTables()).says("revenue by region in 2025 in orders");
    expect(year.page).not.toBeNull();
    expect(year.blocks.some(({ type }) => type === "chart")).toBe(false);
  });

  test("how many of a column is its sum, how many rows is their count", async () => {
    const units = await conversation(withTables()).says("各产品的数量");
    expect(block(units, "chart")).toMatchObject({ xAxis: ["苹果", "梨", "桃"], series: [{ data: [8, 6, 3] }] });
    const rows = await conversation(withTables()).says("How many orders per region?");
    expect(block(rows, "chart")).toMatchObject({ series: [{ data: [2, 2] }] });
  });

  test("columns alone say which table is meant", async () => {
    const { blueprint } = await conversation(withTables()).says("average revenue by region");
    expect(blueprint?.dataContract.bindings[0]?.paramMapping).toMatchObject({
      dataset: "orders",
      aggregate: [{ function: "mean", column: "revenue" }],
    });
  });
});

describe("refinements", () => {
  test("[F115] a chain: another chart, a block less, a block more, other data; each keeps what was there", async () => {
    const talk = conversation();
    await talk.says("compare 1A and 1B on the last assignment");
    const line = await talk.says("make it a line chart");
    expect(block(line, "chart").variant).toBe("line");
    const less = await talk.says("remove the table");
    expect(types(less)).not.toContain("table");
    const more = await talk.says("add a distribution");
    expect(more.blocks.filter((one) => one.type === "chart")).toMatchObject([
      { variant: "line" },
      { variant: "distribution", series: [{ data: [0, 0, 1, 1, 1, 1, 1] }] },
      { variant: "distribution", series: [{ data: [0, 1, 1, 1, 1, 1, 1] }] },
    ]);
    const other = await talk.says("use the unit 4 test instead");
    expect(block(other, "kpi_grid").data[0]?.value).toBe("72");
    expect(types(other)).toEqual(types(more));
    expect(block(other, "chart").variant).toBe("line");
    expect(other.blueprint?.version).toBe(5);
  });

  test("changes of layout are operations, and write nothing anew", async () => {
    const talk = conversation();
    await talk.says("比较 1A 和 1B 最近一次作业");
    await talk.says("改成饼图");
    expect(talk.model.answers.at(-1)).toMatchObject({
      role: "blueprint",
      answer: { calls: [{ name: "patch_blueprint", arguments: { operations: [{ op: "update_props" }] } }] },
    });
  });

  test("a table by another column, another measure, with one chart more", async () => {
    const talk = conversation(withTables());
    await talk.says("show revenue by month");
    const region = await talk.says("by region instead");
    expect(block(region, "chart")).toMatchObject({ xAxis: ["East", "North"], series: [{ data: [320.5, 230] }] });
    const units = await talk.says("use units instead");
    expect(block(units, "chart").series[0]?.data).toEqual([8, 6]);
    const more = await talk.says("add a pie chart of revenue by product");
    expect(block(more, "chart", 1)).toMatchObject({
      variant: "pie",
      xAxis: ["apple", "pear"],
      series: [{ data: [320.5, 230] }],
    });
  });

  test("after its text was taken off, a page can still be made of other data", async () => {
    const talk = conversation();
    await talk.says("compare 1A and 1B on the last assignment");
    expect(types(await talk.says("remove the text"))).not.toContain("markdown");
    expect(block(await talk.says("use the unit 4 test instead"), "kpi_grid").data[0]?.value).toBe("72");
  });

  test("what was refined passes the check of blueprints without a warning", async () => {
    const library = withTables();
    const { infos } = createDataTools(library.data);
    for (const first of ["compare 1A and 1B", "1A班成绩分布", "销售额按月的趋势", "概括一下销售数据"]) {
      const talk = conversation(library);
      for (const message of [first, "改成柱状图", "加一个分布图", "加上建议", "把图表放到最前面"]) {
        const { blueprint, page } = await talk.says(message);
        const checked = checkBlueprint(blueprint, infos);
        expect([message, checked.ok, checked.ok ? checked.warnings : checked.problems]).toEqual([message, true, []]);
        expect([message, page === null]).toEqual([message, false]);
      }
    }
  });
});

describe("talk", () => {
  test("[F114] answers about the page stand on it", async () => {
    const talk = conversation();
    await talk.says("compare 1A and 1B on the last assignment");
    expect((await talk.says("which class is better?")).chatResponse).toContain("**Form 1A** is ahead: Average 74.2");
    expect((await talk.says("哪个班更差？")).chatResponse).toContain("**Form 1B**靠后");
    expect((await talk.says("what is the median of 1B?")).chatResponse).toContain("70.5");
    expect((await talk.says("who did best?")).chatResponse).toContain("**Ho Sze Wai** is ahead: 91");
  });

  test("[F114] what the page does not speak of is not answered from what it does", async () => {
    const talk = conversation(withTables());
    await talk.says("how did 1A do on the last assignment?");
    expect((await talk.says("what is the median of 1B?")).chatResponse).toContain("no answer");
    const sales = conversation(withTables());
    await sales.says("按地区给销售额排名");
    expect((await sales.says("哪个产品最高？")).chatResponse).toContain("没有找到答案");
    expect((await sales.says("哪个地区最高？")).chatResponse).toContain("**华东**领先");
  });

  test("a table's page answers about its own rows", async () => {
    const talk = conversation(withTables());
    await talk.says("summary of the orders data");
    expect((await talk.says("which region is best?")).chatResponse).toContain("**East** is ahead: total revenue 320.5");
  });

  test("what cannot be planned is named in the refusal, also when it is asked for once more", async () => {
    const { data } = openLibrary();
    const planning = {
      tools: createDataTools(data),
      model: embedded(),
      signal: new AbortController().signal,
      budget: new AgentBudget(ANALYST_LIMITS),
    };
    const order = { prompt: "Write me a sonnet", language: "en", context: {} };
    await expect(endOf(createBlueprint(planning, order))).rejects.toThrow('"Write me a sonnet" needs a real model');
  });

  test("what rules cannot do is said to need a real model", async () => {
    const talk = conversation(withTables());
    expect((await talk.says("预测1A班下学期的成绩")).chatResponse).toContain("OPENAI_API_KEY");
    expect((await talk.says("join orders with 销售 by date")).chatResponse).toContain("OPENAI_API_KEY");
    await talk.says("compare 1A and 1B");
    expect((await talk.says("why is 1A better?")).chatResponse).toContain("OPENAI_API_KEY");
    expect((await talk.says("What is a median?")).chatResponse).toContain("median");
  });
});
