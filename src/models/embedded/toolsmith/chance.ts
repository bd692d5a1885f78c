// Tools that leave it to chance.

import { ideasAsked } from "../glossary.ts";
import { readCount, readRange } from "../ranges.ts";
import { NO_DRAW } from "../unlike.ts";
import { integer, math, takes, type Template } from "./template.ts";

export const CHANCE: readonly Template[] = [
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
    asked: /random|dice|\bdie\b|随机|骰子|抽|number|数字|摇/,
    means: /random|dice|随机|骰子/,
    read({ text, said, goesOn }) {
      if (!ideasAsked(text).has("random") || goesOn || NO_DRAW.test(said)) return null;
      const { min, max } = readRange(said) ?? { min: 1, max: 100 };
      const count = readCount(said);
      return { min, max, ...(count > 1 ? { count } : {}) };
    },
  }),
];
