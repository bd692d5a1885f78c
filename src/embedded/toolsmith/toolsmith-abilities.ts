// The abilities of the toolsmith rules, with examples. An example is a request and its steps: the beginning of
// `tool = result` or `tool ! error`, or `declines` for a sub-task that no template does.

import type { Ability } from "../abilities.ts";

export const TOOLSMITH_ABILITIES: readonly Ability[] = [
  {
    description: { en: "write a tool for each part of a request", zh: "为请求的每个部分写一个工具" },
    examples: [
      ["首先查询现在时间然后计算678乘以8776的结果", "current_time = 20", "calculate = 5950128"],
      ["告诉我现在时间、生成一个随机数、计算123加456", "current_time = 20", "random_integer = ", "calculate = 579"],
      ["Multiply 3 by 4, then write a poem about the sea", "calculate = 12", "declines"],
      ["北京和伦敦现在几点", "current_time = 20"],
      ["告诉我时间，计算1加1，再把结果乘以2", "current_time = 20", "calculate = 2", "calculate = 4"],
      ["97是不是质数", "declines"],
      ["is 1900 a leap year?", "declines"],
      ["2026年1月1日到2026年3月1日之间有多少天", "declines"],
      ["180 cm in feet and inches", "declines"],
      ["what time is it in Gotham City?", "declines"],
      ["写一个计算678乘以8776的程序", "declines"],
      ["再乘以2", "declines"],
      ["把hello转成大写", "declines"],
    ],
  },
  {
    description: { en: "compute and make statistics of numbers", zh: "计算、统计数据" },
    examples: [
      ["2^100", "calculate = 1267650600228229401496703205376"],
      ["0.1+0.2", "calculate = 0.3"],
      ["square root of 2", "calculate = 1.4142135623731"],
      ["-2^2", "calculate = -4"],
      ["5除以0", "calculate ! Error: Nothing can be divided by zero."],
      ["median of 3, 5 and 9", "statistics = 5"],
      ["4、8、15、16、23、42 的标准差是多少？", "statistics = 12.315302134607"],
      ["mean absolute deviation of 4, 8, 15", "declines"],
      ["1, 2, mean 3", "declines"],
      ["计算 4、8、15、16、23、42 的标准差", "statistics = 12.315302134607"],
      ["标准差：1, 2, 3, 4", "statistics = 1.11803398874989"],
      ["Compute the standard deviation of 4, 8, 15, 16, 23, 42", "statistics = 12.315302134607"],
    ],
  },
];
