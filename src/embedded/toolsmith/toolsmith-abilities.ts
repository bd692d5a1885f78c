// The abilities of the toolsmith rules, with examples. An example is a request and its steps: the beginning of
// `tool = result` or `tool ! error`, or `declines` for a sub-task that no template does.

import type { Ability } from "../abilities.ts";

export const TOOLSMITH_ABILITIES: readonly Ability[] = [
  {
    name: "tools",
    description: { en: "write a tool for each part of a request", zh: "为请求的每个部分写一个工具" },
    examples: [
      ["首先查询现在时间然后计算678乘以8776的结果", "current_time = 20", "calculate = 5950128"],
      ["告诉我现在时间、生成一个随机数、计算123加456", "current_time = 20", "random_integer = ", "calculate = 579"],
      ["Multiply 3 by 4, then write a poem about the sea", "calculate = 12", "declines"],
      ["告诉我时间，计算1加1，再把结果乘以2", "current_time = 20", "calculate = 2", "calculate = 4"],
      ["is 17 greater than 4?", "declines"],
      ["180 cm in feet and inches", "declines"],
      ["what time is it in Gotham City?", "declines"],
      ["写一个计算678乘以8776的程序", "declines"],
      ["再乘以2", "declines"],
      ["把hello转成大写", "declines"],
    ],
  },
  {
    name: "math",
    description: { en: "compute and make statistics of numbers", zh: "计算、统计数据" },
    examples: [
      ["2^100", "calculate = 1267650600228229401496703205376"],
      ["0.1+0.2", "calculate = 0.3"],
      ["square root of 2", "calculate = 1.4142135623731"],
      ["-2^2", "calculate = -4"],
      ["5除以0", "calculate ! Error: Nothing can be divided by zero."],
      ["median of 3, 5 and 9", "statistics = 5"],
      ["标准差：1, 2, 3, 4", "statistics = 1.11803398874989"],
      ["Compute the standard deviation of 4, 8, 15, 16, 23, 42", "statistics = 12.315302134607"],
      ["97是不是质数", "is_prime = true"],
      ["is 91 prime?", "is_prime = false"],
    ],
  },
  {
    name: "calendar",
    description: { en: "tell the time and count days", zh: "查询时间，计算天数" },
    examples: [
      ["北京和伦敦现在几点", "current_time = 20"],
      ["how many weekdays between 2026-03-01 and 2026-03-31", "declines"],
      ["2026年1月1日到2026年3月1日之间有多少天", "days_between = 59"],
      ["how many days between 2026-02-01 and 2026-02-30", "days_between ! Error: There is no such date."],
      ["2024年是闰年吗", "is_leap_year = true"],
      ["is 1900 a leap year?", "is_leap_year = false"],
    ],
  },
];
