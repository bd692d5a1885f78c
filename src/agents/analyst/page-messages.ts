// Texts shown while a page is built, and when building fails.

import type { LocalizedText } from "../../protocol/language/detect-language.ts";

export const PHASE_MESSAGES = {
  data: { en: "Fetching data…", zh: "正在获取数据……" },
  compute: { en: "Computing…", zh: "正在计算……" },
  compose: { en: "Composing the page…", zh: "正在编排页面……" },
} as const satisfies Record<string, LocalizedText>;

export const PAGE_READY = (name: string): LocalizedText => ({ en: `“${name}” is ready.`, zh: `“${name}”已经完成。` });

export const INVALID_BLUEPRINT = (problems: string): LocalizedText => ({
  en: `This blueprint cannot be carried out.\n${problems}`,
  zh: `这个分析方案无法执行。\n${problems}`,
});

export const CHOOSE_FIRST = (labels: string): LocalizedText => ({
  en: `Please choose first: ${labels}.`,
  zh: `请先选择：${labels}。`,
});

export const PAGE_FAILED = (reason: string): LocalizedText => ({
  en: `The page could not be made. ${reason}`,
  zh: `页面未能生成。${reason}`,
});

export const NAME_NOT_FOUND = (reason: string, suggestions: string): LocalizedText => ({
  en: suggestions === "" ? reason : `${reason} Did you mean: ${suggestions}?`,
  zh: suggestions === "" ? reason : `${reason}你要找的是：${suggestions}？`,
});

const ENTITY_NAMES_ZH: Readonly<Record<string, string>> = {
  dataset: "数据集",
  column: "列",
  teacher: "教师",
  class: "班级",
  assignment: "作业",
  student: "学生",
};

/** `toolMessage` is the tool's own English text. */
export const NO_SUCH_ENTITY = (toolMessage: string, entity: string, wanted: string): LocalizedText => {
  const entityName = Object.hasOwn(ENTITY_NAMES_ZH, entity) ? ENTITY_NAMES_ZH[entity] : undefined;
  return { en: toolMessage, zh: entityName === undefined ? toolMessage : `没有名为“${wanted}”的${entityName}。` };
};

export const TOO_MANY_ROWS = (maxRows: number): LocalizedText => ({
  en: `It is about more than ${maxRows} rows: ask for fewer of them.`,
  zh: `数据超过${maxRows}行，请缩小范围。`,
});

export const BLOCK_DATA_MISSING = (reason: string): LocalizedText => ({
  en: `The data of this block could not be had. ${reason}`,
  zh: `这个模块的数据未能取得。${reason}`,
});

export const PAGE_STOPPED: LocalizedText = { en: "It was stopped before it was done.", zh: "生成在完成之前被停止了。" };

export const PAGE_TIMED_OUT = (seconds: number): LocalizedText => ({
  en: `It was not done after ${seconds} seconds. Please ask for less at once.`,
  zh: `${seconds}秒内没有完成，请缩小范围再试。`,
});

export const INTERNAL_ERROR: LocalizedText = {
  en: "Something went wrong on our side. Please try again.",
  zh: "我们这边出了问题，请再试一次。",
};

export const RESULT_TOO_LARGE: LocalizedText = { en: "The answer is too large.", zh: "返回的数据过大。" };

export const TOOL_FAILED: LocalizedText = { en: "The tool failed.", zh: "工具执行失败。" };

export const NO_TEXT_WRITTEN: LocalizedText = { en: "The model wrote nothing.", zh: "模型没有写出内容。" };
