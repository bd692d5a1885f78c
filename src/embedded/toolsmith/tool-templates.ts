// The tools that the toolsmith's rules can write, as data. A request must match one of the patterns of a template from
// end to end; `{name}` stands for the value of that parameter.

import type { ToolCategory } from "../../protocol/tools/stored-tool.ts";
import { EXPRESSION_CODE } from "./expression-code.ts";

/** How the value of a parameter is read. A record lists the words for each option. */
export type ValueKind =
  | "number"
  | "integer"
  | "numbers"
  | "date"
  | "month"
  | "year"
  | "text"
  | "timezone"
  | "zones"
  | Readonly<Record<string, string>>;

export type ToolTemplate = {
  readonly name: string;
  readonly category: ToolCategory;
  /** In both languages, with the words of requests, so that a search finds the tool. */
  readonly description: string;
  readonly parameters: Readonly<Record<string, ValueKind>>;
  readonly optional?: readonly string[];
  readonly code: string;
  /** Empty for work that `readWork` reads. */
  readonly requests: readonly string[];
};

const DATE_CODE = String.raw`function dayOf(date) {
  const day = Date.parse(date + "T00:00:00Z") / 86400000;
  if (new Date(day * 86400000).toISOString().slice(0, 10) !== date) throw new Error("There is no such date. 没有这个日期：" + date);
  return day;
}

`;

/** Unit, dimension, factor to the base unit, offset, and the words for it. */
const UNITS: readonly (readonly [unit: string, dimension: string, factor: number, words: string, offset?: number])[] = [
  ["km", "length", 1000, "kilomet(?:er|re)s?|km|公里|千米"],
  ["cm", "length", 0.01, "centimet(?:er|re)s?|cm|厘米|公分"],
  ["m", "length", 1, "met(?:er|re)s?|m|米"],
  ["mile", "length", 1609.344, "miles?|mi|英里"],
  ["foot", "length", 0.3048, "feet|foot|ft|英尺"],
  ["inch", "length", 0.0254, "inch(?:es)?|英寸"],
  ["kg", "weight", 1000, "kilograms?|kilos?|kg|公斤|千克"],
  ["g", "weight", 1, "grams?|g|克"],
  ["lb", "weight", 453.59237, "pounds?|lbs?|磅"],
  ["oz", "weight", 28.349523125, "ounces?|oz|盎司"],
  ["day", "time", 86400, "days?|天"],
  ["hour", "time", 3600, "hours?|小时"],
  ["minute", "time", 60, "minutes?|分钟"],
  ["second", "time", 1, "seconds?|秒"],
  ["week", "time", 604800, "weeks?|周|星期"],
  ["liter", "volume", 1, "lit(?:er|re)s?|升"],
  ["°C", "temperature", 1, "(?:degrees? )?celsius|°?c|℃|摄氏度?", 273.15],
  ["°F", "temperature", 5 / 9, "(?:degrees? )?fahrenheit|°?f|℉|华氏度?", 459.67],
];
const UNIT_WORDS = Object.fromEntries(UNITS.map(([unit, , , words]) => [unit, words]));

const TEXT_OPERATIONS = ["uppercase", "lowercase", "titlecase", "reverse", "trim", "sort_lines", "unique_lines"];

