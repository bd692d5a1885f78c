// The tools that the toolsmith's rules can write, as data. A request must match one of the patterns of a template from
// end to end; `{name}` stands for the value of that parameter.

import type { ToolCategory } from "../../protocol/tools/stored-tool.ts";
import { EXPRESSION_CODE } from "./expression-code.ts";

/** How the value of a parameter is read. A record lists the words for each option. */
export type ValueKind = "integer" | "numbers" | "date" | "expression" | "zones" | Readonly<Record<string, string>>;

export type ToolTemplate = {
  readonly name: string;
  readonly category: ToolCategory;
  /** In both languages, with the words of requests, so that a search finds the tool. */
  readonly description: string;
  readonly parameters: Readonly<Record<string, ValueKind>>;
  readonly code: string;
  /** Empty for work that `readWork` reads. */
  readonly requests: readonly string[];
};

export const TOOL_TEMPLATES: readonly ToolTemplate[] = [
  {
    name: "current_time",
    category: "datetime",
    description:
      "The current date and time in time zones: what time is it now. 查询现在时间、当前日期：现在几点、今天几号。",
    parameters: { timezones: "zones" },
    code: String.raw`function run({ timezones }) {
  return timezones.map((timeZone) => {
    const now = new Date();
    const weekday = now.toLocaleDateString("en", { weekday: "short", timeZone });
    return now.toLocaleString("sv-SE", { timeZone }) + " " + weekday + " (" + timeZone + ")";
  }).join(", ");
}`,
    requests: [],
  },
  {
    name: "calculate",
    category: "math",
    description:
      "Computes an expression: add, subtract, multiply, divide, power, root. 计算算式：加减乘除、乘方、开方。",
    parameters: { expression: "expression" },
    code: EXPRESSION_CODE,
    requests: [],
  },
  {
    name: "random_integer",
    category: "math",
    description: "Draws a random whole number between two bounds: random number, dice. 生成随机数、掷骰子。",
    parameters: { min: "integer", max: "integer" },
    code: String.raw`function run({ min, max }) {
  return min + Math.floor(Math.random() * (max - min + 1));
}`,
    requests: [],
  },
  {
    name: "days_between",
    category: "calendar",
    description: "Counts the days between two dates. 两个日期之间有多少天。",
    parameters: { from: "date", to: "date" },
    code: String.raw`function dayOf(date) {
  const day = Date.parse(date + "T00:00:00Z") / 86400000;
  if (new Date(day * 86400000).toISOString().slice(0, 10) !== date) throw new Error("There is no such date. 没有这个日期：" + date);
  return day;
}

function run({ from, to }) {
  return dayOf(to) - dayOf(from);
}`,
    requests: [
      "(?:how many |number of )?days (?:are there |are )?(?:between|from) {from} (?:and|to|until) {to}",
      "从?{from}[到和至]{to}(?:之间|一共|相差|有|隔|差)*(?:多少|几)天",
    ],
  },
  {
    name: "is_leap_year",
    category: "calendar",
    description: "Whether a year is a leap year. 判断某年是不是闰年。",
    parameters: { year: "integer" },
    code: String.raw`function run({ year }) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    requests: ["(?:is|was|will) {year} (?:be )?a leap year", "{year}年?是(?:不是|否)?闰年"],
  },
  {
    name: "is_prime",
    category: "math",
    description: "Whether a whole number is prime. 判断一个数是不是质数、素数。",
    parameters: { n: "integer" },
    code: String.raw`function run({ n }) {
  if (n > 1e12) throw new Error("The number is too large. 数太大。");
  for (let factor = 2; factor * factor <= n; factor += 1) if (n % factor === 0) return false;
  return n > 1;
}`,
    requests: ["is {n} (?:a )?prime(?: number)?", "{n} is (?:a )?prime(?: number)?", "{n}是(?:不是|否)?一?个?[质素]数"],
  },
  {
    name: "statistics",
    category: "math",
    description: "A statistic of numbers: mean, median, standard deviation. 平均数、中位数、标准差。",
    parameters: {
      measure: {
        mean: "mean|average|平均[数值]",
        median: "median|中位数",
        standard_deviation: "(?:population )?standard deviation|标准差",
      },
      numbers: "numbers",
    },
    code: String.raw`function run({ measure, numbers }) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const middle = sorted.length / 2;
  const results = {
    mean: mean(sorted),
    median: sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : mean(sorted.slice(middle - 1, middle + 1)),
    standard_deviation: Math.sqrt(mean(sorted.map((value) => (value - mean(sorted)) ** 2))),
  };
  return Number(results[measure].toPrecision(15));
}`,
    requests: [
      "{measure} (?:of|among) (?:the numbers )?{numbers}",
      "{numbers}(?:这[些几]个?数)?[的中]{measure}",
      "{measure}[:：] ?{numbers}",
    ],
  },
];
