// Tools that convert units.

import { EXACT_CODE } from "./exact-code.ts";
import {
  EXACT_RESULT,
  exactNumberSchema,
  createParameters,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { BLOT, toNumeral, type SubtaskWords } from "./subtask-words.ts";
import { parseNumeralAt } from "../../language/numerals.ts";
import { normalizeCharacters } from "../../language/text-spans.ts";

/** `symbol|factor to the base unit|words`, by kind. */
const KINDS = {
  temperature: `
°C||degrees? celsius|celsius|centigrade|°?c|℃|摄氏度?
°F||degrees? fahrenheit|fahrenheit|°?f|℉|华氏度?
K||kelvins?|k|开尔文|开氏度`,
  length: `
km|1000|kilomet(?:er|re)s?|kms?|公里|千米
cm|0.01|centimet(?:er|re)s?|cms?|厘米|公分
mm|0.001|millimet(?:er|re)s?|mms?|毫米
mi|1609.344|miles?|mi|英里
yd|0.9144|yards?|yds?|码
ft|0.3048|feet|foot|ft|英尺
in|0.0254|inch(?:es)?|英寸
m|1|met(?:er|re)s?|m|米
li|500|里|华里`,
  weight: `
kg|1000|kilograms?|kilos?|kgs?|公斤|千克
mg|0.001|milligrams?|mg|毫克
lb|453.59237|pounds?|lbs?|磅
oz|28.349523125|ounces?|oz|盎司
t|1000000|tonn?es?|metric tons?|tons?|吨
g|1|grams?|g|克
jin|500|市?斤
liang|50|两`,
  duration: `
d|86400|days?|天
h|3600|hours?|hrs?|小时
min|60|minutes?|mins?|分钟?
week|604800|weeks?|周(?!几)|星期(?![一二三四五六日天几])
s|1|seconds?|secs?|秒钟?`,
} as const;
type UnitKind = keyof typeof KINDS;

type ConversionUnit = {
  readonly kind: UnitKind;
  readonly symbol: string;
  readonly factor: string;
  readonly words: string;
};

const UNITS: readonly ConversionUnit[] = Object.entries(KINDS).flatMap(([kind, table]) =>
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [symbol = "", factor = "", ...words] = line.split("|");
      return { kind: kind as UnitKind, symbol, factor, words: words.join("|") };
    }),
);
const ANY = UNITS.map(({ words }) => `(${words})`).join("|");
const END = "(?![a-z])";
const COUNT = String.raw`-?\d+(?:,\d{3})*(?:\.\d+)?|负?[零一二两三四五六七八九十百千万半]+(?:点[零一二三四五六七八九]+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|half an?`;
const GIVEN = new RegExp(String.raw`(?<![\da-z.])(${COUNT})\s*(?:个|°(?![cf]))?\s*(?:${ANY})${END}`, "g");
const WANTED = new RegExp(
  String.raw`(?:(?:[等是为成合]|转换?|折合|换算?)[于成为到]?(?:多少|几)?个?|多少个?|几个?|\bto\b|\bin(?:to)?\b|\bhow many\b|\bas\b|=)\s*(?:the )?(?:${ANY})${END}`,
  "g",
);

function getMatchedUnit(groups: readonly (string | undefined)[]): ConversionUnit | undefined {
  return UNITS[groups.findIndex((group) => group !== undefined)];
}

function parseConversion({ said: spoken, sums }: Pick<SubtaskWords, "said" | "sums">): {
  readonly value: unknown;
  readonly from: ConversionUnit;
  readonly to: ConversionUnit;
} | null {
  const said = spoken.replace(/零下|minus (?=\d)/, "-");
  if (sums.length > 0 && /乘|加|减|除|[*+×÷]/.test(said)) return null;
  const given = [...said.matchAll(GIVEN)].flatMap((match) => {
    const unit = getMatchedUnit(match.slice(2));
    return unit === undefined
      ? []
      : [{ count: match[1] ?? "", unit, start: match.index, end: match.index + match[0].length }];
  });
  const [first, other] = given;
  if (first === undefined || other !== undefined) return null;
  const rest = said.slice(0, first.start) + BLOT.repeat(first.end - first.start) + said.slice(first.end);
  const wanted = [...rest.matchAll(WANTED)].flatMap((match) => getMatchedUnit(match.slice(1)) ?? []);
  const to = wanted.find(({ kind, symbol }) => kind === first.unit.kind && symbol !== first.unit.symbol);
  // A target of another kind is another conversion.
  const isAll = wanted.every(({ kind }) => kind === first.unit.kind);
  return to === undefined || !isAll ? null : { value: parseQuantity(first.count), from: first.unit, to };
}

