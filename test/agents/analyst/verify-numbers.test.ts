import { describe, expect, test } from "vitest";
import { collectKnownNumbers, findUnverifiedNumbers } from "../../../src/agents/analyst/execute/verify-numbers.ts";
import { getCpuMs } from "../../support/cpu-time.ts";
import { calculateStats } from "../../../src/datasets/score-statistics.ts";
import { SCORES } from "./classroom.ts";

const DATA = {
  scores: SCORES,
  stats: calculateStats(SCORES),
  difference: { mean: -4.25 },
  passRate: 0.742,
  share: 0.8125,
  revenue: 1_234_567.891,
  sales: 30_210,
  label: "Unit 5 test of 2026-11-02, target 82.5%",
};
const knownNumbers = collectKnownNumbers(DATA, "Who is under 55?");
const findUnverified = (text: string) => findUnverifiedNumbers(text, knownNumbers);

describe("[F112] a number from a tool or the request is verified", () => {
  test.each([
    "The average is 74.2.",
    "The average is 74.20 points.",
    "The average is about 74.",
    "Scores range from 58 to 91.",
    "Scores range 58-91 (58–91, 58~91).",
    "Scores: 58, 85, 72, 91 and 65.",
    "58,85,72",
    "5 students took part.",
    "The standard deviation is 13.7, or 13.70.",
    "The difference is -4.25.",
    "1A lies 4.25 below, so −4.3 or 4.2.",
    "The pass rate is 74.2%, that is 0.742 or 74 %.",
    "74.2 percent passed.",
    "A share of 81.25%, or 81 percent.",
    "Revenue was 1,234,567.89.",
    "Revenue was 1.2 million, or 1.23M.",
    "Sales: 30.2k, 30 thousand.",
    "销售额约3万，即3.02万。",
    "收入约123.5万，即0.01亿。",
    "平均分74.2分，中位数72分。",
    "平均分７４．２，及格率74.2％。",
    "平均分是七十四点二，最高九十一分。",
    "百分之七十四点二的学生及格。",
    "The highest score is ninety-one.",
    "Seventy-two is the median.",
    "Nobody under 55, and 82.5% was the target.",
    "The bands 60-69 and 90-100 hold 1 each.",
    "25th percentile 65, P90 88.6.",
  ])("%s", (text) => {
    expect(findUnverified(text)).toEqual([]);
  });
});

describe("[F112] a numeral that is not a measurement is ignored", () => {
  test.each([
    "1. First\n2. Second\n3) Third",
    "## 2. Findings",
    "(1) one, （2）two",
    "On 2026-11-21 and 21/11/2026, at 14:30.",
    "On 3 November 2026, November 17, 2026 and Nov. 8th.",
    "Since 2019 and in 2024, in the 4th quarter, Q3 2025.",
    "2025年3月18日、11月8日、9号、2024年",
    "The 2nd and 3rd rank; Unit 12, question 33, step 4, top 10, week 6, grade 7.",
    "第3名、第十二题、前10名、第三季度",
    "Class 1A and 3B, a-001, class-hk-f1a, F12, P90, s_17.",
    "Two classes, three ideas, one goal.",
    "两个班，三条建议，一个目标，十分努力，千万不要放弃，百分百投入，几十人，十几名",
    "See https://example.com/2024/99.",
    "三分之二的学生",
  ])("%s", (text) => {
    expect(findUnverified(text)).toEqual([]);
  });
});

describe("[F112] any other number is reported as it is written", () => {
  test.each<[string, string[]]>([
    ["The average is 74.3.", ["74.3"]],
    ["The average is 75.", ["75"]],
    ["The average is 7.42.", ["7.42"]],
    ["The average is 742.", ["742"]],
    ["The average is 74.25.", ["74.25"]],
    ["6 students took part.", ["6"]],
    ["88.8% passed.", ["88.8%"]],
    ["88.8 percent passed.", ["88.8"]],
    ["Revenue was 1,234,568.91.", ["1,234,568.91"]],
    ["Revenue was 1.4 million.", ["1.4"]],
    ["Sales: 35k.", ["35k"]],
    ["Scores range 57-91.", ["57"]],
    ["Scores: 58,85,73", ["73"]],
    ["A share of 81.25.", ["81.25"]],
    ["平均分是七十五点二。", ["七十五点二"]],
    ["最高分九十九分。", ["九十九"]],
    ["销售额约4万。", ["4万"]],
    ["及格率88％。", ["88%"]],
    ["共有36人。", ["36"]],
    ["Ninety-nine students.", ["Ninety-nine"]],
    ["two hundred students", ["two hundred"]],
    ["99 and 99 and 98", ["99", "98"]],
    ["**77**, `66.6`, |44|", ["77", "66.6", "44"]],
    ["n=77; x>33.3", ["77", "33.3"]],
    ["The mean rose by 12.5 points to 86.7.", ["12.5", "86.7"]],
    ["It weighs 47kg.", ["47"]],
  ])("%s", (text, numbers) => {
    expect(findUnverified(text)).toEqual(numbers);
  });
});

test("collectKnownNumbers reads 100,000 values in less than 2 s", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => ({ id: i, value: i / 7 }));
  const from = getCpuMs();
  const many = collectKnownNumbers(rows);
  expect(findUnverifiedNumbers("100,000 rows, the last 14285.57, and 99999.5", many)).toEqual(["99999.5"]);
  expect(getCpuMs() - from).toBeLessThan(2_000);
});

test("findUnverifiedNumbers reads long repetitive text in less than 3 s", () => {
  const from = getCpuMs();
  for (const piece of ["9", "9,", "a1-", "第", "(", "一", "one ", "9.", "> ", " "])
    findUnverifiedNumbers(piece.repeat(20_000), knownNumbers);
  expect(getCpuMs() - from).toBeLessThan(3_000);
});
