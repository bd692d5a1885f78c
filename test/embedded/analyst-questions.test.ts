// The embedded model in the role of the analyst: questions of a teacher and a shop about their own tables. It must
// not ignore a part of a question: an answer to another question is worse than none.

import { describe, expect, test } from "vitest";
import type { PageBlock } from "../../src/protocol/pages/page.ts";
import { openLibrary } from "../support/dataset-library.ts";
import { startConversation, type AnalystTurn } from "./analyst-conversation.ts";

const YEAR_3 = [
  "Student ID,Name,Class,Gender,Maths,English,Attendance,House,Grade",
  "0001,Amy Chan,3A,F,88,92,98%,Red,A",
  "0002,Ben Lee,3A,M,95,85,91%,Blue,A",
  "0003,Cara Wong,3A,F,76,,84%,Red,B",
  "0004,Dan Ho,3B,M,59,61,75%,Blue,C",
  "0005,Eve Lam,3B,F,82,98,100%,Green,A",
  "0006,Finn Ng,3B,M,ill,74,89%,Red,B",
  "0007,Gail Yu,3C,F,67,45,92%,Green,C",
].join("\n");
const SALES = [
  "order_id,date,product,region,units,unit_price,revenue",
  "A1,2026-01-03,Tea,North,10,$4.50,$45.00",
  "A2,2026-01-17,Coffee,South,5,$9.00,$45.00",
  "A3,2026-02-02,Tea,South,20,$4.50,$90.00",
  "A4,2026-02-20,Mug,North,2,$12.00,$24.00",
  "A5,2026-03-05,Coffee,East,8,$9.00,$72.00",
  "A8,2025-12-24,Tea,South,30,$4.50,$135.00",
].join("\n");
const SCORES = [
  "学号,姓名,班级,性别,数学,英语",
  "0001,张伟,一班,男,92,79",
  "0002,王芳,一班,女,85,91",
  "0003,刘洋,二班,男,61,55",
  "0004,陈静,二班,女,98,88",
  "0005,杨帆,二班,男,74,69",
].join("\n");
const SCORES_HK = [
  "學號,姓名,班級,性別,數學,英語",
  "0001,張偉,一班,男,92,79",
  "0002,劉洋,二班,男,61,55",
  "0003,陳靜,二班,女,98,88",
].join("\n");
const SHOP = [
  "日期,商品,门店,数量,单价,金额,备注",
  "2026/1/3,绿茶,东门店,10,￥4.50,￥45.00,",
  "2026/1/17,咖啡,西门店,5,￥9.00,￥45.00,",
  "2026/2/2,绿茶,西门店,20,￥4.50,￥90.00,退货",
  "2026/3/5,咖啡,北门店,8,￥9.00,￥72.00,",
].join("\n");
const YEARS = "year,region,revenue\n2024,North,10\n2024,South,20\n2025,North,15\n2025,South,35\n";

function startWithTable(name: string, text: string) {
  const library = openLibrary();
  library.add(name, text);
  return startConversation(library);
}

function findChart({ blocks }: AnalystTurn) {
  return blocks.find((block): block is Extract<PageBlock, { type: "chart" }> => block.type === "chart");
}

const listFigures = ({ blocks }: AnalystTurn) =>
  blocks.flatMap((block) => (block.type === "kpi_grid" ? block.data.map(({ value }) => value) : []));

