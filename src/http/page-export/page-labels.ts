// The fixed labels of exported pages in English and Chinese.

import type { LocalizedText, Language } from "../../protocol/language/detect-language.ts";

const LABELS = {
  numbers: { en: "Numbers", zh: "数据" },
  made: { en: "Made", zh: "生成时间" },
  source: { en: "Data", zh: "数据来源" },
  unverified: { en: "No tool has produced these numbers:", zh: "以下数字没有工具结果支持：" },
  answer: { en: "Answer", zh: "答案" },
  isTrue: { en: "Yes", zh: "是" },
  isFalse: { en: "No", zh: "否" },
  high: { en: "High", zh: "高" },
  medium: { en: "Medium", zh: "中" },
  low: { en: "Low", zh: "低" },
  easy: { en: "Easy", zh: "易" },
  hard: { en: "Hard", zh: "难" },
} as const satisfies Readonly<Record<string, LocalizedText>>;

export type PageLabels = Readonly<Record<keyof typeof LABELS, string>>;

/** Returns the labels in a language. */
export function getPageLabels(language: Language): PageLabels {
  return Object.fromEntries(Object.entries(LABELS).map(([key, both]) => [key, both[language]])) as PageLabels;
}