/** Longer texts are not conversions. */
const MAX_CONVERSION_LENGTH = 200;

/** True if the text converts one or several units: 5 km in miles · 3斤是多少克. */
export function isConversion(text: string): boolean {
  if (text.length > MAX_CONVERSION_LENGTH) return false;
  const said = normalizeCharacters(text).toLowerCase();
  const isOne = (part: string) => parseConversion({ said: part, sums: [] }) !== null;
  return isOne(said) || said.split(/\s+and\s+|[,、和]\s*/).every(isOne);
}

function parseQuantity(count: string): unknown {
  if (/^half|^半/.test(count)) return 0.5;
  if (/^an?$/.test(count)) return 1;
  const negative = /^[-负]/.test(count);
  const read = parseNumeralAt(count, negative ? 1 : 0)?.value ?? "1";
  return toNumeral(negative ? `-${read}` : read);
}

function createConversion(name: UnitKind, description: string, equivalentPattern: RegExp): ToolTemplate {
  const units = UNITS.filter(({ kind }) => kind === name);
  return {
    name: `convert_${name}`,
    description,
    category: "math",
    parameters: createParameters({
      value: exactNumberSchema("How much 数值"),
      from: { type: "string", enum: units.map(({ symbol }) => symbol) },
      to: { type: "string", enum: units.map(({ symbol }) => symbol) },
    }),
    returns: EXACT_RESULT,
    code: name === "temperature" ? TEMPERATURE_CODE : buildScalingCode(units),
    equivalentPattern,
    parseArgs(words): TemplateArgs | null {
      const found = parseConversion(words);
      return found?.from.kind === name ? { value: found.value, from: found.from.symbol, to: found.to.symbol } : null;
    },
  };
}

const TEMPERATURE_CODE = `${EXACT_CODE}function run({ value, from, to }) {
  const [a, b] = exact(value);
  let celsius = [a, b];
  if (from === "°F") celsius = [(a - 32n * b) * 5n, b * 9n];
  if (from === "K") celsius = [a * 100n - 27315n * b, b * 100n];
  const [c, d] = celsius;
  if (to === "°F") return shown([c * 9n + 32n * 5n * d, d * 5n]);
  if (to === "K") return shown([c * 100n + 27315n * d, d * 100n]);
  return shown([c, d]);
}`;

function buildScalingCode(units: readonly ConversionUnit[]): string {
  return `${EXACT_CODE}const UNITS = new Map([
${units.map(({ symbol, factor }) => `  ["${symbol}", "${factor}"],`).join("\n")}
]);

function run({ value, from, to }) {
  const [a, b] = exact(value);
  const [c, d] = exact(UNITS.get(from));
  const [e, f] = exact(UNITS.get(to));
  return shown([a * c * f, b * d * e]);
}`;
}

export const CONVERSION_TEMPLATES: readonly ToolTemplate[] = [
  createConversion(
    "temperature",
    "Converts temperatures: Celsius (C), Fahrenheit (F), Kelvin (K). 温度换算：摄氏度、华氏度、开尔文。",
    /temperature|celsius|fahrenheit|温度|摄氏|华氏/,
  ),
  createConversion(
    "length",
    "Converts lengths: kilometers, miles, meters, feet, inches, centimeters. 长度换算：公里、英里、米、英尺、英寸、厘米。",
    /length|distance|miles|kilomet|feet|inches|长度|英里|英尺/,
  ),
  createConversion(
    "weight",
    "Converts weights: kilograms, pounds, grams, ounces, tons. 重量换算：公斤、磅、克、盎司、吨、斤。",
    /weight|mass\b|kilogram|pounds|重量|公斤|磅/,
  ),
  createConversion(
    "duration",
    "Converts durations: days, hours, minutes, seconds, weeks. 时长换算：天、小时、分钟、秒、周。",
    /duration|hours to|minutes to|时长/,
  ),
];
