// Messages of the analyst rules.

import type { LocalizedText, Language } from "../../language/detect-language.ts";
import { pickByLanguage } from "./blueprint-parts.ts";

export const ANALYST_CAPABILITIES: LocalizedText = {
  en: 'I make pages of your data, with figures, charts and tables: comparisons, trends, distributions, rankings and summaries of school classes or of tables that you upload. Try "compare 1A and 1B on the last assignment". Without an API key I work by rules; set OPENAI_API_KEY for full understanding.',
  zh: "我把你的数据做成带指标、图表和表格的页面：对比、趋势、分布、排名和概况，可以分析班级成绩，也可以分析你上传的表格。例如“对比1A和1B最近一次作业”。没有 API key 时我按规则工作；设置 OPENAI_API_KEY 可获得完整的理解能力。",
};

export const NOTHING_TO_SAY: LocalizedText = {
  en: "The blocks of this page show what was found.",
  zh: "结果见本页的图表和表格。",
};

export const NO_SUCH_BLOCK: LocalizedText = {
  en: "The page has no such block.",
  zh: "页面上没有这个模块。",
};

export const NOTHING_CHANGED: LocalizedText = {
  en: "Nothing has been changed about this page yet, so there is nothing to take back.",
  zh: "这个页面还没有改动过，没有可以撤销的内容。",
};

export function formatAnalystNeedsModel(what: string, language: Language): string {
  return pickByLanguage(
    language,
    `"${what}" needs a real model: the built-in one works by rules and makes comparisons, trends, distributions, rankings, summaries and correlations of your classes and tables only. Set OPENAI_API_KEY for it.`,
    `“${what}”需要真正的模型：内置的规则模型只会对班级和表格做对比、趋势、分布、排名、概况和相关性分析。设置 OPENAI_API_KEY 后即可完成。`,
  );
}

export function formatNotOnPage(shown: readonly string[], language: Language): string {
  return pickByLanguage(
    language,
    `I see no answer to this on the page; it shows: ${shown.join(", ")}. The built-in model works by rules: name a figure or a row of the page, or set OPENAI_API_KEY for a real model.`,
    `页面上没有找到答案；页面内容：${shown.join("、")}。内置模型按规则工作：请说出页面上的指标或行，或设置 OPENAI_API_KEY 使用真正的模型。`,
  );
}

const TERMS: readonly (readonly [RegExp, LocalizedText])[] = [
  [
    /\bmedian\b|中位数/i,
    {
      en: "The **median** is the value in the middle when all values stand in order: half of them are below it, half above. Single extreme values hardly move it.",
      zh: "**中位数**是把所有值排序后位于中间的值：一半比它小，一半比它大，几乎不受个别极端值影响。",
    },
  ],
  [
    /\bstandard deviation\b|\bstd\b|标准差/i,
    {
      en: "The **standard deviation** says how far values lie from their mean: a small one means that they are close together, a large one that they are spread out.",
      zh: "**标准差**表示数值偏离平均值的程度：越小越集中，越大越分散。",
    },
  ],
  [
    /\b(?:mean|average)\b|平均/i,
    {
      en: "The **mean** is the sum of all values divided by how many there are. Single extreme values move it.",
      zh: "**平均数**是所有数值之和除以个数，会受个别极端值影响。",
    },
  ],
];

/** Explains a statistical term that the question names. */
export function explainTerm(question: string, language: Language): string | null {
  if (!/\b(?:what|explain|define|meaning|mean by)\b|什么|解释|意思|含义|区别/i.test(question)) return null;
  return TERMS.find(([words]) => words.test(question))?.[1][language] ?? null;
}
