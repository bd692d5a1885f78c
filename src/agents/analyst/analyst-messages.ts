// Texts of the analyst about its own work.

import type { Blueprint } from "../../protocol/pages/blueprint-schema.ts";
import type { LocalizedText } from "../../protocol/language/detect-language.ts";

type DescribedAnalysis = Pick<Blueprint, "name" | "description">;

/** Adds a full stop to a description that has none. */
const ensureFullStop = (text: string, stop: string): string =>
  /[\p{L}\p{N})\]）%]$/u.test(text) ? `${text}${stop}` : text;

export const ANALYSIS_PLANNED = ({ name, description }: DescribedAnalysis): LocalizedText => ({
  en: `The analysis “${name}” is planned. ${ensureFullStop(description, ".")}`.trim(),
  zh: `分析“${name}”已经规划好。${ensureFullStop(description, "。")}`,
});

export const PAGE_CHANGED = ({ name }: DescribedAnalysis): LocalizedText => ({
  en: `“${name}” is changed as you asked.`,
  zh: `“${name}”已按你的要求修改。`,
});

export const PROPOSE_REPLACEMENT = ({ name, description }: DescribedAnalysis): LocalizedText => ({
  en: `That is another analysis: “${name}”. ${ensureFullStop(description, ".")} Shall it take the place of the page?`.replace(
    "  ",
    " ",
  ),
  zh: `这是另一个分析：“${name}”。${ensureFullStop(description, "。")}要用它替换当前页面吗？`,
});

export const NO_DATASET: LocalizedText = {
  en: "There is no dataset yet. Under “Pages”, “Data” you can upload a CSV or JSON file or load the sample data; then ask again.",
  zh: "还没有数据集。请在“页面”的“数据”中上传 CSV 或 JSON 文件，或加载示例数据，然后再提问。",
};

/** Appended if there are classes to choose from. */
export const OR_CHOOSE_CLASS: LocalizedText = { en: " Or choose a class.", zh: "也可以选择一个班级。" };

export const YES_NO: readonly LocalizedText[] = [
  { en: "Yes", zh: "是" },
  { en: "No", zh: "否" },
];

export const PAGE_UNCHANGED: LocalizedText = { en: "The page stays as it is.", zh: "页面保持不变。" };

export const UNKNOWN_USER: LocalizedText = {
  en: "Whose data this is about is not known, so there is nothing to analyse.",
  zh: "不知道要分析谁的数据，所以无法分析。",
};

export const PAGE_BUILD_BROKEN: LocalizedText = {
  en: "The page could not be made: something went wrong on our side. Please try again.",
  zh: "页面没有做成：我们这边出了问题，请再试一次。",
};
