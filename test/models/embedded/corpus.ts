// Phrasings and how they must be read. A field that a row does not name is not judged.

import type { ScheduleConfig } from "../../../src/protocol/plan.ts";
import type { Language } from "../../../src/models/embedded/language.ts";
import type { Talk } from "../../../src/models/embedded/small-talk.ts";

/** The work of one piece, and the positions of the pieces that it waits for. */
type Piece = readonly [text: string, after?: readonly number[]];

export type Reading = {
  readonly language?: Language;
  readonly talk?: Talk | null;
  readonly pieces?: readonly Piece[];
  /** Arithmetic as templates: `$last` and `$all(+)` are earlier results. */
  readonly sums?: readonly string[];
  readonly zones?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  readonly count?: number;
  readonly payload?: string | null;
  /** The schedule and the work for one run; null when the text is for a single time. */
  readonly schedule?: readonly [config: ScheduleConfig | null, rest: string] | null;
  /** Agents of the test's cards, one for each piece; null where none fits. */
  readonly agents?: readonly (string | null)[];
  readonly dates?: readonly string[];
};

export type Row = readonly [phrase: string, reading: Reading];

const SMALL_TALK: readonly Row[] = [
  ["你好", { language: "zh", talk: "greeting" }],
  ["您好！", { language: "zh", talk: "greeting" }],
  ["早上好", { talk: "greeting" }],
  ["hello", { language: "en", talk: "greeting" }],
  ["Hi there!", { talk: "greeting" }],
  ["good morning 😀", { talk: "greeting" }],
  ["how are you?", { talk: "wellbeing" }],
  ["最近怎么样？", { talk: "wellbeing" }],
  ["谢谢你", { talk: "thanks" }],
  ["Thanks a lot!", { talk: "thanks" }],
  ["thank you for your help", { talk: "thanks" }],
  ["再见", { talk: "farewell" }],
  ["bye", { talk: "farewell" }],
  ["你是谁？", { language: "zh", talk: "who" }],
  ["你叫什么名字", { talk: "who" }],
  ["who are you", { language: "en", talk: "who" }],
  ["Hi, who are you?", { talk: "who" }],
  ["Are you an AI?", { talk: "who" }],
  ["你能做什么？", { language: "zh", talk: "what" }],
  ["你好，你会什么", { talk: "what" }],
  ["what can you do?", { language: "en", talk: "what" }],
  ["help", { talk: "what" }],
  ["好的", { talk: "agreement" }],
  ["ok", { talk: "agreement" }],
  ["真棒", { talk: "praise" }],
  ["我刚才问了什么？", { talk: "last_question" }],
  ["what did I just ask?", { talk: "last_question" }],
  ["你好，现在几点？", { talk: null, pieces: [["现在几点？"]], agents: ["chronos"] }],
  ["hello, what time is it?", { talk: null, pieces: [["what time is it?"]], agents: ["chronos"] }],
  ["tell me a joke", { talk: null, agents: [null] }],
];

