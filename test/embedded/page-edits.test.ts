// The embedded model in the role of the analyst: pages that are changed, renamed and restored.

import { expect, test } from "vitest";
import type { PageBlock } from "../../src/protocol/pages/page.ts";
import { ensurePresent } from "../../src/lib/assert.ts";
import { startConversation, createSampleLibrary, type AnalystTurn } from "./analyst-conversation.ts";

function getBlock<Type extends PageBlock["type"]>({ blocks }: AnalystTurn, type: Type, at = 0) {
  const found = blocks.filter((candidate): candidate is Extract<PageBlock, { type: Type }> => candidate.type === type);
  return ensurePresent(found[at], `${type} ${at}`);
}
const listTypes = ({ blocks }: AnalystTurn) => blocks.map(({ type }) => type);

test("[F115] filters can be added and removed, and changes undone", async () => {
  const conversation = startConversation(createSampleLibrary());
  const first = await conversation.send("compare revenue by product in orders");
  const getRows = async (message: string) => getBlock(await conversation.send(message), "chart").series[0]?.data;
  expect(getBlock(first, "chart").series[0]?.data).toEqual([320.5, 230]);
  expect(await getRows("only North")).toEqual([230]);
  expect(await getRows("only East")).toEqual([320.5]);
  expect(await getRows("units above 3")).toEqual([200]);
  expect(await getRows("undo")).toEqual([320.5]);
  expect(await getRows("remove the filter")).toEqual([320.5, 230]);
  expect(await getRows("make it a pie chart")).toEqual([320.5, 230]);
  expect(getBlock(await conversation.send("撤销"), "chart").variant).toBe("bar");
  expect(await getRows("back to the original")).toEqual([320.5, 230]);
  expect(await conversation.send("undo")).toMatchObject({
    action: "chat",
    chatResponse: expect.stringContaining("Nothing") as string,
  });
});

test("[F115] a limit of the rows keeps the grouping", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("compare revenue by region in orders");
  await conversation.send("by product");
  expect(getBlock(await conversation.send("only the top 1"), "chart").xAxis).toEqual(["apple"]);
});

test("[F116] a change that names an unknown column changes nothing", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("compare revenue by region in orders");
  for (const message of ["use colour instead", "compare by colour", "by colour instead"]) {
    const { page, events } = await conversation.send(message);
    expect([message, page, events.some(({ type }) => type === "DATA_ERROR")]).toEqual([message, null, true]);
  }
  expect(getBlock(await conversation.send("make it a pie chart"), "chart")).toMatchObject({
    variant: "pie",
    xAxis: ["East", "North"],
  });
});

test("a block and the page can be renamed, and keep their titles when the data changes", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("compare revenue by region in orders");
  expect(getBlock(await conversation.send("rename the chart to Money in"), "chart").title).toBe("Money in");
  expect((await conversation.send("change the title to My report")).page?.meta.pageTitle).toBe("My report");
  expect((await conversation.send("把标题改成“营收”")).page?.meta.pageTitle).toBe("营收");
  const other = await conversation.send("by product");
  expect([other.page?.meta.pageTitle, getBlock(other, "chart").title]).toEqual(["营收", "Money in"]);
});

test("a page of classes can switch to another assignment or one class, and reports an unknown assignment", async () => {
  const conversation = startConversation();
  await conversation.send("compare 1A and 1B on the last assignment");
  expect(getBlock(await conversation.send("and on Unit 4 Test?"), "kpi_grid").data[0]?.value).toBe("72");
  expect(getBlock(await conversation.send("just 1A"), "kpi_grid").data[0]).toMatchObject({
    label: "Average",
    value: "72",
  });
  const { page, events } = await startConversation().send("compare 1A and 1B on the Unit 9 Test");
  expect(page).toBeNull();
  expect(events.filter(({ type }) => type === "DATA_ERROR")).toMatchObject([{ entity: "assignment" }]);
});

test("advice can be requested in other words, and appears once", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("compare revenue by region in orders");
  expect(listTypes(await conversation.send("给点建议")).filter((type) => type === "suggestion_list")).toHaveLength(1);
  expect(
    listTypes(await conversation.send("add suggestions")).filter((type) => type === "suggestion_list"),
  ).toHaveLength(1);
});
