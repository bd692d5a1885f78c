// Tools for percentages and interest.

import { createDivisionCheck, EXACT_CODE } from "./exact-code.ts";
import {
  EXACT_RESULT,
  exactNumberSchema,
  integerSchema,
  createMathTemplate,
  createParameters,
  type ToolTemplate,
} from "./tool-template.ts";

const FREQUENCIES: readonly (readonly [number, RegExp])[] = [
  [12, /monthly|每月|按月/],
  [4, /quarterly|每季|按季/],
  [365, /daily|每[天日]|按日/],
];

export const PERCENTAGE_TEMPLATES: readonly ToolTemplate[] = [
  createMathTemplate({
    name: "percent_change",
    description:
      "By how many percent a value changes from one number to another: growth, increase, decrease. 变化百分比：增长率、涨幅、下降百分之几。",
    returns: EXACT_RESULT,
    parameters: createParameters({ from: exactNumberSchema("Before 原来"), to: exactNumberSchema("After 现在") }),
    code: `${EXACT_CODE}function run({ from, to }) {
  const [a, b] = exact(from);
  const [c, d] = exact(to);
${createDivisionCheck("a")}
  return shown([(c * b - a * d) * 100n, a * d]);
}`,
    requestPattern:
      /(?:percent|%).{0,12}(?:change|increase|decrease|growth|drop)|(?:change|increase|decrease|grow|drop|rise|rose|fell).{0,20}(?:percent|%)|增长率|[涨跌降增]幅|(?:增长|涨|下降|跌|减少|增加|变化)了?(?:百分之[几多]|多少百分)/,
    parseArgs({ said, numbers: [from, to, ...others] }) {
      const isGiven = /\d\s*(?:%|percent)/.test(said);
      return !isGiven && from !== undefined && to !== undefined && others.length === 0 ? { from, to } : null;
    },
  }),
  createMathTemplate({
    name: "what_percent",
    description: "What percentage one number is of another: share, ratio. 一个数是另一个数的百分之几：占比。",
    returns: EXACT_RESULT,
    parameters: createParameters({ part: exactNumberSchema("部分"), whole: exactNumberSchema("整体") }),
    code: `${EXACT_CODE}function run({ part, whole }) {
  const [a, b] = exact(part);
  const [c, d] = exact(whole);
${createDivisionCheck("c")}
  return shown([a * d * 100n, b * c]);
}`,
    requestPattern: /what (?:percent|percentage|%) (?:of|is)|百分之[几多]|占比|多少百分比|占.*百分|as a percent/,
    parseArgs({ said, numbers: [a, b, ...others] }) {
      if (a === undefined || b === undefined || others.length > 0) return null;
      const isBackwards = /what \S+ of/.test(said) && !/^\W*(?:is )?\d|\d.* is what/.test(said);
      return isBackwards ? { part: b, whole: a } : { part: a, whole: b };
    },
  }),
  createMathTemplate({
    name: "compound_interest",
    description: "What a sum grows to with compound interest, to the cent. 复利：本金按年利率若干年后的本利和。",
    parameters: createParameters(
      {
        principal: exactNumberSchema("本金"),
        annual_percent: exactNumberSchema("Percent a year 年利率（%）"),
        years: integerSchema("年数"),
        times_per_year: integerSchema("Default 1 每年计息次数"),
      },
      ["times_per_year"],
    ),
    returns: EXACT_RESULT,
    code: `${EXACT_CODE}function run({ principal, annual_percent, years, times_per_year = 1 }) {
  const [a, b] = exact(principal);
  const [c, d] = exact(annual_percent);
  const under = 100n * d * BigInt(times_per_year);
  const times = BigInt(years * times_per_year);
  if (times < 0n || times > 2000n) throw new Error("Too many periods. 期数太多。");
  const [top, bottom] = [a * (under + c) ** times, b * under ** times];
  return shown([(top * 200n + bottom) / (bottom * 2n), 100n]);
}`,
    requestPattern: /复利|compound/,
    parseArgs({ said, numbers }) {
      const percent = Number(/(\d+(?:\.\d+)?)\s*(?:%|percent)/.exec(said)?.[1]);
      const years = Number(/(\d+)\s*(?:years?|年)/.exec(said)?.[1]);
      const [principal, other] = numbers.filter((number) => number !== percent && number !== years);
      const [times_per_year] = FREQUENCIES.find(([, pattern]) => pattern.test(said)) ?? [1];
      if (!(percent > 0) || !(years > 0) || principal === undefined || other !== undefined) return null;
      return { principal, annual_percent: percent, years, ...(times_per_year === 1 ? {} : { times_per_year }) };
    },
  }),
];