const SUMS: readonly Row[] = [
  ["678乘以8776", { language: "zh", sums: ["678 * 8776"], agents: ["abacus"] }],
  ["123加456", { sums: ["123 + 456"] }],
  ["三百减二十", { sums: ["300 - 20"], agents: ["abacus"] }],
  ["一百二十三加四百五十六等于多少？", { sums: ["123 + 456"] }],
  ["八百零八除以八", { sums: ["808 / 8"] }],
  ["3万加5千", { sums: ["30000 + 5000"] }],
  ["三点五乘以二", { sums: ["3.5 * 2"] }],
  ["计算123加456！", { sums: ["123 + 456"] }],
  ["5的平方", { sums: ["5 ^ 2"] }],
  ["二的平方加三的平方", { sums: ["2 ^ 2 + 3 ^ 2"] }],
  ["2的10次方是多少", { sums: ["2 ^ 10"] }],
  ["16的平方根", { sums: ["sqrt(16)"] }],
  ["根号2", { sums: ["sqrt(2)"] }],
  ["27的立方根", { sums: ["cbrt(27)"] }],
  ["5的阶乘", { sums: ["5!"] }],
  ["100除以7的余数", { sums: ["100 % 7"] }],
  ["80的百分之十五", { sums: ["80 * (15 / 100)"] }],
  ["200的20%是多少", { sums: ["200 * (20 / 100)"] }],
  ["9的三分之一", { sums: ["9 * (1 / 3)"] }],
  ["100的一半", { sums: ["100 / 2"] }],
  ["5的3倍", { sums: ["5 * 3"] }],
  ["3和4的和", { sums: ["3 + 4"] }],
  ["3加4的和乘以2", { sums: ["(3 + 4) * 2"] }],
  ["3加4再乘以2", { sums: ["(3 + 4) * 2"], pieces: [["3加4再乘以2"]] }],
  ["计算 128 除以 4 再加 6", { sums: ["(128 / 4) + 6"] }],
  ["1、2、3的平均值", { sums: ["(1 + 2 + 3) / 3"] }],
  ["（1＋2）×3", { sums: ["(1 + 2) * 3"] }],
  ["10除以3保留两位小数", { sums: ["round(10 / 3, 2)"] }],
  ["负五加三", { sums: ["-5 + 3"] }],
  ["12 times 34", { language: "en", sums: ["12 * 34"], agents: ["abacus"] }],
  ["What is 12 x 34?", { sums: ["12 * 34"] }],
  ["square root of 2", { sums: ["sqrt(2)"], agents: ["abacus"] }],
  ["(1+2)*3", { sums: ["(1 + 2) * 3"] }],
  ["twelve times twenty-one", { sums: ["12 * 21"] }],
  ["two hundred and five minus seven", { sums: ["205 - 7"] }],
  ["15% of 80", { sums: ["(15 / 100) * 80"] }],
  ["how much is 15 percent of 240", { sums: ["(15 / 100) * 240"] }],
  ["half of 7", { sums: ["7 / 2"] }],
  ["two thirds of 90", { sums: ["(2 / 3) * 90"] }],
  ["the sum of 3 and 4", { sums: ["3 + 4"], pieces: [["the sum of 3 and 4"]] }],
  ["the sum of 3 and 4 times 2", { sums: ["(3 + 4) * 2"] }],
  ["subtract 3 from 10", { sums: ["10 - 3"] }],
  ["add 5 to 10", { sums: ["10 + 5"] }],
  ["multiply 6 by 7", { sums: ["6 * 7"] }],
  ["divide 100 by 8", { sums: ["100 / 8"] }],
  ["2 to the power of 10", { sums: ["2 ^ 10"] }],
  ["3 squared plus 4 squared", { sums: ["3 ^ 2 + 4 ^ 2"] }],
  ["10 mod 3", { sums: ["10 % 3"] }],
  ["the remainder when 17 is divided by 5", { sums: ["17 % 5"] }],
  ["average of 1, 2 and 3", { sums: ["(1 + 2 + 3) / 3"] }],
  ["1,234.5 * 2", { sums: ["1234.5 * 2"] }],
  ["10 / 3 rounded to 3 decimal places", { sums: ["round(10 / 3, 3)"] }],
  ["5 factorial", { sums: ["5!"] }],
  ["再乘以2", { sums: ["$last * 2"] }],
  ["and times 2?", { sums: ["$last * 2"] }],
  ["then multiply it by 2", { sums: ["$last * 2"] }],
  ["再把结果乘以2", { sums: ["$last * 2"] }],
  ["结果的平方根", { sums: ["sqrt($last)"] }],
  ["take its square root", { sums: ["sqrt($last)"] }],
  ["把两个结果相加", { sums: ["$all(+)"] }],
  ["add the two results together", { sums: ["$all(+)"] }],
  ["2025-10-01", { sums: [] }],
  ["meet me at 18:30", { sums: [] }],
  ["增加3个成员", { sums: [] }],
  ["how many times did it rain", { sums: [] }],
];

