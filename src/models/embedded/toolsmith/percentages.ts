// Tools about percentages and interest.

import { readNumber } from "../../../protocol/words/numerals.ts";
import { dividing, EXACT } from "./exact.ts";
import { EXACT_RESULT, exactNumber, integer, math, takes, type Template } from "./template.ts";

/** 八折 leaves 8 tenths, 八五折 8.5; `whole` reads its digits as one number. */
function foldOf(said: string, whole = 0): number {
  const digits = readNumber(said, 0)?.value ?? "";
  return digits.length === 2 && whole === 0 ? Number(digits) / 10 : Number(digits);
}

export const PERCENTAGES: readonly Template[] = [
  math({
    name: "percent_change",
    description:
      "By how many percent a value changes from one number to another: growth, increase, decrease. 变化百分比：增长率、涨幅、下降百分之几。",
    returns: EXACT_RESULT,
    parameters: takes({ from: exactNumber("Before 原来"), to: exactNumber("After 现在") }),
    code: `${EXACT}function run({ from, to }) {
  const [a, b] = exact(from);
  const [c, d] = exact(to);
${dividing("a")}
  return shown([(c * b - a * d) * 100n, a * d]);
}`,
    means: /percent\w* change|change.*percent|growth rate|增长率|变化.*百分/,
    read({ said, numbers: [from, to, ...others] }) {
      const isAsked =
        /(?:percent|%|percentage).{0,12}(?:change|increase|decrease|growth|drop)|(?:change|increase|decrease|growth|grow|drop|rise)\w*.{0,20}(?:percent|%)|增长率|涨幅|跌幅|降幅|增幅|(?:增长|上涨|涨|下降|跌|减少|增加|变化)了?(?:百分之(?:几|多少)|多少百分)/.test(
          said,
        );
      const isGiven = /\d\s*(?:%|percent)/.test(said);
      return isAsked && !isGiven && from !== undefined && to !== undefined && others.length === 0 ? { from, to } : null;
    },
  }),
  math({
    name: "change_by_percent",
    returns: EXACT_RESULT,
    description:
      "A number increased by so many percent, or decreased by a negative one: discount, percent off, markup. 增加或减少百分之几之后：打折、涨价。",
    parameters: takes({ value: exactNumber("The number 数"), percent: exactNumber("Negative to decrease 负数为减少") }),
    code: `${EXACT}function run({ value, percent }) {
  const [a, b] = exact(value);
  const [c, d] = exact(percent);
  return shown([a * (100n * d + c), b * d * 100n]);
}`,
    means: /(?:increase|decrease|change|raise|reduce)\w* by|discount|打折/,
    read({ said, numbers }) {
      const [, off] = /(?<![打第])([一二三四五六七八九]{1,2}|\d(?:\.\d)?)折/.exec(said.replace("打", " ")) ?? [];
      const [, digits, han] = /(\d+(?:\.\d+)?)\s*(?:%|percent)|百分之([零一二三四五六七八九十百]+)/.exec(said) ?? [];
      const isLess = /decreas|reduc|lower|\boff\b|discount|减少|降低|降价|下降|打折|优惠|便宜/.test(said);
      const isMore = /increas|rais|\bmore\b|markup|增加|增长|提高|涨价|上涨|上调|上浮/.test(said);
      if (/多少(?:百分|%)|百分之(?:几|多少)|what percent|how many percent/.test(said)) return null;
      const percent = Number(off === undefined ? (digits ?? readNumber(han ?? "", 0)?.value) : foldOf(off) * 10 - 100);
      const rest = numbers.filter((number) => number !== percent && (off === undefined || number !== foldOf(off, 1)));
      const [value, other] = rest;
      if (Number.isNaN(percent) || value === undefined || other !== undefined) return null;
      if (off === undefined && isLess === isMore) return null;
      return { value, percent: isLess && percent > 0 ? -percent : percent };
    },
  }),
  math({
    name: "what_percent",
    description: "What percentage one number is of another: share, ratio. 一个数是另一个数的百分之几：占比。",
    returns: EXACT_RESULT,
    parameters: takes({ part: exactNumber("部分"), whole: exactNumber("整体") }),
    code: `${EXACT}function run({ part, whole }) {
  const [a, b] = exact(part);
  const [c, d] = exact(whole);
${dividing("c")}
  return shown([a * d * 100n, b * c]);
}`,
    means: /what percent|percentage share|占比|百分之几/,
    read({ said, numbers: [a, b, ...others] }) {
      if (a === undefined || b === undefined || others.length > 0) return null;
      if (/what (?:percent|percentage|%) of/.test(said)) {
        return /^\W*(?:is )?\d/.test(said) || /\d.* is what/.test(said) ? { part: a, whole: b } : { part: b, whole: a };
      }
      return /百分之(?:几|多少)|占比|多少百分比|占.*百分|as a percent/.test(said) ? { part: a, whole: b } : null;
    },
  }),
  math({
    name: "compound_interest",
    description: "What a sum grows to with compound interest, to the cent. 复利：本金按年利率若干年后的本利和。",
    parameters: takes(
      {
        principal: exactNumber("本金"),
        annual_percent: exactNumber("Percent a year 年利率（%）"),
        years: integer("年数"),
        times_per_year: integer("Default 1 每年计息次数"),
      },
      ["times_per_year"],
    ),
    returns: EXACT_RESULT,
    code: `${EXACT}function run({ principal, annual_percent, years, times_per_year = 1 }) {
  const [a, b] = exact(principal);
  const [c, d] = exact(annual_percent);
  const under = 100n * d * BigInt(times_per_year);
  const times = BigInt(years * times_per_year);
  if (times < 0n || times > 2000n) throw new Error("Too many periods. 期数太多。");
  const [top, bottom] = [a * (under + c) ** times, b * under ** times];
  return shown([(top * 200n + bottom) / (bottom * 2n), 100n]);
}`,
    means: /compound|复利/,
    read({ said, numbers }) {
      if (!/复利|compound/.test(said)) return null;
      const percent = /(\d+(?:\.\d+)?)\s*(?:%|percent)|百分之(\d+(?:\.\d+)?)/.exec(said);
      const years = /(\d+)\s*(?:years?|年)/.exec(said);
      const annual = Number(percent?.[1] ?? percent?.[2]);
      const rest = numbers.filter((number) => number !== annual && number !== Number(years?.[1]));
      const times = /monthly|每月|按月/.test(said)
        ? 12
        : /quarterly|每季|按季/.test(said)
          ? 4
          : /daily|每天|每日|按日/.test(said)
            ? 365
            : 1;
      const [principal, other] = rest;
      if (percent === null || years === null || principal === undefined || other !== undefined) return null;
      return {
        principal,
        annual_percent: annual,
        years: Number(years[1]),
        ...(times === 1 ? {} : { times_per_year: times }),
      };
    },
  }),
];