export const TOOL_TEMPLATES: readonly ToolTemplate[] = [
  {
    name: "current_time",
    category: "datetime",
    description:
      "The current date and time in time zones: what time is it now. 查询现在时间、当前日期：现在几点、今天几号。",
    parameters: { timezones: "zones" },
    code: String.raw`function run({ timezones }) {
  return timezones.map((timeZone) => {
    const now = new Date();
    const weekday = now.toLocaleDateString("en", { weekday: "short", timeZone });
    return now.toLocaleString("sv-SE", { timeZone }) + " " + weekday + " (" + timeZone + ")";
  }).join(", ");
}`,
    requests: [],
  },
  {
    name: "calculate",
    category: "math",
    description:
      "Computes an expression: add, subtract, multiply, divide, power, root. 计算算式：加减乘除、乘方、开方。",
    parameters: { expression: "text" },
    code: EXPRESSION_CODE,
    requests: [],
  },
  {
    name: "random_integer",
    category: "math",
    description: "Draws random whole numbers between two bounds: random number, dice. 生成随机数、掷骰子。",
    parameters: { min: "integer", max: "integer", count: "integer" },
    code: String.raw`function run({ min, max, count }) {
  const numbers = Array.from({ length: count }, () => min + Math.floor(Math.random() * (max - min + 1)));
  return count === 1 ? numbers[0] : numbers;
}`,
    requests: [],
  },
  {
    name: "count_text",
    category: "text",
    description: "Counts the words, characters and lines of a text. 统计文本的字数、词数、字符数和行数。",
    parameters: { text: "text" },
    code: String.raw`function run({ text }) {
  const words = (text.match(/[\u3400-\u9fff]|[\p{L}\p{N}'’-]+/gu) ?? []).length;
  return words + " words, " + [...text].length + " characters, " + text.split("\n").length + " lines";
}`,
    requests: [],
  },
  {
    name: "change_text",
    category: "text",
    description:
      "Rewrites a text: uppercase, lowercase, reverse, trim, sort. 改写文本：大写、小写、反转、去空格、排序。",
    parameters: {
      text: "text",
      operation: Object.fromEntries(TEXT_OPERATIONS.map((name) => [name, name])),
    },
    code: String.raw`function run({ text, operation }) {
  const lines = text.split("\n");
  if (operation === "uppercase") return text.toUpperCase();
  if (operation === "lowercase") return text.toLowerCase();
  if (operation === "reverse") return [...text].reverse().join("");
  if (operation === "trim") return text.trim();
  if (operation === "sort_lines") return lines.sort((a, b) => a.localeCompare(b)).join("\n");
  if (operation === "unique_lines") return [...new Set(lines)].join("\n");
  return text.toLowerCase().replace(/[\p{L}\p{N}'’]+/gu, (word) => word[0].toUpperCase() + word.slice(1));
}`,
    requests: [],
  },
  {
    name: "replace_text",
    category: "text",
    description: "Replaces a word or phrase everywhere in a text. 替换文本中的词语。",
    parameters: { text: "text", find: "text", replacement: "text" },
    code: String.raw`function run({ text, find, replacement }) {
  if (!text.includes(find)) throw new Error("The text does not contain it. 文本里没有：" + find);
  return text.split(find).join(replacement);
}`,
    requests: [],
  },
  {
    name: "days_between",
    category: "calendar",
    description: "Counts the days or working days between two dates. 两个日期之间有多少天、多少个工作日。",
    parameters: {
      unit: { days: "days?|天", weekdays: "weekdays|work(?:ing )?days|business days|个?工作日" },
      from: "date",
      to: "date",
    },
    code: `${DATE_CODE}// Weekdays are counted with both ends and without holidays.
function run({ unit, from, to }) {
  if (unit === "days") return dayOf(to) - dayOf(from);
  let count = 0;
  for (let day = dayOf(from); day <= dayOf(to); day += 1) if ((((day + 3) % 7) + 7) % 7 < 5) count += 1;
  return count;
}`,
    requests: [
      "(?:how many |number of )?{unit} (?:are there |are )?(?:between|from) {from} (?:and|to|until) {to}",
      "(?:how many )?{unit} since {from}",
      "从?{from}[到和至](?:{to}|现在)(?:之间|一共|相差|有|隔|差|过了)*(?:多少|几){unit}",
    ],
  },
  {
    name: "days_until",
    category: "calendar",
    description: "Counts the days from today to a date: countdown, days left. 距离某一天还有多少天：倒计时。",
    parameters: { date: "date", timezone: "timezone" },
    code: `${DATE_CODE}function run({ date, timezone }) {
  return dayOf(date) - dayOf(new Date().toLocaleDateString("sv-SE", { timeZone: timezone }));
}`,
    requests: [
      "(?:how many )?days (?:are |is |left |there |it )*(?:until|till|to|before) {date}",
      "how long (?:is it )?(?:until|till) {date}",
      "(?:距离?|离)?{date}还有(?:多少|几)天",
    ],
  },
  {
    name: "describe_date",
    category: "calendar",
    description: "The date and the day of the week of a day: what day of the week. 某一天是几号、星期几。",
    parameters: { date: "date" },
    code: `${DATE_CODE}function run({ date }) {
  const show = (language) => new Date(dayOf(date) * 86400000).toLocaleDateString(language, { weekday: "long", timeZone: "UTC" });
  return date + " " + show("en") + " " + show("zh-CN");
}`,
    requests: [
      "(?:day of the week|weekday|day|date) (?:is |was |will |does |of |on |for )?(?:it )?{date}(?: be| fall)?(?: on)?",
      "(?:on which weekday|when) (?:is|was|does|did) {date}(?: fall)?",
      "{date}是?(?:星期|周|礼拜)几",
      "{date}是?(?:几月)?(?:几[号日]|哪一?天|什么日期)",
    ],
  },
  {
    name: "is_leap_year",
    category: "calendar",
    description: "Whether a year is a leap year. 判断某年是不是闰年。",
    parameters: { year: "year" },
    code: String.raw`function run({ year }) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}`,
    requests: ["(?:is|was|will) {year} (?:be )?a leap year", "{year}年?是(?:不是|否)?闰年"],
  },
  {
    name: "days_in_month",
    category: "calendar",
    description: "How many days a month has. 某年某月有多少天。",
    parameters: { month: "month" },
    code: String.raw`function run({ month }) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}`,
    requests: ["how many days (?:are |does |there |in )*{month}(?: have| has)?", "{month}份?一?共?有?(?:多少|几)天"],
  },
  {
    name: "is_prime",
    category: "math",
    description: "Whether a whole number is prime. 判断一个数是不是质数、素数。",
    parameters: { n: "integer" },
    code: String.raw`function run({ n }) {
  if (n > 1e12) throw new Error("The number is too large. 数太大。");
  for (let factor = 2; factor * factor <= n; factor += 1) if (n % factor === 0) return false;
  return n > 1;
}`,
    requests: ["is {n} (?:a )?prime(?: number)?", "{n} is (?:a )?prime(?: number)?", "{n}是(?:不是|否)?一?个?[质素]数"],
  },
  {
    name: "statistics",
    category: "math",
    description:
      "A statistic of numbers: mean, median, mode, maximum, minimum. 数据统计：平均数、中位数、众数、最大值、最小值。",
    parameters: {
      measure: {
        mean: "mean|average|平均[数值]",
        median: "median|中位数",
        mode: "mode|众数",
        maximum: "max(?:imum)?|largest|最大[值数]|最大的数",
        minimum: "min(?:imum)?|smallest|最小[值数]|最小的数",
        range: "range|极差",
        standard_deviation: "(?:population )?standard deviation|标准差",
      },
      numbers: "numbers",
    },
    code: String.raw`function run({ measure, numbers }) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const middle = sorted.length / 2;
  const counts = sorted.map((value) => sorted.filter((other) => other === value).length);
  const results = {
    mean: mean(sorted),
    median: sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : mean(sorted.slice(middle - 1, middle + 1)),
    maximum: sorted[sorted.length - 1],
    minimum: sorted[0],
    range: sorted[sorted.length - 1] - sorted[0],
    standard_deviation: Math.sqrt(mean(sorted.map((value) => (value - mean(sorted)) ** 2))),
  };
  if (measure === "mode") return [...new Set(sorted.filter((_, i) => counts[i] === Math.max(...counts)))].join(", ");
  return Number(results[measure].toPrecision(15));
}`,
    requests: [
      "{measure} (?:of|among) (?:the numbers )?{numbers}",
      "{numbers}(?:这[些几]个?数)?[的中]{measure}",
      "{measure}[:：] ?{numbers}",
    ],
  },
  {
    name: "fibonacci",
    category: "math",
    description: "Fibonacci numbers: the first ones, or all up to a limit. 斐波那契数列的前若干项或以内各项。",
    parameters: { count: "integer", limit: "integer" },
    optional: ["count", "limit"],
    code: String.raw`function run({ count = 1000, limit = 1e15 }) {
  const list = [];
  for (let [a, b] = [0, 1]; a <= limit && list.length < count && a < 9e15; [a, b] = [b, a + b]) list.push(a);
  return list;
}`,
    requests: [
      "(?:first )?{count} fibonacci numbers",
      "fibonacci(?: numbers| sequence| series)? up to {limit}",
      "斐波那契数列?的?前{count}[项个]数?",
      "前{count}[项个]斐波那契数列?",
      "(?:不超过)?{limit}(?:以内|以下)?的斐波那契数列?",
    ],
  },
  {
    name: "convert_units",
    category: "math",
    description: "Converts lengths, weights, durations and temperatures: units. 单位换算：长度、重量、时长、温度。",
    parameters: { value: "number", from: UNIT_WORDS, to: UNIT_WORDS },
    code: String.raw`const UNITS = new Map(${JSON.stringify(UNITS.map(([unit, dimension, factor, , offset = 0]) => [unit, [dimension, factor, offset]]))});

function run({ value, from, to }) {
  const [[a, factor, offset], [b, divisor, shift]] = [UNITS.get(from), UNITS.get(to)];
  if (a !== b) throw new Error("These units measure different things. 单位不同类：" + from + ", " + to);
  return Number((((value + offset) * factor) / divisor - shift).toPrecision(12));
}`,
    requests: [
      "(?:convert )?{value} ?{from} (?:in|to|into|as) {to}",
      "how many {to} (?:are |is )?(?:there )?(?:in )?{value} ?{from}",
      "(?:把|将)?{value}个?{from}(?:等于|是|合|转换?[成为]?|换算[成为])?(?:多少|几)?个?{to}",
    ],
  },
];
