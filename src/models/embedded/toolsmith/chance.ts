// Tools that leave it to chance.

import { ideasAsked } from "../glossary.ts";
import { readCount, readRange } from "../ranges.ts";
import { A_TEXT, integer, math, takes, type Template } from "./template.ts";

export const CHANCE: readonly Template[] = [
  math({
    name: "random_choice",
    description: "Picks one of several things at random: draw, toss a coin. 从几个选项中随机选一个：抽签、抛硬币。",
    parameters: takes({ items: { type: "array", items: { type: "string" }, minItems: 1 } }),
    returns: A_TEXT,
    code: String.raw`function run({ items }) {
  return items[Math.floor(Math.random() * items.length)];
}`,
    means: /random.*(?:choice|item|element|pick)|coin|随机选|抽签|硬币/,
    read({ said, text, language }) {
      if (/硬币|flip a coin|toss a coin|coin (?:flip|toss)|heads or tails/.test(said) && !/次|times/.test(said)) {
        return { items: language === "zh" ? ["正面", "反面"] : ["heads", "tails"] };
      }
      const list =
        /(?:随机|随便|任意)(?:选择?|挑选?|抽取?)(?:一个|一项)?[:：]\s*(.+)$/.exec(text)?.[1] ??
        /(?:从|在)\s*(.+?)(?:之?中|里面?|之间|这[几两三四五]个?.{0,3})?(?:随机|随便|任意|抽|选|挑)/.exec(text)?.[1] ??
        /(?:pick|choose|select|draw)\b.*?\b(?:from|between|among|of|:)\s*(.+?)(?: at random| randomly)?[.?!]?$/i.exec(
          text,
        )?.[1];
      const items =
        list?.split(/\s*(?:[,，、;；]|\bor\b|\band\b|和|与|还是|或者?)\s*/i).filter((item) => item !== "") ?? [];
      const isChance = /随机|随便|任意|抽|random|pick|draw/.test(said);
      return isChance && items.length > 1 && !items.some((item) => /\d|数/.test(item)) ? { items } : null;
    },
  }),
  math({
    name: "random_integer",
    description: "Draws random whole numbers from a range: random number, dice. 生成随机数、随机整数、掷骰子。",
    parameters: takes(
      {
        min: integer("Smallest 最小值"),
        max: integer("Largest 最大值"),
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
    means: /random|dice|随机|骰子/,
    read({ text, said, sums }) {
      const refersBack = sums.length > 0 && /(?:the|that|this) random|(?:把|将|[这那]个)随机数/.test(said);
      const isNumber =
        !/password|string|letter|word|colou?r|name|小数|浮点|密码|字母|颜色|单词|名字|float|decimal|uuid|质数|prime|日期|date|选择|choose|select|one of/.test(
          said,
        );
      if (!ideasAsked(text).has("random") || refersBack || !isNumber) return null;
      const { min, max } = readRange(said) ?? { min: 1, max: 100 };
      const count = readCount(said);
      return { min, max, ...(count > 1 ? { count } : {}) };
    },
  }),
];