describe("a question about a table", () => {
  test.each([
    ["各班数学平均分对比", SCORES, ["一班", "二班"], [88.5, 77.6666666667]],
    ["哪个班数学最好", SCORES, ["一班", "二班"], [88.5, 77.6666666667]],
    ["每个班有多少人？", SCORES, ["二班", "一班"], [3, 2]],
    ["一班和二班数学对比", SCORES, ["一班", "二班"], [88.5, 77.6666666667]],
    ["男生和女生的数学平均分对比", SCORES, ["女", "男"], [91.5, 75.6666666667]],
    ["数学最高的两名学生", SCORES, ["陈静", "张伟"], [98, 92]],
    ["数学前三名", SCORES, ["陈静", "张伟", "王芳"], [98, 92, 85]],
    ["男生和女生的英語平均分對比", SCORES_HK, ["女", "男"], [88, 67]],
    ["對比張偉和劉洋的數學", SCORES_HK, ["張偉", "劉洋"], [92, 61]],
    ["各班英语平均分对比", SCORES_HK, ["一班", "二班"], [79, 71.5]],
    ["东门店和西门店的金额对比", SHOP, ["西门店", "东门店"], [135, 45]],
    ["除了东门店以外各门店的金额", SHOP, ["西门店", "北门店"], [135, 72]],
    ["不是东门店的金额，按门店", SHOP, ["西门店", "北门店"], [135, 72]],
    ["没有退货的数量按商品", SHOP, ["咖啡", "绿茶"], [13, 10]],
    ["每个门店的订单数", SHOP, ["西门店", "东门店", "北门店"], [2, 1, 1]],
    ["各店金额排名", SHOP, ["西门店", "北门店", "东门店"], [135, 72, 45]],
    ["哪个商品最便宜", SHOP, ["绿茶", "咖啡"], [4.5, 9]],
    ["哪天金额最高", SHOP, ["2026年1月3日", "2026年1月17日", "2026年2月2日", "2026年3月5日"], [45, 45, 90, 72]],
    ["revenue by region not from the South", SALES, ["East", "North"], [72, 69]],
    ["revenue by product excluding Tea and Mug", SALES, ["Coffee"], [117]],
    ["revenue by product for orders with revenue exactly 45", SALES, ["Coffee", "Tea"], [45, 45]],
    ["which month had the lowest revenue?", SALES, ["2025-12", "2026-01", "2026-02", "2026-03"], [135, 90, 114, 72]],
    ["revenue and units by month", SALES, ["2025-12", "2026-01", "2026-02", "2026-03"], [135, 90, 114, 72]],
    ["cheapest product", SALES, ["Tea", "Coffee", "Mug"], [4.5, 9, 12]],
    ["min revenue by product", SALES, ["Coffee", "Tea", "Mug"], [45, 45, 24]],
    ["which region has the most orders?", SALES, ["South", "North", "East"], [3, 2, 1]],
    ["average English of grade A by class", YEAR_3, ["3B", "3A"], [98, 88.5]],
    ["English by class in Year 3", YEAR_3, ["3A", "3B", "3C"], [88.5, 77.6666666667, 45]],
    ["revenue by region in 2025", YEARS, ["South", "North"], [35, 15]],
  ])("is answered with the named columns and rows: %s", async (message, text, xAxis, data) => {
    const turn = await startWithTable("Year 3", text).send(message);
    expect(findChart(turn)).toMatchObject({ xAxis, series: [{ data }] });
  });

  test.each([
    ["English of Pupil 37", "87"],
    ["the English of Pupil 37", "87"],
  ])("finds one of many names: %s", async (message, mark) => {
    const rows = Array.from({ length: 40 }, (_, i) => `Pupil ${i + 1},${50 + i + 1}`);
    const turn = await startWithTable("class", ["Name,English", ...rows].join("\n")).send(message);
    expect(listFigures(turn)).toEqual(["1", mark]);
  });

  test("about scores is summarized by their means", async () => {
    expect(listFigures(await startWithTable("期中成绩", SCORES).send("总结一下期中成绩"))).toEqual(["5", "82", "76.4"]);
  });

  test("about a standard deviation includes it in the figures", async () => {
    const turn = await startWithTable("sales", SALES).send("standard deviation of revenue");
    expect(listFigures(turn)).toContain("39.95");
  });

  test("with a number but no column refers to the shown column, and a filter can be removed", async () => {
    const conversation = startWithTable("sales", SALES);
    const first = await conversation.send("revenue above 50 by product");
    expect(findChart(first)).toMatchObject({ xAxis: ["Tea", "Coffee"], series: [{ data: [225, 72] }] });
    expect(findChart(await conversation.send("above 80"))).toMatchObject({ xAxis: ["Tea"], series: [{ data: [225] }] });
    expect(findChart(await conversation.send("and 2025?"))?.series[0]?.data).toEqual([135]);
    const all = await conversation.send("without filters");
    expect(findChart(all)?.series[0]?.data).toEqual([270, 117, 24]);
    const none = await conversation.send("above 1000");
    expect(none.blocks.map((block) => ("content" in block ? block.content : ""))).toContain(
      "There is no data for this block.",
    );
  });

  test.each([
    ["amount by kind", "highest a, b (5), lowest c (1)"],
    ["按kind对比amount", "最高 a、b（5），最低 c（1）"],
  ])("names tied values together: %s", async (message, expected) => {
    const { blocks } = await startWithTable("things", "kind,amount\na,5\nb,5\nc,1\n").send(message);
    expect(JSON.stringify(blocks)).toContain(expected);
  });

  test("shows no pie chart for values that are not shares of a whole", async () => {
    const conversation = startWithTable("profits", "name,profit\na,-5\nb,3\n");
    await conversation.send("profit by name");
    expect(findChart(await conversation.send("as a pie chart"))).toMatchObject({
      variant: "bar",
      series: [{ data: [3, -5] }],
    });
    const salesConversation = startWithTable("sales", SALES);
    await salesConversation.send("revenue by product");
    expect(findChart(await salesConversation.send("as a pie chart"))).toMatchObject({ variant: "pie" });
    const classConversation = startConversation();
    await classConversation.send("compare 1A and 1B");
    expect(findChart(await classConversation.send("as a pie chart"))).toMatchObject({ variant: "bar" });
  });

  test("about the other end of a page is answered in chat without a new page", async () => {
    const conversation = startWithTable("sales", SALES);
    await conversation.send("revenue trend by month");
    expect(await conversation.send("and the worst?")).toMatchObject({
      action: "chat",
      chatResponse: expect.stringContaining("**2026-03** is behind: total revenue 72") as string,
    });
  });

  test("about a page is answered with the numbers as shown", async () => {
    const conversation = startWithTable("scores", SCORES);
    await conversation.send("各班数学平均分对比");
    expect((await conversation.send("哪个班最低？")).chatResponse).toContain("77.67；");
  });
});

