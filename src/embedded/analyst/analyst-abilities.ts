// The abilities of the analyst rules, with examples about the sample classroom and the tables `orders` and `fb_logs` of
// the test. Messages of one conversation are joined by ` → `; the outcome is a part of the answer to the last: the values
// of a chart or of the key figures, or a text.

import type { Ability } from "../abilities.ts";

export const ANALYST_ABILITIES: readonly Ability[] = [
  {
    description: {
      en: "compare two school classes, or sum one up or show the distribution of their scores",
      zh: "对比两个班级，或总结一个班的成绩、看分数分布",
    },
    examples: [
      ["Compare 1A and 1B on the last assignment", "Form 1A · Average 74.2, Form 1B · Average 69.5"],
      ["对比1A班和1B班最近一次作业的成绩", "Form 1A · 平均值 74.2, Form 1B · 平均值 69.5"],
      ["How did class 1A do on assignment a-001?", "Average 74.2, Median 72, Highest 91, Lowest 58"],
      ["How are the scores of Form 1A distributed?", "distribution Count: 0-39 0, 40-49 0, 50-59 1"],
      ["rank the students of 1B", "needs a real model"],
      ["How did my class do on the last assignment?", "Which class should I look at?"],
      ["分析一下班级成绩", "要分析哪个班级？"],
      ["compare 1A and 9Z", 'no "9Z" in the classes. There are: Form 1A, Form 1B'],
    ],
  },
  {
    description: { en: "count, add up or average a table by a column", zh: "按某列对表格计数、求和或求平均" },
    examples: [
      ["Count fb_logs requests by status", "bar rows: 200 2, 404 2, 500 1"],
      ["how many orders per region?", "bar rows: East 2, North 2"],
      ["revenue by region", "bar total revenue: East 320.5, North 230"],
      ["average units per product in orders", "bar average units: apple 4, pear 3"],
      ["revenue by region as a pie chart", "needs a real model"],
      ["各地区的销售额", "bar 销售额合计: 华东 320.5, 华北 230, 华南 60.25"],
      ["orders by colour", '"orders" has no column or value "colour". Its columns: date, region'],
      ["按颜色统计销售额", "“销售”没有“按颜色”这一列或值。列有：日期、地区、产品、销售额、数量。"],
      ["number of regions in orders", "needs a real model"],
      ["revenue per unit", "needs a real model"],
    ],
  },
  {
    description: { en: "rank the groups of a table", zh: "给表格的分组排名" },
    examples: [
      ["top 1 products by revenue", "bar total revenue: apple 320.5"],
      ["which path has the most requests in fb_logs?", "bar rows: /a 3"],
      ["按地区给销售额排名", "bar 销售额合计: 华东 320.5, 华北 230, 华南 60.25"],
      ["top 3 orders by revenue", "Which column of"],
      ["top product in each region", "needs a real model"],
    ],
  },
  {
    description: { en: "show numbers by day, week, month, quarter or year", zh: "按日、周、月、季度或年看趋势" },
    examples: [
      ["Show the monthly trend of revenue in my orders", "line total revenue: 2026-01 200.5"],
      ["which month had the highest revenue?", "line total revenue: 2026-01 200.5"],
      ["revenue and units by month", "line total units: 2026-01 5, 2026-02 5, 2026-03 4"],
      ["销售额按月的趋势", "line 销售额合计: 2026-01 200.5, 2026-02 260.25, 2026-03 150"],
      ["revenue in March 2026", 'no column or value "March 2026"'],
      ["predict the revenue of next month", "needs a real model"],
    ],
  },
  {
    description: {
      en: "sum a table up, or show single totals and averages",
      zh: "概括一个表格，或给出合计、平均等单个指标",
    },
    examples: [
      ["summary of the orders data", "rows 4, total revenue 550.5, total units 14"],
      ["概括一下销售数据", "行数 6, 销售额合计 610.75, 数量合计 17"],
      ["Please analyse my data", "Choose a dataset, or name a class."],
    ],
  },
  {
    description: {
      en: "change a page (another chart, a block less, undo) and list what it shows",
      zh: "修改页面（换图表、删模块、撤销），并列出页面内容",
    },
    examples: [
      ["compare 1A and 1B → which class is better?", "- **Average**: Form 1A 74.2, Form 1B 69.5"],
      ["compare 1A and 1B → why is 1A better?", "OPENAI_API_KEY"],
      ["compare 1A and 1B → make it a line chart", "line Form 1A: Average 74.2"],
      ["compare 1A and 1B → undo", "nothing to take back"],
      ["revenue by region → 改成饼图", "pie total revenue: East 320.5, North 230"],
      ["revenue by region → remove the table → undo", "bar total revenue: East 320.5, North 230"],
      ["revenue by region → 哪个地区最高？", "- **East**: total revenue 320.5"],
    ],
  },
];
