// Texts shown while a page is built, and when building fails.

import type { Both } from "../../protocol/words/language.ts";

export const PHASES = {
  data: { en: "Fetching data…", zh: "正在获取数据……" },
  compute: { en: "Computing…", zh: "正在计算……" },
  compose: { en: "Composing the page…", zh: "正在编排页面……" },
} as const satisfies Record<string, Both>;

export const READY = (name: string): Both => ({ en: `“${name}” is ready.`, zh: `“${name}”已经完成。` });

export const INVALID = (problems: string): Both => ({
  en: `This blueprint cannot be carried out.\n${problems}`,
  zh: `这个分析方案无法执行。\n${problems}`,
});

export const CHOOSE = (labels: string): Both => ({
  en: `Please choose first: ${labels}.`,
  zh: `请先选择：${labels}。`,
});

export const FAILED = (reason: string): Both => ({
  en: `The page could not be made. ${reason}`,
  zh: `页面未能生成。${reason}`,
});

export const NOT_FOUND = (reason: string, suggestions: string): Both => ({
  en: suggestions === "" ? reason : `${reason} Did you mean: ${suggestions}?`,
  zh: suggestions === "" ? reason : `${reason}你要找的是：${suggestions}？`,
});

const ENTITIES: Readonly<Record<string, string>> = {
  dataset: "数据集",
  column: "列",
  teacher: "教师",
  class: "班级",
  assignment: "作业",
  student: "学生",
};

/** `toolMessage` is the tool's own English text. */
export const NO_SUCH = (told: string, entity: string, wanted: string): Both => {
  const called = Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity] : undefined;
  return { en: told, zh: called === undefined ? told : `没有名为“${wanted}”的${called}。` };
};

export const CUT = (most: number): Both => ({
  en: `It is about more than ${most} rows: ask for fewer of them.`,
  zh: `数据超过${most}行，请缩小范围。`,
});

export const LEFT_OUT = (reason: string): Both => ({
  en: `The data of this block could not be had. ${reason}`,
  zh: `这个模块的数据未能取得。${reason}`,
});

export const STOPPED: Both = { en: "It was stopped before it was done.", zh: "生成在完成之前被停止了。" };

export const TOO_SLOW = (seconds: number): Both => ({
  en: `It was not done after ${seconds} seconds. Please ask for less at once.`,
  zh: `${seconds}秒内没有完成，请缩小范围再试。`,
});

export const OUR_SIDE: Both = {
  en: "Something went wrong on our side. Please try again.",
  zh: "我们这边出了问题，请再试一次。",
};

export const TOO_LARGE: Both = { en: "The answer is too large.", zh: "返回的数据过大。" };

export const TOOL_BROKE: Both = { en: "The tool failed.", zh: "工具执行失败。" };

export const NOTHING_WRITTEN: Both = { en: "The model wrote nothing.", zh: "模型没有写出内容。" };
