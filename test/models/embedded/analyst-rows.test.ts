// The embedded model as the analyst's: some rows of a table alone, two columns together, and data that is not there.

import { expect, test } from "vitest";
import type { PageBlock } from "../../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { conversation, withTables, type Turned } from "./analyst-drive.ts";

function block<Type extends PageBlock["type"]>({ blocks }: Turned, type: Type, at = 0) {
  const found = blocks.filter((one): one is Extract<PageBlock, { type: Type }> => one.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const words = (turned: Turned) => block(turned, "markdown").content;

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
])("rows are left out as it is said: %s", async (message, xAxis, data) => {
  const page = await conversation(withTables()).says(message);
  expect(block(page, "chart")).toMatchObject({ xAxis, series: [{ data }] });
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test("figures and a distribution of some rows alone", async () => {
  const figures = await conversation(withTables()).says("average revenue in East in orders");
  expect(block(figures, "kpi_grid").data.map(({ value }) => value)).toEqual(["2", "160.25", "4"]);
  const spread = await conversation(withTables()).says("distribution of revenue for North");
  expect(block(spread, "kpi_grid").data[0]?.value).toBe("115");
  expect(block(spread, "chart")).toMatchObject({ variant: "distribution" });
  expect(spread.page?.meta.summary).toContain("region = North");
});

test("values that no table has are not left away in silence", async () => {
  const { action, chatResponse } = await conversation(withTables()).says("revenue for West by month");
  expect(action).toBe("chat_qa");
  expect(chatResponse).toContain("OPENAI_API_KEY");
});

test.each([
  ["correlation of revenue and units", "en", "0.9"],
  ["销售额和数量的相关性", "zh", "0.9"],
])("how two columns go together: %s", async (message, language, r) => {
  const page = await conversation(withTables()).says(message, language);
  expect(block(page, "kpi_grid").data[0]?.value.startsWith(r)).toBe(true);
  expect(words(page)).toContain("r = 0.9");
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test("a column of texts that is called as a time is told apart by", async () => {
  const library = withTables();
  library.add("门店", "月份,客流\n一月,300\n一月,210\n二月,320\n");
  const page = await conversation(library).says("平均客流按月份");
  expect(block(page, "chart")).toMatchObject({ xAxis: ["二月", "一月"], series: [{ data: [320, 255] }] });
  const talk = conversation(library);
  const asked = await talk.says("客流的趋势");
  expect(asked).toMatchObject({ action: "clarify" });
  expect(block(await talk.says("月份"), "chart").xAxis).toEqual(["一月", "二月"]);
});

test("after a dataset that does not exist, another one is asked for", async () => {
  const talk = conversation(withTables());
  await talk.says("summary of the dataset widgets");
  const { events } = await talk.says("summary of the dataset gadgets");
  expect(JSON.stringify(events)).toContain("gadgets");
  expect((await talk.says("summary of the orders data")).page).not.toBeNull();
});

test.each(["top 2 orders by revenue", "the two highest rows of orders by revenue"])(
  "rows themselves are ranked: %s",
  async (message) => {
    const page = await conversation(withTables()).says(message);
    expect(block(page, "table").rows.map(({ cells }) => cells[3])).toEqual([200, 150]);
  },
);

test("numbers in words are rounded", async () => {
  const library = withTables();
  library.add("thirds", "kind,amount\na,1\na,1\na,2\nb,9\n");
  const page = await conversation(library).says("average amount by kind in thirds");
  expect(words(page)).toContain("(1.33)");
  expect(page.page?.meta.unverifiedNumbers ?? []).toEqual([]);
});

test.each(["summary of the dataset ordres", "分析库存数据集", "trend of the sails table"])(
  "a dataset that does not exist is a data error: %s",
  async (message) => {
    const { page, events } = await conversation(withTables()).says(message);
    expect(page).toBeNull();
    expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "dataset" }]);
  },
);
