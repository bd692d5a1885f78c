// Texts shown in blocks for truncated, missing or failed content.

import type { Both } from "../../protocol/words/language.ts";

export const NO_DATA: Both = { en: "There is no data for this block.", zh: "这个模块没有数据。" };

export const UNSHOWABLE: Both = {
  en: "The data of this block cannot be shown in this form.",
  zh: "这个模块的数据无法以这种形式展示。",
};

export const firstOf = (shown: number, all: number): Both => ({
  en: `first ${shown} of ${all}`,
  zh: `前${shown}项，共${all}项`,
});

export const moreThan = (shown: number): Both => ({
  en: `first ${shown}, there are more`,
  zh: `前${shown}项，还有更多`,
});

export const notWritten = (reason: string): Both => ({
  en: `This text could not be written. ${reason}`,
  zh: `这段文字没有写出来。${reason}`,
});

export const SUGGESTIONS: Both = { en: "Suggestions", zh: "建议" };
export const QUESTIONS: Both = { en: "Questions", zh: "练习题" };
