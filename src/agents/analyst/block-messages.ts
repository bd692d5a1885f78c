// Texts shown in blocks for truncated, missing or failed content.

import type { LocalizedText } from "../../protocol/language/detect-language.ts";

export const NO_DATA: LocalizedText = { en: "There is no data for this block.", zh: "这个模块没有数据。" };

export const NOT_SHOWABLE: LocalizedText = {
  en: "The data of this block cannot be shown in this form.",
  zh: "这个模块的数据无法以这种形式展示。",
};

export const formatShownCount = (shown: number, all: number): LocalizedText => ({
  en: `first ${shown} of ${all}`,
  zh: `前${shown}项，共${all}项`,
});

export const formatShownWithMore = (shown: number): LocalizedText => ({
  en: `first ${shown}, there are more`,
  zh: `前${shown}项，还有更多`,
});

export const formatNotWritten = (reason: string): LocalizedText => ({
  en: `This text could not be written. ${reason}`,
  zh: `这段文字没有写出来。${reason}`,
});

export const SUGGESTIONS_TITLE: LocalizedText = { en: "Suggestions", zh: "建议" };
export const QUESTIONS_TITLE: LocalizedText = { en: "Questions", zh: "练习题" };
