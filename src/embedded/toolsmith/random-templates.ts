// Tools for random choices.

import { findAskedIdeas } from "../idea-glossary.ts";
import { parseDrawCount, parseNumberRange } from "../random-ranges.ts";
import { NOT_A_NUMBER_DRAW } from "../tool-mismatch.ts";
import {
  TEXT_RESULT,
  integerSchema,
  createMathTemplate,
  createParameters,
  type TemplateArgs,
  type ToolTemplate,
} from "./tool-template.ts";
import type { SubtaskWords } from "./subtask-words.ts";

const COIN =
  /heads or tails|(?:flip|toss)(?:ing)? (?:a|the) coin|coin (?:flip|toss)|[抛掷扔投](?:一?[个枚次]|一下)*硬币/;
/** The options follow in English; in Chinese they precede the verb or follow a colon. */
const DRAWN =
  /(?:pick|choose|select|draw|random)\w*.*? (?:of|from|among|between)(?: the following)?[: ]+(.+)$|从(.+?)[中里]面?.{0,6}[选抽挑]|[选抽挑][^:：]{0,6}[:：](.+)$/i;

/** Several draws. */
const SEVERAL =
  /(?:pick|choose|select|draw) (?:two|three|four|five|several|some|\d)|\b(?:twice|times)\b|[选抽挑]出?\s*(?:[两二三四五六七八九十几]|[2-9])|(?<!一)次/;

/** Returns the options to draw from: pick one of red, green, blue at random · 抛硬币. */
function parseItems({ text, said, language }: SubtaskWords): TemplateArgs | null {
  if (SEVERAL.test(said)) return null;
  if (COIN.test(said)) return { items: language === "zh" ? ["正面", "反面"] : ["heads", "tails"] };
  if (!/random|随机|随便|抽|\b(?:pick|choose|draw|select) .{0,20}(?:from|between|among|one of) /.test(said))
    return null;
  const words = text.replace(/[?？。.!！]+$|\s+(?:at random|randomly)(?=\s|$)/gi, "");
  const [, ...listed] = DRAWN.exec(words) ?? [];
  const items = (listed.find((list) => list !== undefined) ?? "")
    .split(/\s*(?:[,，、;；]|(?<![a-z])(?:or|and)(?![a-z])|或者?|还是|[和与])\s*/i)
    .filter((item) => item !== "");
  const isList = items.length > 1 && items.some((item) => !/^[-\d.\s]+$/.test(item) || items.length > 2);
  return isList ? { items } : null;
}

export const RANDOM_TEMPLATES: readonly ToolTemplate[] = [
  createMathTemplate({
    name: "random_integer",
    description: "Draws random whole numbers from a range: random number, dice. 生成随机数、随机整数、掷骰子。",
    parameters: createParameters(
      {
        min: integerSchema("Smallest 最小值"),
        max: integerSchema("Largest 最大值"),
        count: { type: "integer", minimum: 1, maximum: 1000, description: "How many 个数" },
      },
      ["count"],
    ),
    returns: { type: ["number", "array"] },
    code: String.raw`function draw(min, max) {
  return min + Math.floor(Math.random() * (max - min + 1));
}

function run({ min, max, count = 1 }) {
  if (min > max) throw new Error("min is larger than max. 最小值大于最大值。");
  return count === 1 ? draw(min, max) : Array(count).fill(0).map(() => draw(min, max));
}`,
    requestPattern: /random|dice|\bdie\b|随机|骰子|抽|number|数字|摇/,
    equivalentPattern: /random|dice|随机|骰子/,
    parseArgs({ text, said, goesOn }) {
      if (!findAskedIdeas(text).has("random") || goesOn || NOT_A_NUMBER_DRAW.test(said)) return null;
      const { min, max } = parseNumberRange(said) ?? { min: 1, max: 100 };
      const count = parseDrawCount(said);
      return { min, max, ...(count > 1 ? { count } : {}) };
    },
  }),
  createMathTemplate({
    name: "random_choice",
    description:
      "Picks one of several things at random; flips a coin: heads or tails. 从几个里随机选一个，抽一个，抛硬币。",
    parameters: createParameters({
      items: { type: "array", items: { type: "string" }, minItems: 2, description: "The options 选项" },
    }),
    returns: TEXT_RESULT,
    code: String.raw`function run({ items }) {
  return items[Math.floor(Math.random() * items.length)];
}`,
    equivalentPattern: /(?:random|pick).*(?:choice|item|element|option)|coin|随机选|硬币/,
    parseArgs: parseItems,
  }),
];
