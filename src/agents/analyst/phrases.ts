// What the analyst says of its own work.

import type { Blueprint } from "../../protocol/blueprint.ts";
import type { Both } from "../../protocol/words/language.ts";

type About = Pick<Blueprint, "name" | "description">;

/** Descriptions are written with a full stop and without. */
const sentence = (text: string, stop: string): string => (/[\p{L}\p{N})\]）%]$/u.test(text) ? `${text}${stop}` : text);

export const PLANNED = ({ name, description }: About): Both => ({
  en: `The analysis “${name}” is planned. ${sentence(description, ".")}`.trim(),
  zh: `分析“${name}”已经规划好。${sentence(description, "。")}`,
});

export const CHANGED = ({ name }: About): Both => ({
  en: `“${name}” is changed as you asked.`,
  zh: `“${name}”已按你的要求修改。`,
});

export const REPLACING = ({ name, description }: About): Both => ({
  en: `That is another analysis: “${name}”. ${sentence(description, ".")} Shall it take the place of the page?`.replace(
    "  ",
    " ",
  ),
  zh: `这是另一个分析：“${name}”。${sentence(description, "。")}要用它替换当前页面吗？`,
});

export const YES_NO: readonly Both[] = [
  { en: "Yes", zh: "是" },
  { en: "No", zh: "否" },
];

export const LEFT_AS_IT_IS: Both = { en: "The page stays as it is.", zh: "页面保持不变。" };

export const NOBODY: Both = {
  en: "Whose data this is about is not known, so there is nothing to analyse.",
  zh: "不知道要分析谁的数据，所以无法分析。",
};

export const BROKEN: Both = {
  en: "The page could not be made: something went wrong on our side. Please try again.",
  zh: "页面没有做成：我们这边出了问题，请再试一次。",
};
