// Phrasings with several pieces of work, and with recurring work.

import type { CorpusRow } from "./corpus-row.ts";

export const SEVERAL: readonly CorpusRow[] = [
  [
    "首先查询现在时间然后计算678乘以8776的结果",
    { pieces: [["查询现在时间"], ["计算678乘以8776的结果", [0]]], agents: ["chronos", "abacus"] },
  ],
  [
    "告诉我现在时间、生成一个随机数、计算123加456",
    { pieces: [["告诉我现在时间"], ["生成一个随机数"], ["计算123加456"]], agents: ["chronos", "fortuna", "abacus"] },
  ],
  [
    "first tell me the time, then compute 678 times 8776",
    { pieces: [["tell me the time"], ["compute 678 times 8776", [0]]], agents: ["chronos", "abacus"] },
  ],
  [
    "tell me the time, generate a random number and compute 123 plus 456",
    {
      pieces: [["tell me the time"], ["generate a random number"], ["compute 123 plus 456"]],
      agents: ["chronos", "fortuna", "abacus"],
    },
  ],
  [
    "First, get the current time in Tokyo; second, compute 2^10; finally, generate a random number from 1 to 10",
    {
      pieces: [
        ["get the current time in Tokyo"],
        ["compute 2^10", [0]],
        ["generate a random number from 1 to 10", [1]],
      ],
    },
  ],
  ["把“Hello”转成小写并统计字符数", { pieces: [["把“Hello”转成小写"], ["统计字符数", [0]]] }],
  ["reverse abc and uppercase", { pieces: [["reverse abc"], ["uppercase", [0]]] }],
  ["reverse abc and uppercase def", { pieces: [["reverse abc"], ["uppercase def"]] }],
  ["生成两个随机数然后相加", { pieces: [["生成两个随机数"], ["相加", [0]]] }],
  ["先查询时间再计算1+1", { pieces: [["查询时间"], ["计算1+1", [0]]] }],
  ["现在几点，今天几号，678乘以8776等于多少", { pieces: [["现在几点"], ["今天几号"], ["678乘以8776等于多少"]] }],
  ["计算3加4，再把结果乘以2", { pieces: [["计算3加4"], ["把结果乘以2", [0]]], agents: ["abacus", "abacus"] }],
  [
    "compute 3 plus 4, then multiply it by 2",
    { pieces: [["compute 3 plus 4"], ["multiply it by 2", [0]]], agents: ["abacus", "abacus"] },
  ],
  [
    "告诉我现在的时间，并计算12加30，最后把结果翻倍",
    { pieces: [["告诉我现在的时间"], ["计算12加30"], ["把结果翻倍", [1]]] },
  ],
  ["compute 12*3 and tell me the time", { pieces: [["compute 12*3"], ["tell me the time"]] }],
  ["the sum of 3 and 4 and tell me the time", { pieces: [["the sum of 3 and 4"], ["tell me the time"]] }],
  [
    "give me three random numbers between 1 and 6 and their sum",
    {
      pieces: [["give me three random numbers between 1 and 6"], ["their sum", [0]]],
      range: [1, 6],
      count: 3,
      agents: ["fortuna", "abacus"],
    },
  ],
  [
    "roll two dice and multiply the results",
    { pieces: [["roll two dice"], ["multiply the results", [0]]], agents: ["fortuna", "abacus"] },
  ],
  [
    "三个介于1到6之间的随机数，然后把它们加起来",
    { pieces: [["三个介于1到6之间的随机数"], ["把它们加起来", [0]]], agents: ["fortuna", "abacus"] },
  ],
  ["a random number and its square", { pieces: [["a random number"], ["its square", [0]]] }],
  [
    "tell me the time and a random number",
    { pieces: [["tell me the time"], ["tell me a random number"]], agents: ["chronos", "fortuna"] },
  ],
  ["告诉我时间和一个随机数", { pieces: [["告诉我时间"], ["告诉我一个随机数"]], agents: ["chronos", "fortuna"] }],
  ["告诉我现在时间以及678乘以8776的结果", { pieces: [["告诉我现在时间"], ["678乘以8776的结果"]] }],
  ["计算123加456并生成一个随机数", { pieces: [["计算123加456"], ["生成一个随机数"]] }],
  ["计算3乘以4。然后除以2。", { pieces: [["计算3乘以4"], ["除以2", [0]]] }],
  ["生成两个随机数，然后把两个结果相加", { pieces: [["生成两个随机数"], ["把两个结果相加", [0]]] }],
  [
    "compute 12*3 and compute 45/5, then add the two results",
    { pieces: [["compute 12*3"], ["compute 45/5"], ["add the two results", [0, 1]]] },
  ],
  [
    "generate a random number, compute 3+4 and multiply the random number by 2",
    { pieces: [["generate a random number"], ["compute 3+4"], ["multiply the random number by 2", [0]]] },
  ],
  [
    "uppercase 'hello and then bye' and count its words",
    { pieces: [["uppercase 'hello and then bye'"], ["count its words", [0]]], agents: ["scribe", "scribe"] },
  ],
  ["把hello转成大写，再统计字数", { pieces: [["把hello转成大写"], ["统计字数", [0]]], agents: ["scribe", "scribe"] }],
  [
    "roll a die then square the result",
    { pieces: [["roll a die"], ["square the result", [0]]], agents: ["fortuna", "abacus"] },
  ],
  ["掷骰子，然后求它的平方", { pieces: [["掷骰子"], ["求它的平方", [0]]], agents: ["fortuna", "abacus"] }],
  [
    "1. tell me the time\n2. compute 5*6\n3. roll a die",
    { pieces: [["tell me the time"], ["compute 5*6"], ["roll a die"]] },
  ],
  ["1、查询时间 2、计算1+1", { pieces: [["查询时间"], ["计算1+1"]] }],
  ["查询时间；计算1+1", { pieces: [["查询时间"], ["计算1+1"]] }],
  ["What's the time? And 5 + 6?", { pieces: [["What's the time?"], ["5 + 6?"]] }],
  [
    "What is 12 times 34 and the square root of 2",
    { pieces: [["What is 12 times 34 and the square root of 2"]], sums: ["12 * 34", "sqrt(2)"] },
  ],
  ["东京现在几点，伦敦呢", { pieces: [["东京现在几点，伦敦呢"]], zones: ["Asia/Tokyo", "Europe/London"] }],
  ["你好，帮我查一下时间，谢谢", { pieces: [["帮我查一下时间"]], agents: ["chronos"] }],
  ["translate 'what time is it' to French", { pieces: [["translate 'what time is it' to French"]], agents: [null] }],
  ["what's the weather in New York", { agents: ["tempest"] }],
  ["上海今天天气怎么样", { agents: ["tempest"] }],
  ["北京的天气和现在的时间", { pieces: [["北京的天气"], ["现在的时间"]], agents: ["tempest", "chronos"] }],
  ["写一首关于春天的诗", { agents: [null] }],
  ["What is the capital of France?", { agents: [null] }],
];

