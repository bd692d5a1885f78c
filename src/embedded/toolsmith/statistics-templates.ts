// Tools over a list of numbers.

import { EXACT_CODE } from "./exact-code.ts";
import { LIST_RESULT, EXACT_RESULT, NUMBERS_SCHEMA, createParameters, type ToolTemplate } from "./tool-template.ts";
import { readNumbersAsList, type SubtaskWords } from "./subtask-words.ts";

const SORT_CODE = String.raw`function sorted(numbers) {
  return numbers.map(Number).sort((a, b) => a - b);
}

`;
/** The exact spread of numbers. */
const SPREAD_CODE = `${EXACT_CODE}// The sum of the squared distances from the mean, as a fraction.
function spread(numbers) {
  const fractions = numbers.map(exact);
  const bottom = fractions.reduce((most, [, under]) => (under > most ? under : most), 1n);
  const tops = fractions.map(([top, under]) => top * (bottom / under));
  const count = BigInt(numbers.length);
  const sum = tops.reduce((total, top) => total + top, 0n);
  const squares = tops.reduce((total, top) => total + top * top, 0n);
  return [count * squares - sum * sum, count * bottom * bottom];
}

`;

function createStatistic(
  name: string,
  zh: string,
  en: string,
  description: string,
  requestPattern: RegExp,
  code: string,
  returns: ToolTemplate["returns"] = EXACT_RESULT,
): ToolTemplate {
  return {
    name,
    description,
    category: "math",
    parameters: createParameters({ numbers: NUMBERS_SCHEMA }),
    returns,
    code,
    requestPattern,
    parseArgs: readNumberList,
    title: { zh, en },
  };
}

/** Returns the numbers of the words as a list. */
export function readNumberList(words: SubtaskWords) {
  const numbers = readNumbersAsList(words);
  return numbers.length < 2 ? null : { numbers };
}

export const STATISTICS_TEMPLATES: readonly ToolTemplate[] = [
  createStatistic(
    "median",
    "中位数",
    "median",
    "The median of numbers: the middle one. 中位数。",
    /\bmedian\b|中位数|中值/,
    `${SORT_CODE}function run({ numbers }) {
  const list = sorted(numbers);
  const middle = Math.floor(list.length / 2);
  return list.length % 2 === 1 ? list[middle] : (list[middle - 1] + list[middle]) / 2;
}`,
  ),
  createStatistic(
    "mode",
    "众数",
    "mode",
    "The most frequent numbers of a list: mode. 众数：出现次数最多的数。",
    /\bmode\b|众数|most (?:common|frequent) (?:number|value)/,
    `function run({ numbers }) {
  const counts = new Map();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].filter((number) => counts.get(number) === most);
}`,
    LIST_RESULT,
  ),
  createStatistic(
    "standard_deviation",
    "标准差",
    "standard deviation",
    "The standard deviation of numbers, of the whole population. 标准差（总体）。",
    /(?<!sample )(?:standard deviation|\bstd(?:ev| dev)?\b)|(?<!样本)标准差/,
    `${SPREAD_CODE}function run({ numbers }) {
  const [top, bottom] = spread(numbers);
  return Number(Math.sqrt(Number(shown([top, bottom * BigInt(numbers.length)]))).toPrecision(15));
}`,
  ),
  createStatistic(
    "variance",
    "方差",
    "variance",
    "The variance of numbers, of the whole population. 方差（总体）。",
    /(?<!sample )\bvariance\b|(?<!样本)方差/,
    `${SPREAD_CODE}function run({ numbers }) {
  const [top, bottom] = spread(numbers);
  return shown([top, bottom * BigInt(numbers.length)]);
}`,
  ),
  createStatistic(
    "mean",
    "平均值",
    "mean",
    "The mean of numbers: average. 平均值、平均数、均值。",
    /\b(?:mean|average)\b|平均|均值/,
    `${EXACT_CODE}function run({ numbers }) {
  const [sum, under] = numbers.map(exact).reduce(([a, b], [c, d]) => [a * d + c * b, b * d]);
  return shown([sum, under * BigInt(numbers.length)]);
}`,
  ),
  createStatistic(
    "minimum",
    "最小值",
    "minimum",
    "The smallest of numbers: min, minimum, lowest. 最小值：哪个最小。",
    /\b(?:min|minimum|smallest|lowest|smaller|lower)\b|最小(?!公)|较小|更小|比较小/,
    `${SORT_CODE}function run({ numbers }) {
  return sorted(numbers)[0];
}`,
  ),
  createStatistic(
    "maximum",
    "最大值",
    "maximum",
    "The largest of numbers: max, maximum, which is larger, bigger. 最大值：哪个更大、最大。",
    /\b(?:max|maximum|largest|biggest|highest|greatest(?! common)|larger|bigger|greater|higher)\b|最大(?!公)|较大|更大|[哪谁].{0,3}大|比较大/,
    `${SORT_CODE}function run({ numbers }) {
  return sorted(numbers)[numbers.length - 1];
}`,
  ),
  createStatistic(
    "number_range",
    "极差",
    "range",
    "The range of numbers: largest minus smallest. 极差：最大值与最小值之差。",
    /\brange of\b|\bthe range\b|极差|全距/,
    `${EXACT_CODE}${SORT_CODE}function run({ numbers }) {
  const list = sorted(numbers);
  const [a, b] = exact(list[list.length - 1]);
  const [c, d] = exact(list[0]);
  return shown([a * d - c * b, b * d]);
}`,
  ),
  {
    ...createStatistic(
      "sort_numbers",
      "排序",
      "sorted",
      "Sorts numbers, ascending or descending. 数字排序：从小到大、从大到小。",
      /\bsort(?:ed|ing)?\b|ascending|descending|in order|order (?:these|the)|排序|从[小大高低]到[大小低高]|升序|降序|排列/,
      `${SORT_CODE}function run({ numbers, descending }) {
  const list = sorted(numbers);
  return descending ? list.reverse() : list;
}`,
      LIST_RESULT,
    ),
    parameters: createParameters({
      numbers: NUMBERS_SCHEMA,
      descending: { type: "boolean", description: "From large to small 从大到小" },
    }),
    parseArgs: readSorting,
  },
];

function readSorting(words: SubtaskWords) {
  const { said, numbers } = words;
  const isAsked = /\bsort|ascending|descending|in order|排序|从[小大高低]到[大小低高]|升序|降序|排列/.test(said);
  const isText =
    words.quoted.some((part) => /[a-z\u4e00-\u9fff]/i.test(part)) ||
    /lines?|words?|names?|letters?|alphabet|字母|单词|行/.test(said);
  if (!isAsked || isText || numbers.length < 2) return null;
  const numbersOnly = readNumbersAsList(words);
  return {
    numbers: numbersOnly,
    descending: /descend|从[大高]到[小低]|降序|largest first|倒序|high(?:est)? to low|large(?:st)? to small/.test(said),
  };
}
