// Messages of the analyst rules.

import type { LocalizedText, Language } from "../../language/detect-language.ts";
import { pick } from "./page-draft.ts";

export const ANALYST_CAPABILITIES: LocalizedText = {
  en: 'I make pages of your data, with figures, charts and tables: comparisons, trends, rankings, counts and summaries of school classes or of tables that you upload. Try "compare 1A and 1B on the last assignment". Without an API key I work by rules; set OPENAI_API_KEY for full understanding.',
  zh: "我把你的数据做成带指标、图表和表格的页面：对比、趋势、排名、计数和概况，可以分析班级成绩，也可以分析你上传的表格。例如“对比1A和1B最近一次作业”。没有 API key 时我按规则工作；设置 OPENAI_API_KEY 可获得完整的理解能力。",
};

export const NOTHING_TO_SAY: LocalizedText = {
  en: "The blocks of this page show what was found.",
  zh: "结果见本页的图表和表格。",
};

export const NO_SUCH_BLOCK: LocalizedText = { en: "The page has no such block.", zh: "页面上没有这个模块。" };

export const NOTHING_CHANGED: LocalizedText = {
  en: "Nothing has been changed about this page yet, so there is nothing to take back.",
  zh: "这个页面还没有改动过，没有可以撤销的内容。",
};

export function formatAnalystNeedsModel(what: string, language: Language): string {
  return pick(
    language,
    `"${what}" needs a real model: the built-in one works by rules and makes comparisons, trends, rankings, counts and summaries of your classes and tables only. Set OPENAI_API_KEY for it.`,
    `“${what}”需要真正的模型：内置的规则模型只会对班级和表格做对比、趋势、排名、计数和概况。设置 OPENAI_API_KEY 后即可完成。`,
  );
}

export function formatNotOnPage(shown: string, language: Language): string {
  return pick(
    language,
    `I see no answer to this on the page; it shows: ${shown}. The built-in model works by rules: name a figure or a row of the page, or set OPENAI_API_KEY for a real model.`,
    `页面上没有找到答案；页面内容：${shown}。内置模型按规则工作：请说出页面上的指标或行，或设置 OPENAI_API_KEY 使用真正的模型。`,
  );
}
