// Tools for numeral systems.

import {
  NUMBER_RESULT,
  TEXT_RESULT,
  integerSchema,
  createMathTemplate,
  stringSchema,
  createParameters,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import { BLOT, isInteger, type SubtaskWords } from "./subtask-words.ts";

const BASES: readonly (readonly [RegExp, number])[] = [
  [/二进制|binary/, 2],
  [/八进制|octal/, 8],
  [/十六进制|hex(?:adecimal)?/, 16],
  [/(?<!六)十进制|decimal(?! places?)|base 10|base ten/, 10],
];

/** `… in binary and in hexadecimal`: two conversions. */
const ANOTHER_GOAL =
  /(?:\b(?:and|or)\s+(?:in(?:to)?\s+)?|[和及与、或])\s*(?:binary|octal|hex|decimal|(?:二|八|十六|十)进制)/;

const GOAL =
  /(?:转换?[成为到]?|换[成为]|变[成为]|[成为到]|用|的|\bto\b|\bin(?:to)?\b|\bas\b)\s*((?:二|八|十六|十|\d{1,2}\s*)进制|binary|octal|hex(?:adecimal)?|decimal|base[- ]?\d{1,2})(?!数)/g;

function parseBase(words: string): number | null {
  const said = /base[- ]?(\d{1,2})|(\d{1,2})\s*进制/.exec(words);
  if (said !== null) return Number(said[1] ?? said[2]);
  return BASES.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** `255 to hex`, `把二进制1011转成十进制`: a base before the target belongs to the digits. */
function parseBaseConversion({ said, text, numbers, isComplete }: SubtaskWords): TemplateArgs | null {
  const goal = [...said.matchAll(GOAL)].at(-1);
  const of = /\b(binary|octal|hex(?:adecimal)?)(?: representation| form| value)? (?:of|for)\b/.exec(said);
  const isPlain = /进制数?[\da-f]+.{0,3}(?:是|等于)多少/.test(said);
  const to = parseBase(goal?.[1] ?? of?.[1] ?? (isPlain ? "decimal" : ""));
  if (to === null) return null;
  const rest = said.replaceAll(BLOT, " ").replace(goal?.[0] ?? of?.[0] ?? BLOT, " ");
  if (ANOTHER_GOAL.test(said)) return null;
  const given = parseBase(rest);
  const digits = /\b0x([\da-f]+)\b|\b0b([01]+)\b/i.exec(text);
  if (digits !== null) return { digits: digits[1] ?? digits[2], from: digits[1] === undefined ? 2 : 16, to };
  const from = given ?? 10;
  const bare = rest.replace(
    /base[- ]?\d{1,2}|\d{1,2}\s*进制|hex(?:adecimal)?|decimal|binary|octal|convert|from|number|of/g,
    " ",
  );
  if (!isComplete && from === 10 && isInteger(numbers[0])) return { digits: String(numbers[0]), from, to };
  const found = (
    from > 10 ? /(?<![a-z\d])(?=[a-z]*\d|[a-f]+\b)[\da-z]+(?![a-z\d])/ : /(?<![a-z\d.])\d+(?![a-z\d.])/
  ).exec(bare)?.[0];
  return found === undefined || from === to ? null : { digits: found, from, to };
}

export const NUMERAL_TEMPLATES: readonly ToolTemplate[] = [
  createMathTemplate({
    name: "convert_base",
    description:
      "Writes a whole number in another base: binary, octal, decimal, hexadecimal. 进制转换：二进制、八进制、十进制、十六进制。",
    parameters: createParameters({
      digits: stringSchema("The number as it is written 数"),
      from: integerSchema("Its base 原进制, 2–36"),
      to: integerSchema("The base wanted 目标进制, 2–36"),
    }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ digits, from, to }) {
  let value = 0n;
  for (const digit of digits.toLowerCase()) {
    const number = "0123456789abcdefghijklmnopqrstuvwxyz".indexOf(digit);
    if (number < 0 || number >= from) throw new Error(digits + " is no number in base " + from + ". 这不是该进制的数。");
    value = value * BigInt(from) + BigInt(number);
  }
  return value.toString(to).toUpperCase();
}`,
    requestPattern: /\bbase\b|binary|hex|octal|进制|decimal/,
    parseArgs: parseBaseConversion,
  }),
  createMathTemplate({
    name: "to_roman_numeral",
    description: "Writes a number from 1 to 3999 as a Roman numeral. 阿拉伯数字转换为罗马数字。",
    parameters: createParameters({ number: { type: "integer", minimum: 1, maximum: 3999 } }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ number }) {
  const values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
  const numerals = ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"];
  let rest = number;
  return values.map((value, i) => {
    const times = Math.floor(rest / value);
    rest -= times * value;
    return numerals[i].repeat(times);
  }).join("");
}`,
    requestPattern: /罗马数|roman num|(?:in|to) roman/,
    parseArgs: ({ numbers: [number, other] }) => (isInteger(number) && other === undefined ? { number } : null),
  }),
  createMathTemplate({
    name: "from_roman_numeral",
    description: "Reads a Roman numeral: what is it in numbers. 罗马数字转换为阿拉伯数字。",
    parameters: createParameters({ numeral: stringSchema("e.g. MMXXVI") }),
    returns: NUMBER_RESULT,
    code: String.raw`function run({ numeral }) {
  const values = [...numeral.toUpperCase()].map((letter) => new Map([["I", 1], ["V", 5], ["X", 10], ["L", 50], ["C", 100], ["D", 500], ["M", 1000]]).get(letter));
  if (values.includes(undefined)) throw new Error(numeral + " is no Roman numeral. 这不是罗马数字。");
  return values.reduce((total, value, i) => total + (value < (values[i + 1] ?? 0) ? -value : value), 0);
}`,
    requestPattern: /罗马|roman|阿拉伯数字|(?:in|to|as an?) (?:arabic )?(?:numbers?|digits|numerals?)\b/,
    equivalentPattern: /(?:from|read|parse) roman|roman.*to/,
    parseArgs({ said, text }) {
      const numeral = /(?<![A-Za-z])[IVXLCDM]{1,15}(?![A-Za-z])/.exec(text.replace(/\bI (?=[a-z])/g, ""))?.[0];
      return numeral !== undefined && !/\d/.test(said) ? { numeral } : null;
    },
  }),
];
