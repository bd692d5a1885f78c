// The sentences of plan agents, in both languages.

import type { InstanceHead } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTaskStatus } from "../../protocol/workflows/workflow-template.ts";
import type { ChecklistEntry } from "../../protocol/plans/verification.ts";
import type { LocalizedText, Language } from "../../protocol/language/detect-language.ts";

export const TRY_AGAIN: LocalizedText = { en: "Try again", zh: "重试" };
export const STOP: LocalizedText = { en: "Stop", zh: "停止" };

export const STATUS_LABELS: Readonly<Record<WorkflowTaskStatus, LocalizedText>> = {
  NotStarted: { en: "not started", zh: "未开始" },
  Running: { en: "running", zh: "进行中" },
  Retrying: { en: "being tried again", zh: "重试中" },
  Pending: { en: "waiting", zh: "等待中" },
  Done: { en: "done", zh: "已完成" },
  Error: { en: "failed", zh: "失败" },
};

export const VERIFICATION_LABELS: Readonly<Record<ChecklistEntry["status"], LocalizedText>> = {
  executed_and_verified: { en: "verified", zh: "已验证" },
  verification_failed: { en: "verification failed", zh: "验证未通过" },
  executed_but_unverified: { en: "cannot be verified", zh: "无法验证" },
  verification_exception: { en: "could not be asked", zh: "验证时出错" },
};

type WorkflowMessages = {
  readonly askForValues: (name: string, missing: readonly string[]) => string;
  readonly done: (name: string) => string;
  readonly failed: (name: string) => string;
  readonly cancelled: (name: string) => string;
  readonly stillRunning: (name: string) => string;
  readonly checklist: string;
  readonly stopped: string;
};

export const MESSAGES: Readonly<Record<Language, WorkflowMessages>> = {
  en: {
    askForValues: (name, missing) => `To start “${name}”, please give: ${missing.join(", ")}.`,
    done: (name) => `“${name}” is done.`,
    failed: (name) => `“${name}” ended in an error.`,
    cancelled: (name) => `“${name}” was cancelled.`,
    stillRunning: (name) => `“${name}” is still at work. It goes on in its own conversation.`,
    checklist: "Verification:",
    stopped: "You stopped it.",
  },
  zh: {
    askForValues: (name, missing) => `要启动“${name}”，请提供：${missing.join("、")}。`,
    done: (name) => `“${name}”已完成。`,
    failed: (name) => `“${name}”因错误结束。`,
    cancelled: (name) => `“${name}”已取消。`,
    stillRunning: (name) => `“${name}”仍在进行中，会在它自己的会话里继续。`,
    checklist: "核验结果：",
    stopped: "你已停止它。",
  },
};

/** Returns the sentence about the end of an instance. */
export function formatEnd(status: InstanceHead["status"], name: string, language: Language): string {
  const messages = MESSAGES[language];
  if (status === "done") return messages.done(name);
  return status === "cancelled" ? messages.cancelled(name) : messages.failed(name);
}

/** True if a reply only asks to stop. */
export function isStopReply(message: string): boolean {
  return /^(stop|cancel|abort|no|停止|取消|终止|不要)[\s.!。！]*$/i.test(message.trim());
}

/** True if a reply only asks to continue and contains no value. */
export function isRetryReply(message: string): boolean {
  return /^(try again|retry|again|go on|continue|yes|ok(ay)?|重试|再试(一次)?|继续|好的?|是的?)[\s.!。！]*$/i.test(
    message.trim(),
  );
}
