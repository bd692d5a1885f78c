// The abilities of the toolsmith rules, with examples. `expect` lists the steps: the beginning of `tool = result` or
// `tool ! error`, or `declines` for a sub-task that no template does.

import type { Ability, AbilityExample } from "../abilities.ts";

const list = (...rows: readonly (readonly [request: string, ...steps: string[]])[]): AbilityExample<string>[] =>
  rows.map(([request, ...steps]) => ({ request, expect: steps.join("\n") }));

export const TOOLSMITH_ABILITIES: readonly Ability<string>[] = [
  {
    name: "tools",
    description: { en: "write a tool for each part of a request", zh: "为请求的每个部分写一个工具" },
    examples: list(
      ["首先查询现在时间然后计算678乘以8776的结果", "current_time = 20", "calculate = 5950128"],
      ["告诉我现在时间、生成一个随机数、计算123加456", "current_time = 20", "random_integer = ", "calculate = 579"],
      ["tell me the time, then compute 678 times 8776", "current_time = 20", "calculate = 5950128"],
      ["Multiply 3 by 4, then write a poem about the sea", "calculate = 12", "declines"],
      ["告诉我时间，计算1加1，再把结果乘以2", "current_time = 20", "calculate = 2", "calculate = 4"],
      ["把hello转成大写，再反转", "change_text = HELLO", "change_text = OLLEH"],
      ["2026年2月有多少天，再乘以24", "days_in_month = 28", "calculate = 672"],
      ["写一首诗", "declines"],
      ["what is the capital of France?", "declines"],
      ["is 17 greater than 4?", "declines"],
      ["180 cm in feet and inches", "declines"],
      ["2026-02-30是星期几", "declines"],
      ["what time is it in Gotham City?", "declines"],
      ["sum of the primes between 1 and 10", "declines"],
      ["写一个计算678乘以8776的程序", "declines"],
      ["convert 100 USD to EUR", "declines"],
      ["what time is 3 hours after 9am", "declines"],
      ["再乘以2", "declines"],
      ["如果今天是周一，明天是周几", "declines"],
      ["1 month before 2026-03-31", "declines"],
    ),
  },
  {
    name: "math",
    description: {
      en: "compute, convert units, and make statistics and sequences of numbers",
      zh: "计算、换算单位、统计数据、列出数列",
    },
    examples: list(
      ["2^100", "calculate = 1267650600228229401496703205376"],
      ["0.1+0.2", "calculate = 0.3"],
      ["(1+2)*3/4", "calculate = 2.25"],
      ["17除以5的余数", "calculate = 2"],
      ["square root of 2", "calculate = 1.4142135623731"],
      ["-2^2", "calculate = -4"],
      ["20的阶乘", "calculate = 2432902008176640000"],
      ["round 2.567 to 2 decimals", "calculate = 2.57"],
      ["5除以0", "calculate ! Error: Nothing can be divided by zero."],
      ["median of 3, 5 and 9", "statistics = 5"],
      ["标准差：1, 2, 3, 4", "statistics = 1.11803398874989"],
      ["mode of 1, 2, 2, 3", "statistics = 2"],
      ["97是不是质数", "is_prime = true"],
      ["is 91 prime?", "is_prime = false"],
      ["fibonacci up to 100", "fibonacci = [0,1,1,2,3,5,8,13,21,34,55,89]"],
      ["斐波那契数列的前6项", "fibonacci = [0,1,1,2,3,5]"],
      ["180 cm in inches", "convert_units = 70.8661417323"],
      ["3公斤是多少磅", "convert_units = 6.61386786555"],
      ["100°F in celsius", "convert_units = 37.7777777778"],
      ["5 km in kg", "convert_units ! Error: These units measure different things."],
      ["掷3个骰子", "random_integer = ["],
    ),
  },
  {
    name: "calendar",
    description: { en: "reckon with dates and tell the time", zh: "推算日期，查询时间" },
    examples: list(
      ["北京和伦敦现在几点", "current_time = 20"],
      ["how many weekdays between 2026-03-01 and 2026-03-31", "days_between = 22"],
      ["2026-01-01到2026-03-01之间有多少个工作日", "days_between = 42"],
      ["how many days between 2026-01-01 and 2026-03-01", "days_between = 59"],
      ["从2020年1月1日到现在过了多少天", "days_between = 2516"],
      ["how many days until christmas", "days_until = "],
      ["2026-10-01是星期几", "describe_date = 2026-10-01 Thursday 星期四"],
      ["明天是几号", "describe_date = 2026-11-22 Sunday 星期日"],
      ["what date is 30 days after 2026-01-31", "describe_date = 2026-03-02 Monday"],
      ["三周后是几号", "describe_date = 2026-12-12 Saturday"],
      ["2024年是闰年吗", "is_leap_year = true"],
      ["is 1900 a leap year?", "is_leap_year = false"],
      ["how many days are in February 2024", "days_in_month = 29"],
    ),
  },
  {
    name: "text",
    description: { en: "count, change and replace text", zh: "统计、改写和替换文本" },
    examples: list(
      ['count the words in "to be or not to be"', "count_text = 6 words, 18 characters, 1 lines"],
      ["统计“你好 world”的字数", "count_text = 3 words, 8 characters, 1 lines"],
      ["capitalize hello world", "change_text = Hello World"],
      ['replace cat with dog in "the cat"', "replace_text = the dog"],
      ["reverse the words in hello world", "declines"],
      ["uppercase every second letter of hello", "declines"],
      ['replace cow with dog in "the cat"', "replace_text ! Error: The text does not contain it."],
    ),
  },
];
