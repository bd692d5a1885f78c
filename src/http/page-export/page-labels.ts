// The fixed labels of exported pages.

import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../language/messages.ts";

const LABEL_NAMES = [
  "numbers",
  "made",
  "source",
  "unverified",
  "answer",
  "isTrue",
  "isFalse",
  "high",
  "medium",
  "low",
  "easy",
  "hard",
] as const;

export type PageLabels = Readonly<Record<(typeof LABEL_NAMES)[number], string>>;

/** Returns the labels in a language. */
export function getPageLabels(language: Language): PageLabels {
  const labels = LABEL_NAMES.map((name) => [name, formatMessage(language, createMessage(`pageExport.${name}`))]);
  return Object.fromEntries(labels) as PageLabels;
}
