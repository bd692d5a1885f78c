// The embedded model in the role of the analyst: filtered rows, correlations of two columns, and missing data.

import { expect, test } from "vitest";
import type { PageBlock } from "../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { startConversation, createSampleLibrary, type AnalystTurn } from "./analyst-conversation.ts";

function getBlock<Type extends PageBlock["type"]>({ blocks }: AnalystTurn, type: Type, at = 0) {
  const found = blocks.filter((candidate): candidate is Extract<PageBlock, { type: Type }> => candidate.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const getText = (turn: AnalystTurn) => getBlock(turn, "markdown").content;

test.each([
  ["对比华东和华北的销售额", ["华东", "华北"], [320.5, 230]],
  ["revenue for East by month", ["2026-01", "2026-02"], [120.5, 200]],
  ["rank products by revenue where units above 3", ["apple", "pear"], [200, 150]],
  ["rank products by revenue excluding pears", ["apple"], [320.5]],
  ["revenue by region for orders of at least 150", ["East", "North"], [200, 150]],
  ["revenue between 100 and 160 by region", ["North", "East"], [150, 120.5]],
  ["数量3以上的销售额按地区", ["华东", "华北"], [320.5, 150]],
  ["各产品的销售额，不含苹果", ["梨", "桃"], [230, 60.25]],
  ["仅桃，按地区对比销售额", ["华南", "华东"], [60.25, null]],
])("filters rows as requested: %s", async (message, xAxis, data) => {
  const page = await startConversation(createSampleLibrary()).send(message);
  expect(getBlock(page, "chart")).toMatchObject({ xAxis, series: [{ data }] });
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test("figures and a distribution can cover a part of the rows", async () => {
  const figures = await startConversation(createSampleLibrary()).send("average revenue in East in orders");
  expect(getBlock(figures, "kpi_grid").data.map(({ value }) => value)).toEqual(["2", "160.25", "4"]);
  const spread = await startConversation(createSampleLibrary()).send("distribution of revenue for North");
  expect(getBlock(spread, "kpi_grid").data[0]?.value).toBe("115");
  expect(getBlock(spread, "chart")).toMatchObject({ variant: "distribution" });
  expect(spread.page?.meta.summary).toContain("region = North");
});

test("a value that no table contains is not ignored", async () => {
  const { action, chatResponse } = await startConversation(createSampleLibrary()).send("revenue for West by month");
  expect(action).toBe("chat_qa");
  expect(chatResponse).toContain("OPENAI_API_KEY");
});

test.each([
  ["correlation of revenue and units", "en", "0.9"],
  ["销售额和数量的相关性", "zh", "0.9"],
])("the correlation of two columns is computed: %s", async (message, language, r) => {
  const page = await startConversation(createSampleLibrary()).send(message, language);
  expect(getBlock(page, "kpi_grid").data[0]?.value.startsWith(r)).toBe(true);
  expect(getText(page)).toContain("r = 0.9");
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test("a text column with a name of time is a grouping", async () => {
  const library = createSampleLibrary();
  library.add("门店", "月份,客流\n一月,300\n一月,210\n二月,320\n");
  const page = await startConversation(library).send("平均客流按月份");
  expect(getBlock(page, "chart")).toMatchObject({ xAxis: ["二月", "一月"], series: [{ data: [320, 255] }] });
  const conversation = startConversation(library);
  const turn = await conversation.send("客流的趋势");
  expect(turn).toMatchObject({ action: "clarify" });
  expect(getBlock(await conversation.send("月份"), "chart").xAxis).toEqual(["一月", "二月"]);
});

test("another dataset can be requested after an unknown one", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("summary of the dataset widgets");
  const { events } = await conversation.send("summary of the dataset gadgets");
  expect(JSON.stringify(events)).toContain("gadgets");
  expect((await conversation.send("summary of the orders data")).page).not.toBeNull();
});

test.each(["top 2 orders by revenue", "the two highest rows of orders by revenue"])(
  "rows themselves are ranked: %s",
  async (message) => {
    const page = await startConversation(createSampleLibrary()).send(message);
    expect(getBlock(page, "table").rows.map(({ cells }) => cells[3])).toEqual([200, 150]);
  },
);

test("numbers in text are rounded", async () => {
  const library = createSampleLibrary();
  library.add("thirds", "kind,amount\na,1\na,1\na,2\nb,9\n");
  const page = await startConversation(library).send("average amount by kind in thirds");
  expect(getText(page)).toContain("(1.33)");
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test.each(["summary of the dataset ordres", "分析库存数据集", "trend of the sails table"])(
  "an unknown dataset is a data error: %s",
  async (message) => {
    const { page, events } = await startConversation(createSampleLibrary()).send(message);
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "dataset" }]);
  },
);
