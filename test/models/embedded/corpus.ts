// Phrasings and how they must be read. A field that a row does not name is not judged.

import type { ScheduleConfig } from "../../../src/protocol/schedule.ts";
import type { Language } from "../../../src/protocol/words/language.ts";
import type { Talk } from "../../../src/models/embedded/small-talk.ts";
import { AGAIN_AND_AGAIN, SEVERAL } from "./corpus-work.ts";

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
  ["-5 + 3", { sums: ["-5 + 3"], pieces: [["-5 + 3"]] }],
  ["what is 5! / 3!", { sums: ["5! / 3!"] }],
  ["8 mod -3", { sums: ["8 % (-3)"] }],
  ["what time is it in UTC+8?", { zones: ["+08:00"], agents: ["chronos"] }],
  ["现在GMT-3:30是几点", { zones: ["-03:30"], agents: ["chronos"] }],
  ["negative five plus 3", { sums: ["-5 + 3"] }],
  ["3 times negative 2", { sums: ["3 * -2"] }],
  ["-3^2", { sums: ["-3 ^ 2"], pieces: [["-3^2"]] }],
  ["-3²", { sums: ["-3 ^ 2"] }],
  ["-1的平方", { sums: ["(-1) ^ 2"] }],
  ["负5的平方", { sums: ["(-5) ^ 2"] }],
  ["-2的4次方", { sums: ["(-2) ^ 4"] }],
  ["2的平方的3次方", { sums: ["(2 ^ 2) ^ 3"] }],
  ["-5的绝对值", { sums: ["abs(-5)"] }],
  ["the square of -3", { sums: ["(-3) ^ 2"] }],
  ["the square of minus three", { sums: ["(-3) ^ 2"] }],
  ["minus three squared", { sums: ["(-3) ^ 2"] }],
  ["what is minus 5 plus 3", { sums: ["-5 + 3"] }],
  ["minus 3", { sums: ["$last - 3"] }],
  ["take its square root minus 3", { sums: ["sqrt($last) - 3"] }],
  ["1.5e3 + 1e-2", { sums: ["1.5e3 + 1e-2"] }],
  ["(1e+40) × 2", { sums: ["(1e+40) * 2"] }],
  ["3和4加起来等于多少", { sums: ["3 + 4"] }],
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
  ["圆周率乘以2", { sums: ["pi * 2"], agents: ["abacus"] }],
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
  ["1+2+3+...+10", { sums: [], agents: [null] }],
  ["1 + 2 + … + 9", { sums: [] }],
  ["what is 2+2...", { sums: ["2 + 2"] }],
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
  [
    "现在几点了？请用北京时间回答。",
    { zones: ["Asia/Shanghai"], pieces: [["现在几点了, 请用北京时间回答"]], agents: ["chronos"] },
  ],
  [
    "What time is it? Please use Tokyo time.",
    { zones: ["Asia/Tokyo"], pieces: [["What time is it, Please use Tokyo time."]], agents: ["chronos"] },
  ],
  ["现在几点？今天星期几？都用东京时间", { pieces: [["现在几点, 都用东京时间"], ["今天星期几, 都用东京时间"]] }],
  ["Use Tokyo time. What is 2+2?", { pieces: [["Use Tokyo time"], ["What is 2+2?"]] }],
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
  ["掷两次骰子", { range: [1, 6], count: 2 }],
  ["roll a die three times", { range: [1, 6], count: 3 }],
  ["随便给我一个数字", { agents: ["fortuna"] }],
  ["把随机数乘以3", { agents: ["abacus"], sums: ["$last * 3"] }],
  ["three random numbers", { count: 3 }],
  ["random integer under 10", { range: [1, 9] }],
  ["小于5的随机数", { range: [1, 4] }],
  ["随机数从负5到5", { range: [-5, 5] }],
  ["a random number from minus five to 5", { range: [-5, 5] }],
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
  ["请统计下面这句话有多少个字：我爱北京天安门", { payload: "我爱北京天安门" }],
  ["Sort these lines:\nb\na", { payload: "b\na", pieces: [["Sort these lines:\nb\na"]] }],
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
  ['count the words: he said "a" and "b"', { payload: 'he said "a" and "b"' }],
  ["用大写写出 hello", { payload: "hello" }],
  ["show hello in uppercase", { payload: "hello" }],
  ["count the words in the quick brown fox", { payload: "the quick brown fox" }],
  ["count the words in the text hello there", { payload: "hello there" }],
  ["uppercase hello world", { payload: "hello world", agents: ["scribe"] }],
  ["convert hello to uppercase", { payload: "hello" }],
  ["hello world in uppercase", { payload: "hello world" }],
  ["reverse 'abc def'", { payload: "abc def" }],
  ["How many words are in: the quick, brown fox?", { payload: "the quick, brown fox?" }],
  ["count the words of that", { payload: null }],
  ["Turn hello world into upper case", { payload: "hello world" }],
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
