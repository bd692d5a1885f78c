// The reasons of instance failures, in the language of the person who started the instance.

import { detectLanguage, type Language } from "../../protocol/language/detect-language.ts";
import type { TurnContext } from "../turn-context.ts";

/** Returns the requested language; detects it from the message only if none was requested. */
export function resolveLanguage({ message, language }: TurnContext["request"]): Language {
  return language === undefined ? detectLanguage(message) : detectLanguage("", language);
}

type InstanceMessages = {
  /** `reason` is the last reason in the trace of the main task. */
  readonly ended: (name: string, reason: string) => string;
  readonly stuck: (name: string, status: string, idle: readonly string[]) => string;
  readonly cancelled: (listener: string) => string;
  /** A listener that waits for conditions; `standing` contains ids and statuses of its trigger tasks. */
  readonly waits: (
    listener: string,
    conditions: readonly string[],
    statuses: readonly (readonly [string, string])[],
  ) => string;
  readonly more: (count: number) => string;
  readonly unverified: (tasks: readonly string[]) => string;
};

/** The sentences about failed instances. `ended` in Chinese also translates the English prefix of a reason. */
export const INSTANCE_MESSAGES: Readonly<Record<Language, InstanceMessages>> = {
  en: {
    ended: (name, reason) => `“${name}” ended in an error. ${reason}`.trim(),
    stuck: (name, status, idle) => [`“${name}” is ${status} and nothing goes on.`, ...idle].join(" "),
    cancelled: (listener) => `${listener} was cancelled.`,
    waits: (listener, conditions, statuses) => {
      const conditionText = conditions.map((text) => `“${text}”`).join(" and ");
      const statusText = statuses.map(([task, status]) => `${task} is ${status}`).join(", ");
      return `${listener} never fired: it waits for ${conditionText}, and ${statusText}.`;
    },
    more: (count) => `${count} more.`,
    unverified: (tasks) => `The verification failed: ${tasks.join(", ")}.`,
  },
  zh: {
    ended: (name, reason) => `“${name}”以错误告终。${reason.replace(/^(\S+) failed: /, "$1 失败：")}`,
    stuck: (name, status, idle) => [`“${name}”停在 ${status}，无法继续。`, ...idle].join(""),
    cancelled: (listener) => `${listener} 已取消。`,
    waits: (listener, conditions, statuses) => {
      const conditionText = conditions.map((text) => `“${text}”`).join("和");
      const statusText = statuses.map(([task, status]) => `${task} 是 ${status}`).join("，");
      return `${listener} 没有触发：它在等待${conditionText}，而 ${statusText}。`;
    },
    more: (count) => `另有 ${count} 个。`,
    unverified: (tasks) => `验证未通过：${tasks.join("、")}。`,
  },
};
