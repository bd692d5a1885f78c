// The reasons of instance failures, in the language of the person who started the instance.

import { languageOf, type Language } from "../../protocol/words/language.ts";
import type { Scene } from "../scene.ts";

/** Returns the requested language; detects it from the message only if none was requested. */
export function languageFor({ message, language }: Scene["request"]): Language {
  return language === undefined ? languageOf(message) : languageOf("", language);
}

type Words = {
  /** `reason` is the last reason in the trace of the main task. */
  readonly ended: (name: string, reason: string) => string;
  readonly stuck: (name: string, status: string, silent: readonly string[]) => string;
  readonly cancelled: (listener: string) => string;
  /** A listener that waits for conditions; `standing` contains ids and statuses of its trigger tasks. */
  readonly waits: (
    listener: string,
    conditions: readonly string[],
    standing: readonly (readonly [string, string])[],
  ) => string;
  readonly more: (count: number) => string;
  readonly unverified: (tasks: readonly string[]) => string;
};

/** The sentences about failed instances. `ended` in Chinese also translates the English prefix of a reason. */
export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    ended: (name, reason) => `“${name}” ended in an error. ${reason}`.trim(),
    stuck: (name, status, silent) => [`“${name}” is ${status} and nothing goes on.`, ...silent].join(" "),
    cancelled: (listener) => `${listener} was cancelled.`,
    waits: (listener, conditions, standing) => {
      const wanted = conditions.map((text) => `“${text}”`).join(" and ");
      const stands = standing.map(([task, status]) => `${task} is ${status}`).join(", ");
      return `${listener} never fired: it waits for ${wanted}, and ${stands}.`;
    },
    more: (count) => `${count} more.`,
    unverified: (tasks) => `The verification failed: ${tasks.join(", ")}.`,
  },
  zh: {
    ended: (name, reason) => `“${name}”以错误告终。${reason.replace(/^(\S+) failed: /, "$1 失败：")}`,
    stuck: (name, status, silent) => [`“${name}”停在 ${status}，无法继续。`, ...silent].join(""),
    cancelled: (listener) => `${listener} 已取消。`,
    waits: (listener, conditions, standing) => {
      const wanted = conditions.map((text) => `“${text}”`).join("和");
      const stands = standing.map(([task, status]) => `${task} 是 ${status}`).join("，");
      return `${listener} 没有触发：它在等待${wanted}，而 ${stands}。`;
    },
    more: (count) => `另有 ${count} 个。`,
    unverified: (tasks) => `验证未通过：${tasks.join("、")}。`,
  },
};