describe("a question that is not understood completely", () => {
  test.each([
    ["revenue in March 2026", SALES],
    ["March revenue", SALES],
    ["revenue on 2026-01-17", SALES],
    ["revenue since February 2026", SALES],
    ["revenue before 2026", SALES],
    ["revenue last month by region", SALES],
    ["revenue by weekday in each region", SALES],
    ["revenue by product and region", SALES],
    ["top product in each region", SALES],
    ["number of distinct products", SALES],
    ["share of revenue by region", SALES],
    ["90th percentile of revenue", SALES],
    ["orders above $50", SALES],
    ["orders with revenue of $45", SALES],
    ["compare this year and last year by revenue", SALES],
    ["distribution of revenue by region", SALES],
    ["2025年的数学平均", SCORES],
    ["compare boys and girls in English", YEAR_3],
    ["average English of girls", YEAR_3],
    ["what is the pass rate in English?", YEAR_3],
    ["English in class 9Z", YEAR_3],
    ["三月份的金额是多少？", SHOP],
    ["2026年1月的金额", SHOP],
    ["上个月各门店的金额", SHOP],
    ["金额占比按门店", SHOP],
    ["周末和工作日的金额对比", SHOP],
    ["数学不及格的有哪些？", SCORES],
    ["各班数学最高的学生", SCORES],
    ["老师和家长的数学平均分对比", SCORES],
    ["average score by team", "team,score\nx,\ny,\n"],
  ])("is refused: %s", async (message, text) => {
    const { page, chatResponse } = await startWithTable("Year 3", text).send(message);
    expect(page).toBeNull();
    expect(chatResponse).toContain("OPENAI_API_KEY");
  });

  test.each([
    ["average maths by class", YEAR_3, 'Some values of "Maths" are no numbers (ill).'],
    ["who has the highest maths score?", YEAR_3, "upload the file again, or name another column"],
    ["按数学给学生排名", SCORES.replace("98", "免试"), "“数学”含有不是数字的值（免试）"],
  ])(
    "about a column with some text values is not answered from another column: %s",
    async (message, text, expected) => {
      const conversation = startWithTable("Year 3", text);
      const turn = await conversation.send(message);
      expect(turn).toMatchObject({ action: "clarify", page: null });
      expect(turn.chatResponse).toContain(expected);
      const other = await conversation.send(text === YEAR_3 ? "English" : "英语");
      expect(findChart(other)?.title).toMatch(/English|英语/);
    },
  );

  test("about a page is not answered with other figures", async () => {
    const sold = startWithTable("sales", SALES);
    await sold.send("revenue by product");
    expect((await sold.send("how much is Tea in the North?")).chatResponse).toContain("I see no answer to this");
    const conversation = startWithTable("Year 3", SCORES);
    await conversation.send("对比1A和1B");
    expect((await conversation.send("1A有几个人不及格？")).chatResponse).toContain("页面上没有找到答案");
  });
});

test.each([
  ["correlation of x and y", "more than 10,000 rows"],
  ["x和y的相关性", "超过 10,000 行"],
])("a computation over the first rows alone is refused: %s", async (message, expected) => {
  const rows = Array.from({ length: 10_001 }, (_, i) => `${i},${i < 10_000 ? i : -1e9},${i < 9_000 ? "few" : "more"}`);
  const conversation = startWithTable("readings", ["x,y,kind", ...rows].join("\n"));
  const { page, events } = await conversation.send(message);
  expect(page).toBeNull();
  expect(JSON.stringify(events.at(-1))).toContain(expected);
  expect(listFigures(await conversation.send("correlation of x and y for few"))[0]).toBe("1");
});

test("work that was not handed in is listed among the scores of a student", async () => {
  const { blocks } = await startConversation().send("how did Ng Pui Shan do?");
  const [text] = blocks.filter(({ type }) => type === "markdown");
  expect(text).toMatchObject({ content: expect.stringContaining("Essay Writing: not handed in") as string });
});
