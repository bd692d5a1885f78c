// What people ask the toolsmith for, and what has to come of it.

import { NUMBERS, SUMS } from "./toolsmith-corpus-math.ts";
import { SEVERAL } from "./toolsmith-corpus-several.ts";
import { TEXT } from "./toolsmith-corpus-text.ts";
import { CLOCK, DAYS } from "./toolsmith-corpus-time.ts";

/** The request, and for each of its sub-tasks in order `category/tool arguments = result`. */
export type Row = readonly [request: string, ...steps: readonly string[]];

export const CORPUS: readonly Row[] = [...CLOCK, ...DAYS, ...SUMS, ...NUMBERS, ...TEXT, ...SEVERAL];

/** Beyond ordinary tools, or not complete: to be refused, and never to be answered with something else. */
export const REFUSED: readonly string[] = [
  "What is 255 in binary and in hexadecimal?",
  "Greatest common divisor of 84 and 126, and their least common multiple",
  "写一首诗",
  "write a poem about 3 plus 4",
  "翻译 hello 成法语",
  "翻译“现在几点”",
  "用英语说“你好”",
  "what is the capital of France?",
  "今天天气怎么样",
  "what's the weather in Paris at 3pm",
  "what time is it in Gotham City?",
  "how many weeks are there between 2026-01-01 and 2026-03-01",
  "2028年春节还有多少天",
  "1到10的平均值",
  "1到10的和",
  "从1加到100等于多少",
  "sum of numbers from 1 to 100",
  "sum of the digits of 123",
  "sample standard deviation of 1, 2, 3, 4",
  "从苹果、香蕉、橘子里随机选一个",
  "pick one of red, green, blue at random",
  "北京和纽约的时差是多少",
  "是闰年吗",
  "what time will it be in 3 hours",
  "两周后的周五是几号",
  "如果今天是周一，明天是周几",
  "三小时后是几点",
  "今天是今年的第几天",
  "100的因数有哪些",
  "2x + 3 = 7",
  "解方程 x+3=5",
  "solve x^2 - 4 = 0",
  "求 x^2 的导数",
  "prove that 2+2=4",
  "为什么1+1=2",
  "explain 15% of 80",
  "写一个计算678乘以8776的程序",
  "给我讲个笑话",
  "tell me a joke about 3 numbers",
  "100美元等于多少人民币",
  "convert 100 USD to EUR",
  "北京到上海多远",
  "设置一个明天早上8点的闹钟",
  "send an email to bob@example.com",
  "read my emails",
  "打开文件 a.txt",
  "fetch https://example.com",
  "把这个文件转成PDF",
  "generate a random password",
  "5个随机小数",
  "推荐一部电影",
  "今天有什么新闻",
  "how many calories in 2 eggs",
  "how many people live in China",
  "谁是2024年奥运会冠军",
  "最大公约数",
  "平均值是多少",
  "排序",
  "提取文本中的邮箱",
  "今天",
  "what is 3",
  "3 +",
];
