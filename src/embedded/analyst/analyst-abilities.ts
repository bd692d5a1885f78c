// The abilities of the analyst rules, with examples. The examples are about the sample classroom and the tables
// `orders` and `fb_logs` of the test. Messages of one conversation are joined by ` → `; `expect` is a part of the answer to
// the last: the values of a chart or of the key figures, or a text.

import type { LocalizedText } from "../../language/detect-language.ts";

export type EmbeddedAbility = {
  readonly name: string;
  readonly description: LocalizedText;
  readonly examples: readonly { readonly request: string; readonly expect: string }[];
};

export const ANALYST_ABILITIES: readonly EmbeddedAbility[] = [
  {
    name: "classes",
    description: {
      en: "Compares two school classes, sums one up, ranks its students or shows the distribution of their scores",
      zh: "对比两个班级，或总结一个班的成绩、给学生排名、看分数分布",
    },
    examples: [
      { request: "Compare 1A and 1B on the last assignment", expect: "Form 1A · Average 74.2, Form 1B · Average 69.5" },
      { request: "对比1A班和1B班最近一次作业的成绩", expect: "Form 1A · 平均值 74.2, Form 1B · 平均值 69.5" },
      { request: "compare 1A and 1B on the Unit 4 Test", expect: "Form 1A · Average 72, Form 1B · Average 70" },
      { request: "which class is better?", expect: "bar Form 1A: Average 74.2" },
      { request: "How did class 1A do on assignment a-001?", expect: "Average 74.2, Median 72, Highest 91, Lowest 58" },
      { request: "分析1A班的成绩分布", expect: "distribution 数量: 0-39 0, 40-49 0, 50-59 1" },
      { request: "rank the students of 1B", expect: "bar Score: Tam Wai Ho 90, Ng Pui Shan 82" },
      { request: "How did my class do on the last test?", expect: "Which class should I look at?" },
      { request: "分析一下班级成绩", expect: "要分析哪个班级？" },
      { request: "compare 1A and 9Z", expect: 'no "9Z" in the classes. There are: Form 1A, Form 1B' },
      { request: "compare 1A and 1B on the Unit 9 Test", expect: 'no "Unit 9" in the classes' },
    ],
  },
  {
    name: "groups",
    description: {
      en: "Counts, totals or averages of a table by a column, also of the rows with a value only",
      zh: "按某列对表格计数、求和或求平均，可只看含某个值的行",
    },
    examples: [
      { request: "Count fb_logs requests by status", expect: "bar rows: 200 2, 404 2, 500 1" },
      { request: "fb_logs requests per path", expect: "bar rows: /a 3, /b 1, /c 1" },
      { request: "how many orders per region?", expect: "bar rows: East 2, North 2" },
      { request: "revenue by region", expect: "bar total revenue: East 320.5, North 230" },
      { request: "average units per product in orders", expect: "bar average units: apple 4, pear 3" },
      { request: "compare East and North by revenue", expect: "bar total revenue: East 320.5, North 230" },
      { request: "revenue by region excluding North", expect: "bar total revenue: East 320.5" },
      { request: "revenue by region as a pie chart", expect: "pie total revenue: East 320.5, North 230" },
      { request: "各地区的销售额", expect: "bar 销售额合计: 华东 320.5, 华北 230, 华南 60.25" },
      { request: "各产品的销售额，不含苹果", expect: "bar 销售额合计: 梨 230, 桃 60.25" },
      { request: "orders by colour", expect: '"orders" has no column or value "colour". Its columns: date, region' },
      { request: "按颜色统计销售额", expect: "“销售”没有“按颜色”这一列或值。列有：日期、地区、产品、销售额、数量。" },
      { request: "revenue of West by product", expect: '"orders" has no column or value "West"' },
      { request: "revenue by product and region", expect: "needs a real model" },
      { request: "share of revenue by region", expect: "needs a real model" },
    ],
  },
  {
    name: "ranking",
    description: { en: "Ranks the rows of a table, or groups of them", zh: "给表格的行或分组排名" },
    examples: [
      {
        request: "top 3 orders by revenue",
        expect: "bar revenue: Feb 11, 2026 200, Mar 1, 2026 150, Jan 5, 2026 120.5",
      },
      { request: "top 3 products by revenue", expect: "bar total revenue: apple 320.5, pear 230" },
      { request: "the lowest units in orders", expect: "bar units: Jan 20, 2026 2" },
      { request: "which path has the most requests in fb_logs?", expect: "bar rows: /a 3" },
      { request: "按地区给销售额排名", expect: "bar 销售额合计: 华东 320.5, 华北 230, 华南 60.25" },
      { request: "top 3 regions in orders", expect: "Which column of" },
      { request: "top product in each region", expect: "needs a real model" },
    ],
  },
  {
    name: "trend",
    description: { en: "Shows numbers by day, week, month, quarter or year", zh: "按日、周、月、季度或年看趋势" },
    examples: [
      { request: "Show the monthly trend of revenue in my orders", expect: "line total revenue: 2026-01 200.5" },
      { request: "which month had the highest revenue?", expect: "total revenue: highest 2026-01 (200.5)" },
      { request: "revenue and units by month", expect: "line total units: 2026-01 5, 2026-02 5, 2026-03 4" },
      { request: "销售额按月的趋势", expect: "line 销售额合计: 2026-01 200.5, 2026-02 260.25, 2026-03 150" },
      { request: "revenue in March 2026", expect: 'no column or value "March 2026"' },
      { request: "predict the revenue of next month", expect: "needs a real model" },
    ],
  },
  {
    name: "overview",
    description: {
      en: "Sums a table up, or shows single totals and averages",
      zh: "概括一个表格，或给出合计、平均等单个指标",
    },
    examples: [
      { request: "summary of the orders data", expect: "rows 4, total revenue 550.5, total units 14" },
      { request: "概括一下销售数据", expect: "行数 6, 销售额合计 610.75, 数量合计 17" },
      { request: "average revenue in East in orders", expect: "rows 2, average revenue 160.25" },
      { request: "总销售额是多少？", expect: "行数 6, 销售额合计 610.75" },
      { request: "Please analyse my data", expect: "Choose a dataset, or name a class." },
      { request: "summary of the dataset widgets", expect: "Which data should I look at?" },
    ],
  },
  {
    name: "page",
    description: {
      en: "Changes a page (another chart, column or value, a block more or less, undo) and answers questions about it",
      zh: "修改页面（换图表、换列、筛选、增减模块、撤销），并回答有关页面的问题",
    },
    examples: [
      { request: "compare 1A and 1B → which class is better?", expect: "**Form 1A** is ahead: Average 74.2" },
      { request: "compare 1A and 1B → 哪个班更差？", expect: "**Form 1B**靠后：Average 69.5" },
      { request: "compare 1A and 1B → what is the median of 1B?", expect: "Median · Form 1B: 70.5" },
      { request: "compare 1A and 1B → why is 1A better?", expect: "OPENAI_API_KEY" },
      { request: "compare 1A and 1B → make it a line chart", expect: "line Form 1A: Average 74.2" },
      { request: "compare 1A and 1B → add a distribution", expect: "distribution Count: 0-39 0, 40-49 1" },
      { request: "compare 1A and 1B → use the unit 4 test instead", expect: "bar Form 1A: Average 72" },
      { request: "compare 1A and 1B → undo", expect: "nothing to take back" },
      { request: "revenue by region → 改成饼图", expect: "pie total revenue: East 320.5, North 230" },
      {
        request: "revenue by month → by region instead → use units instead",
        expect: "bar total units: East 8, North 6",
      },
      { request: "revenue by product → only North → undo", expect: "bar total revenue: apple 320.5, pear 230" },
      { request: "revenue by product → only North → remove the filter", expect: "apple 320.5, pear 230" },
      { request: "revenue by region → by colour instead", expect: '"orders" has no column or value "colour"' },
      { request: "revenue by region → which product is best?", expect: "I see no answer to this on the page" },
      { request: "revenue by region → add a pie chart of units", expect: "I see no answer to this on the page" },
    ],
  },
];
