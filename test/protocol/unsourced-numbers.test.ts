import { describe, expect, test } from "vitest";
import {
  collectNumberSources,
  findUnsourcedNumbers,
  markNumbers,
} from "../../src/protocol/provenance/number-sources.ts";
import { NumberGate } from "../../src/protocol/provenance/number-gate.ts";
import { getCpuMs } from "../support/cpu-time.ts";
import { calculateStats } from "../../src/datasets/score-statistics.ts";
import { SCORES } from "../agents/analyst/classroom.ts";

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
const sources = collectNumberSources(DATA, "Who is under 55?");
const findUnsourced = (text: string) => findUnsourcedNumbers(text, sources).map(({ raw }) => raw);

describe("[F112] a number from a tool or the request has a source", () => {
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
    expect(findUnsourced(text)).toEqual([]);
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
    expect(findUnsourced(text)).toEqual([]);
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
    ["88.8 percent passed.", ["88.8 percent"]],
    ["Revenue was 1,234,568.91.", ["1,234,568.91"]],
    ["Revenue was 1.4 million.", ["1.4 million"]],
    ["Sales: 35k.", ["35k"]],
    ["Scores range 57-91.", ["57"]],
    ["Scores: 58,85,73", ["73"]],
    ["A share of 81.25.", ["81.25"]],
    ["平均分是七十五点二。", ["七十五点二"]],
    ["最高分九十九分。", ["九十九"]],
    ["销售额约4万。", ["4万"]],
    ["及格率88％。", ["88％"]],
    ["共有36人。", ["36"]],
    ["Ninety-nine students.", ["Ninety-nine"]],
    ["two hundred students", ["two hundred"]],
    ["99 and 99 and 98", ["99", "99", "98"]],
    ["**77**, `66.6`, |44|", ["77", "66.6", "44"]],
    ["n=77; x>33.3", ["77", "33.3"]],
    ["The mean rose by 12.5 points to 86.7.", ["12.5", "86.7"]],
    ["It weighs 47kg.", ["47"]],
    ["A total of 1987 orders, up to 2050.", ["1987", "2050"]],
    ["It was (57), USD500 or HK$600.", ["57", "500", "600"]],
    ["销售额3万5千，收入1.2百万，占百分之88。", ["3万5千", "88"]],
    ["742‰ passed; 7.42‰", ["7.42‰"]],
    ["1 234 567,89 or 1\u202f234\u202f999 in all", ["234", "567", "1\u202f234\u202f999"]],
  ])("%s", (text, numbers) => {
    expect(findUnsourced(text)).toEqual(numbers);
  });
});

test("[F112] a unit of the data is a scale: 1.2万 is 1.2 in a column of 万元", () => {
  const inUnits = collectNumberSources({ columns: [{ name: "revenue", unit: "万元" }], rows: [[1_234.5]] });
  expect(findUnsourcedNumbers("收入1,234.5万元", inUnits)).toEqual([]);
  expect(findUnsourcedNumbers("收入1,234.5亿元", inUnits)).toMatchObject([{ raw: "1,234.5亿" }]);
  expect(findUnsourcedNumbers("收入1,234.5万元", collectNumberSources([1_234.5]))).toHaveLength(1);
});

test("[F112] a text counts its lines and list items, and JSON in a text its members", () => {
  const found = (text: string, source: string) => findUnsourcedNumbers(text, collectNumberSources(source)).length;
  expect(found("There are 3 files.", "- a\n- b\n- c")).toBe(0);
  expect(found("There are 4 files.", "- a\n- b\n- c")).toBe(1);
  expect(found("There are 3 values, the first 100.", "[100,200,300]")).toBe(0);
});

describe("[F112] a streamed text passes the gate", () => {
  const TEXT =
    "It went well. The average is 74.2, the total 999,999.99! On 2026-11-02 at 12:30 it was No. 5.\n\n| n | 88.8% |\n共有3万5千人。没有了";
  const MARKED =
    "It went well. The average is 74.2, the total 999,999.99 (unverified)! On 2026-11-02 at 12:30 it was No. 5.\n\n| n | 88.8% (unverified) |\n共有3万5千 (unverified)人。没有了";
  const stream = (mark: string | null, pieces: readonly string[]) => {
    const gate = new NumberGate(sources, mark);
    const shown = pieces.map((piece) => gate.feed(piece));
    return { shown: [...shown, gate.flush()], numbers: gate.unsourced.map(({ raw }) => raw) };
  };

  test("with marks at numbers without a source, wherever it is cut", () => {
    for (let at = 0; at <= TEXT.length; at++)
      expect(stream(" (unverified)", [TEXT.slice(0, at), TEXT.slice(at)]).shown.join("")).toBe(MARKED);
    const { shown, numbers } = stream(" (unverified)", [...TEXT]);
    expect(shown.join("")).toBe(MARKED);
    expect(numbers).toEqual(["999,999.99", "88.8%", "3万5千"]);
    expect(markNumbers(TEXT, findUnsourcedNumbers(TEXT, sources), " (unverified)")).toBe(MARKED);
  });

  test("without a mark as far as the first sentence with such a number, however it is cut", () => {
    for (let at = 0; at <= TEXT.length; at++) {
      const shown = stream(null, [TEXT.slice(0, at), TEXT.slice(at)]).shown.join("");
      expect(TEXT.slice(0, TEXT.indexOf("74.2")).startsWith(shown) && shown.startsWith("It went well. ")).toBe(true);
    }
    expect(stream(null, [...TEXT]).numbers).toEqual(["999,999.99", "88.8%", "3万5千"]);
  });

  test("at once as long as a sentence has no number", () => {
    const words = ["The", " weather", " is", " fine", ", and", " nothing", " happened"];
    expect(stream(null, words).shown).toEqual([...words, ""]);
    expect(stream(null, ["The ", "mean is ", "74.2", " or so", ". ", "Good"]).shown).toEqual([
      "The ",
      "mean is ",
      "",
      "",
      "",
      "74.2 or so. Good",
      "",
    ]);
  });

  test("in time that grows with its length", () => {
    const from = getCpuMs();
    const { shown } = stream(
      null,
      Array.from({ length: 20_000 }, () => "no end 74.2 "),
    );
    expect(shown.join("")).toBe("no end 74.2 ".repeat(20_000));
    expect(getCpuMs() - from).toBeLessThan(6_000);
  });
});

test("collectNumberSources reads 100,000 values in less than 2 s", () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => ({ id: i, value: i / 7 }));
  const from = getCpuMs();
  const many = collectNumberSources(rows);
  expect(findUnsourcedNumbers("100,000 rows, the last 14285.57, and 99999.5", many)).toMatchObject([
    { raw: "99999.5" },
  ]);
  expect(getCpuMs() - from).toBeLessThan(2_000);
});

test("findUnsourcedNumbers reads long repetitive text in less than 3 s", () => {
  const from = getCpuMs();
  for (const piece of ["9", "9,", "a1-", "第", "(", "一", "one ", "9.", "> ", " "])
    findUnsourcedNumbers(piece.repeat(20_000), sources);
  expect(getCpuMs() - from).toBeLessThan(3_000);
});
