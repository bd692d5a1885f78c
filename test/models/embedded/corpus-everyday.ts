// Phrasings of everyday life: prices, tips, percentages, steps.

import type { Row } from "./corpus.ts";

export const EVERYDAY_SUMS: readonly Row[] = [
  ["what is 250 minus 20%", { sums: ["250 * (1 - 20 / 100)"], agents: ["abacus"] }],
  ["100加10%再加5", { sums: ["(100 * (1 + 10 / 100)) + 5"] }],
  ["5 + 3 - 25%", { sums: ["(5 + 3) * (1 - 25 / 100)"] }],
  ["10% + 5%", { sums: ["(10 / 100) + (5 / 100)"] }],
  ["100 minus 20% of 50", { sums: ["100 - (20 / 100) * 50"] }],
  ["increase 80 by 25%", { sums: ["80 * (1 + 25 / 100)"], agents: ["abacus"] }],
  ["80 increased by 25%", { sums: ["80 * (1 + 25 / 100)"] }],
  ["decrease 200 by 15 percent", { sums: ["200 * (1 - 15 / 100)"] }],
  ["reduce 200 by 15", { sums: ["200 - 15"] }],
  ["100涨10%是多少", { sums: ["100 * (1 + 10 / 100)"] }],
  ["200下降百分之十五", { sums: ["200 * (1 - 15 / 100)"] }],
  ["2/3 of 90", { sums: ["2 / 3 * 90"] }],
  ["what is 3/4 of (80 + 20)?", { sums: ["3 / 4 * (80 + 20)"] }],
  ["300打8折", { sums: ["300 * 0.8"], agents: ["abacus"] }],
  ["三百打八折", { sums: ["300 * 0.8"] }],
  ["一件300块的衣服打八折多少钱", { sums: ["300 * 0.8"], agents: ["abacus"] }],
  ["原价450元打七五折是多少", { sums: ["450 * 0.75"] }],
  ["两件150元的衣服打八折一共多少钱", { sums: [] }],
  ["3/4 + 1/2 of 10", { sums: [] }],
  ["what's 8% sales tax on $250", { sums: ["(8 / 100) * 250"] }],
  ["round (3.5)", { sums: ["round(3.5)"] }],
  ["再打8.5折", { sums: ["$last * 0.85"] }],
  ["再打八折", { sums: ["$last * 0.8"] }],
  ["一波三折的故事", { sums: [] }],
  ["20% off $59.99", { sums: ["59.99 * (1 - 20 / 100)"], agents: ["abacus"] }],
  ["a $120 jacket with 30% off", { sums: ["120 * (1 - 30 / 100)"] }],
  ["15% tip on $48", { sums: ["(15 / 100) * 48"], agents: ["abacus"] }],
  ["what's an 18% tip on a 64.50 bill split 3 ways?", { sums: ["(18 / 100) * 64.50 / 3"] }],
  ["$20 + $35", { sums: ["20 + 35"] }],
  ["start with 10, add 5", { sums: ["10 + 5"], pieces: [["start with 10, add 5"]] }],
  [
    "start with 10, add 5, multiply by 3, subtract 7",
    { pieces: [["start with 10, add 5"], ["multiply by 3", [0]], ["subtract 7", [1]]] },
  ],
  ["从100里减去37", { sums: ["100 - 37"] }],
  ["四舍五入2.567到小数点后1位", { sums: ["round(2.567, 1)"] }],
];

export const EVERYDAY_WORK: readonly Row[] = [
  ["生成两个随机数并求和", { pieces: [["生成两个随机数"], ["求和", [0]]], agents: ["fortuna", "abacus"] }],
  ["give me the average", { sums: ["$all(mean)"] }],
  ["sum both", { sums: ["$all(+)"] }],
  ["first 2*3, second 4*5, third sum both", { pieces: [["2*3"], ["4*5", [0]], ["sum both", [0, 1]]] }],
  ["把“abc”反转、转大写、数一下字符数", { pieces: [["把“abc”反转"], ["转大写", [0]], ["数一下字符数", [1]]] }],
  ["讲个笑话，然后计算2+2", { pieces: [["讲个笑话"], ["计算2+2", [0]]], agents: [null, "abacus"] }],
  ["hello world 转大写", { payload: "hello world", agents: ["scribe"] }],
  ["HELLO转成小写", { payload: "HELLO" }],
  ["hello倒过来怎么写", { payload: "hello" }],
  ["capitalize each word in the old man and the sea", { payload: "the old man and the sea" }],
  ["把 5、3、9、1 从小到大排序", { payload: "5、3、9、1" }],
];

/** On Saturday, 21 November 2026. */
export const EVERYDAY_DAYS: readonly Row[] = [
  ["next Friday is which date?", { dates: ["2026-11-27"] }],
  ["下个星期天是几号", { dates: ["2026-11-29"] }],
  ["what date was last Friday", { dates: ["2026-11-20"] }],
  ["what date was last Sunday", { dates: ["2026-11-15"] }],
  ["上周五是几号", { dates: ["2026-11-13"] }],
  ["这周五是几号", { dates: ["2026-11-20"] }],
  ["下下周五是几号", { dates: [] }],
  ["今天是星期五吗？", { agents: ["chronos"] }],
  ["Is today Sunday?", { agents: ["chronos"] }],
  [
    "工作日18:30提醒我计算2+2",
    { schedule: [{ cron: "30 18 * * 1-5" }, "提醒我计算2+2"], pieces: [["计算2+2"]], agents: ["abacus"] },
  ],
  ["every Monday at 9 remind me to roll a die", { pieces: [["roll a die"]], agents: ["fortuna"] }],
  ["schedule 2+2 daily at 09:00", { pieces: [["2+2"]] }],
  ["每天提醒我喝水", { pieces: [["提醒我喝水"]], agents: [null] }],
];
