// The embedded model as the analyst's: pages that are changed, named, and put back.

import { expect, test } from "vitest";
import type { PageBlock } from "../../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../../src/protocol/assert.ts";
import { conversation, withTables, type Turned } from "./analyst-drive.ts";

function block<Type extends PageBlock["type"]>({ blocks }: Turned, type: Type, at = 0) {
  const found = blocks.filter((one): one is Extract<PageBlock, { type: Type }> => one.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const types = ({ blocks }: Turned) => blocks.map(({ type }) => type);

test("[F115] rows are left out and come back, and so does what was before", async () => {
  const talk = conversation(withTables());
  const first = await talk.says("compare revenue by product in orders");
  const rows = async (message: string) => block(await talk.says(message), "chart").series[0]?.data;
  expect(block(first, "chart").series[0]?.data).toEqual([320.5, 230]);
  expect(await rows("only North")).toEqual([230]);
  expect(await rows("only East")).toEqual([320.5]);
  expect(await rows("units above 3")).toEqual([200]);
  expect(await rows("undo")).toEqual([320.5]);
  expect(await rows("remove the filter")).toEqual([320.5, 230]);
  expect(await rows("make it a pie chart")).toEqual([320.5, 230]);
  expect(block(await talk.says("撤销"), "chart").variant).toBe("bar");
  expect(await rows("back to the original")).toEqual([320.5, 230]);
  expect(await talk.says("undo")).toMatchObject({
    action: "chat",
    chatResponse: expect.stringContaining("Nothing") as string,
  });
});

test("[F115] what is shown first keeps what it is told apart by", async () => {
  const talk = conversation(withTables());
  await talk.says("compare revenue by region in orders");
  await talk.says("by product");
  expect(block(await talk.says("only the top 1"), "chart").xAxis).toEqual(["apple"]);
});

test("[F116] a change that names what is not there changes nothing", async () => {
  const talk = conversation(withTables());
  await talk.says("compare revenue by region in orders");
  for (const message of ["use colour instead", "compare by colour", "by colour instead"]) {
    const { page, events } = await talk.says(message);
    expect([message, page, events.some(({ type }) => type === "DATA_ERROR")]).toEqual([message, null, true]);
  }
  expect(block(await talk.says("make it a pie chart"), "chart")).toMatchObject({
    variant: "pie",
    xAxis: ["East", "North"],
  });
});

test("a block and the page get other titles, which other data leaves alone", async () => {
  const talk = conversation(withTables());
  await talk.says("compare revenue by region in orders");
  expect(block(await talk.says("rename the chart to Money in"), "chart").title).toBe("Money in");
  expect((await talk.says("change the title to My report")).page?.meta.pageTitle).toBe("My report");
  expect((await talk.says("把标题改成“营收”")).page?.meta.pageTitle).toBe("营收");
  const other = await talk.says("by product");
  expect([other.page?.meta.pageTitle, block(other, "chart").title]).toEqual(["营收", "Money in"]);
});

test("classes: another assignment with “and”, one class alone, and one assignment that there is not", async () => {
  const talk = conversation();
  await talk.says("compare 1A and 1B on the last assignment");
  expect(block(await talk.says("and on Unit 4 Test?"), "kpi_grid").data[0]?.value).toBe("72");
  expect(block(await talk.says("just 1A"), "kpi_grid").data[0]).toMatchObject({ label: "Average", value: "72" });
  const { page, events } = await conversation().says("compare 1A and 1B on the Unit 9 Test");
  expect(page).toBeNull();
  expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "assignment" }]);
});

test("advice is asked for in other words, and there is one list of it", async () => {
  const talk = conversation(withTables());
  await talk.says("compare revenue by region in orders");
  expect(types(await talk.says("给点建议")).filter((type) => type === "suggestion_list")).toHaveLength(1);
  expect(types(await talk.says("add suggestions")).filter((type) => type === "suggestion_list")).toHaveLength(1);
});