const TIMES_AND_PLACES: readonly Row[] = [
  ["现在几点", { language: "zh", zones: [], agents: ["chronos"] }],
  ["现在是什么时间？", { agents: ["chronos"] }],
  ["东京现在几点？", { zones: ["Asia/Tokyo"], agents: ["chronos"] }],
  ["告诉我纽约的时间", { zones: ["America/New_York"], agents: ["chronos"] }],
  ["北京和伦敦现在几点", { zones: ["Asia/Shanghai", "Europe/London"], pieces: [["北京和伦敦现在几点"]] }],
  ["今天几号", { agents: ["chronos"] }],
  ["今天星期几？", { agents: ["chronos"] }],
  ["what time is it?", { language: "en", zones: [], agents: ["chronos"] }],
  ["What time is it in Tokyo?", { zones: ["Asia/Tokyo"], agents: ["chronos"] }],
  [
    "time in Tokyo and New York",
    { zones: ["Asia/Tokyo", "America/New_York"], pieces: [["time in Tokyo and New York"]] },
  ],
  ["current time in São Paulo or Sao Paulo", { zones: ["America/Sao_Paulo"] }],
  ["what's the time in Asia/Kathmandu", { zones: ["Asia/Kathmandu"] }],
  ["what day is it today", { agents: ["chronos"] }],
  ["What's today's date?", { agents: ["chronos"] }],
  ["how much time do I need to learn the piano", { agents: [null] }],
  ["给我几点建议", { agents: [null] }],
  ["2026-10-20到2026年12月25日", { dates: ["2026-10-20", "2026-12-25"] }],
  ["from October 20, 2026 to tomorrow", { dates: ["2026-10-20", "2026-11-22"] }],
];

const CHANCE: readonly Row[] = [
  ["生成一个随机数", { language: "zh", count: 1, agents: ["fortuna"] }],
  ["1到100之间的随机数", { range: [1, 100], agents: ["fortuna"], sums: [] }],
  ["给我一个1-6的随机数", { range: [1, 6], agents: ["fortuna"] }],
  ["从十到二十随机选一个数", { range: [10, 20], agents: ["fortuna"] }],
  ["生成3个1到6的随机数", { range: [1, 6], count: 3 }],
  ["不超过50的随机数", { range: [1, 50] }],
  ["掷骰子", { range: [1, 6], agents: ["fortuna"] }],
  ["六位随机数", { range: [100_000, 999_999] }],
  ["generate a random number", { language: "en", count: 1, agents: ["fortuna"] }],
  [
    "random number between 1 and 6",
    { range: [1, 6], pieces: [["random number between 1 and 6"]], agents: ["fortuna"] },
  ],
  ["pick a number from ten to twenty", { range: [10, 20], agents: ["fortuna"] }],
  ["three random numbers", { count: 3 }],
  ["a random number up to 10", { range: [1, 10] }],
  ["roll a die", { range: [1, 6], agents: ["fortuna"] }],
];

const TEXTS: readonly Row[] = [
  ["统计“今天天气很好”的字数", { language: "zh", payload: "今天天气很好", agents: ["scribe"] }],
  [
    "统计字数：今天天气很好，我们去公园",
    { payload: "今天天气很好，我们去公园", pieces: [["统计字数：今天天气很好，我们去公园"]], agents: ["scribe"] },
  ],
  ["今天天气很好有多少个字", { payload: "今天天气很好" }],
  ["统计hello world有几个单词", { payload: "hello world" }],
  ["把hello world转成大写", { payload: "hello world", agents: ["scribe"] }],
  ["将Hello转换为小写", { payload: "Hello" }],
  ["反转 abc", { payload: "abc", agents: ["scribe"] }],
  ["把结果反转", { payload: null }],
  [
    "count the words in hello and goodbye",
    { language: "en", payload: "hello and goodbye", pieces: [["count the words in hello and goodbye"]] },
  ],
  ["How many characters are in foo bar?", { payload: "foo bar", agents: ["scribe"] }],
  ["uppercase hello world", { payload: "hello world", agents: ["scribe"] }],
  ["convert hello to uppercase", { payload: "hello" }],
  ["hello world in uppercase", { payload: "hello world" }],
  ["reverse 'abc def'", { payload: "abc def" }],
  ["How many words are in: the quick, brown fox?", { payload: "the quick, brown fox?" }],
  ["count the words of that", { payload: null }],
  ["Turn hello world into upper case", { payload: "hello world" }],
];

const SEVERAL: readonly Row[] = [
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

const AGAIN_AND_AGAIN: readonly Row[] = [
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
  ["今天天气怎么样", { schedule: null }],
  ["明天早上9点告诉我时间", { schedule: null }],
  ["统计“每天早上9点”的字数", { schedule: null }],
];

export const CORPUS: readonly Row[] = [
  ...SMALL_TALK,
  ...SUMS,
  ...TIMES_AND_PLACES,
  ...CHANCE,
  ...TEXTS,
  ...SEVERAL,
  ...AGAIN_AND_AGAIN,
];
