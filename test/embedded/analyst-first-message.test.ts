// Requests in the first message besides the data: a kind of chart, or a year relative to now.

import { expect, test } from "vitest";
import { parsePieces } from "../../src/embedded/request-pieces.ts";
import { openLibrary } from "../support/dataset-library.ts";
import { startConversation, createSampleLibrary } from "./analyst-conversation.ts";

test.each([
  ["show revenue by region as a pie chart", ["pie"]],
  ["a pie chart of units by product", ["pie"]],
  ["summary of the orders as a donut", ["line", "pie"]],
  ["show revenue by region as a line chart", ["line"]],
  ["monthly revenue as a bar chart", ["bar"]],
  ["revenue by region", ["bar"]],
  ["各地区销售额，做成饼图", ["pie"]],
  ["按地区给销售额排名，画成折线图", ["line"]],
])("[F104] %j is drawn as %j", async (message, variants) => {
  const { blocks } = await startConversation(createSampleLibrary()).send(message);
  expect(blocks.flatMap((block) => (block.type === "chart" ? [block.variant] : []))).toEqual(variants);
});

test("[F105] the chart type of the first request is kept when the data changes", async () => {
  const conversation = startConversation(createSampleLibrary());
  await conversation.send("show revenue by region as a pie chart");
  const { blocks } = await conversation.send("by product instead");
  expect(blocks.find(({ type }) => type === "chart")).toMatchObject({ variant: "pie", xAxis: ["apple", "pear"] });
});

const LAST_YEAR = new Date().getUTCFullYear() - 1;
const createLibrary = () => {
  const open = openLibrary();
  const rows = [`${LAST_YEAR}-03-01,Oslo,5`, `${LAST_YEAR}-04-01,Paris,3`, `${LAST_YEAR + 1}-01-01,Paris,9`];
  open.add("sales", ["date,city,units", ...rows].join("\n"));
  return open;
};

test.each(["which city sold most last year?", `which city sold most in ${LAST_YEAR}?`])(
  "a year of a date column restricts the rows: %s",
  async (message) => {
    const { blocks } = await startConversation(createLibrary()).send(message);
    const chart = blocks.find(({ type }) => type === "chart");
    expect(chart).toMatchObject({ xAxis: ["Oslo", "Paris"], series: [{ data: [5, 3] }] });
  },
);

test.each([
  ["统计销售额,做成图表", ["统计销售额, 做成图表"]],
  ["分析1A班的成绩，然后画成柱状图", ["分析1A班的成绩, 画成柱状图"]],
  ["compute the revenue by city, then make it a pie chart", ["compute the revenue by city, make it a pie chart"]],
  ["show me a chart of sales, and roll a die", ["show me a chart of sales", "roll a die"]],
  ["tell me the time and draw a chart", ["tell me the time", "draw a chart"]],
  ["calculate 3*4 and show it as a chart", ["calculate 3*4", "show it as a chart"]],
  ["分析销售额，写一份报告", ["分析销售额", "写一份报告"]],
])("a request for a presentation is not a separate piece of work: %j", (message, pieces) => {
  expect(parsePieces(message).map(({ text }) => text)).toEqual(pieces);
});