export const RECURRING: readonly CorpusRow[] = [
  [
    "every 5 minutes tell me the time",
    { schedule: [{ interval_minutes: 5 }, "tell me the time"], agents: ["chronos"] },
  ],
  ["每5分钟告诉我时间", { schedule: [{ interval_minutes: 5 }, "告诉我时间"], agents: ["chronos"] }],
  ["每隔十分钟生成一个随机数", { schedule: [{ interval_minutes: 10 }, "生成一个随机数"] }],
  ["每半小时查询时间", { schedule: [{ interval_minutes: 30 }, "查询时间"] }],
  ["每小时查询时间", { schedule: [{ interval_minutes: 60 }, "查询时间"] }],
  ["每两小时掷一次骰子", { schedule: [{ interval_minutes: 120 }, "掷一次骰子"] }],
  ["tell me the time every hour", { schedule: [{ interval_minutes: 60 }, "tell me the time"] }],
  ["every two hours roll a die", { schedule: [{ interval_minutes: 120 }, "roll a die"] }],
  ["every day at 9 tell me the time", { schedule: [{ daily_time: "09:00" }, "tell me the time"] }],
  ["Tell me the time at 9:15pm daily", { schedule: [{ daily_time: "21:15" }, "Tell me the time"] }],
  [
    "at 9 every day tell me the time in Tokyo",
    { schedule: [{ daily_time: "09:00" }, "tell me the time in Tokyo"], zones: ["Asia/Tokyo"] },
  ],
  ["every morning at 7 roll a die", { schedule: [{ daily_time: "07:00" }, "roll a die"] }],
  ["every evening at 8 tell me the time", { schedule: [{ daily_time: "20:00" }, "tell me the time"] }],
  ["every day at noon tell me the time", { schedule: [{ daily_time: "12:00" }, "tell me the time"] }],
  ["每天早上9点告诉我现在时间", { schedule: [{ daily_time: "09:00" }, "告诉我现在时间"], agents: ["chronos"] }],
  ["每天早上九点，查询现在时间", { schedule: [{ daily_time: "09:00" }, "查询现在时间"] }],
  ["每天下午3点半查询时间", { schedule: [{ daily_time: "15:30" }, "查询时间"] }],
  ["每晚8点报时", { schedule: [{ daily_time: "20:00" }, "报时"], agents: ["chronos"] }],
  ["每天中午告诉我时间", { schedule: [{ daily_time: "12:00" }, "告诉我时间"] }],
  ["每天北京时间9点生成随机数", { schedule: [{ daily_time: "09:00", timezone: "Asia/Shanghai" }, "生成随机数"] }],
  [
    "every day at 9 Tokyo time roll a die",
    { schedule: [{ daily_time: "09:00", timezone: "Asia/Tokyo" }, "roll a die"] },
  ],
  ["weekdays at 18:30 generate a random number", { schedule: [{ cron: "30 18 * * 1-5" }, "generate a random number"] }],
  ["工作日18:30告诉我现在时间", { schedule: [{ cron: "30 18 * * 1-5" }, "告诉我现在时间"] }],
  ["每周一上午8点半计算1+1", { schedule: [{ cron: "30 8 * * 1" }, "计算1+1"] }],
  ["每周一、周四晚上9点报时", { schedule: [{ cron: "0 21 * * 1,4" }, "报时"], pieces: [["报时"]] }],
  [
    "every Monday and Thursday at 8am roll a die",
    { schedule: [{ cron: "0 8 * * 1,4" }, "roll a die"], pieces: [["roll a die"]] },
  ],
  ["on Sundays at 10 tell me the time", { schedule: [{ cron: "0 10 * * 0" }, "tell me the time"] }],
  ["每月1号9点生成一个随机数", { schedule: [{ cron: "0 9 1 * *" }, "生成一个随机数"] }],
  ["every day tell me the time", { schedule: [null, "tell me the time"] }],
  ["每天告诉我时间", { schedule: [null, "告诉我时间"] }],
  ["what time is it on Monday", { schedule: null }],
  ["每个月的销售额", { schedule: null, pieces: [["每个月的销售额"]] }],
  ["show me the revenue for each month", { schedule: null, pieces: [["show me the revenue for each month"]] }],
  ["今天天气怎么样", { schedule: null }],
  ["明天早上9点告诉我时间", { schedule: null }],
  ["统计“每天早上9点”的字数", { schedule: null }],
];
