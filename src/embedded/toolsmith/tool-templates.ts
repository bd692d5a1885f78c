// The tools that the toolsmith's rules can write, as data.

import type { ToolCategory } from "../../protocol/tools/stored-tool.ts";
import { EXPRESSION_CODE } from "./expression-code.ts";

/** The kind of value of a parameter; a list contains the options. */
export type ValueKind = "integer" | "numbers" | "expression" | "zones" | readonly string[];

export type ToolTemplate = {
  readonly name: string;
  readonly category: ToolCategory;
  /** In both languages, with the words of requests, so that a search finds the tool. */
  readonly description: string;
  readonly parameters: Readonly<Record<string, ValueKind>>;
  readonly code: string;
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
  },
  {
    name: "calculate",
    category: "math",
    description:
      "Computes an expression: add, subtract, multiply, divide, power, root. 计算算式：加减乘除、乘方、开方。",
    parameters: { expression: "expression" },
    code: EXPRESSION_CODE,
  },
  {
    name: "random_integer",
    category: "math",
    description: "Draws a random whole number between two bounds: random number, dice. 生成随机数、掷骰子。",
    parameters: { min: "integer", max: "integer" },
    code: String.raw`function run({ min, max }) {
  return min + Math.floor(Math.random() * (max - min + 1));
}`,
  },
  {
    name: "statistics",
    category: "math",
    description: "A statistic of numbers: mean, median, standard deviation. 平均数、中位数、标准差。",
    parameters: { measure: ["mean", "median", "standard_deviation"], numbers: "numbers" },
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
  },
];
