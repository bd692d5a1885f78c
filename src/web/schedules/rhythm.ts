// Describes the recurrence of a schedule in the current language.

import type { ScheduleConfig } from "../../protocol/schedule.ts";
import type { Language as Words } from "../../protocol/words/language.ts";
import { describeSchedule } from "../../protocol/words/schedule-words.ts";
import type { Language } from "../language.ts";

const WORDS_OF = { en: "en", "zh-CN": "zh" } as const satisfies Record<Language, Words>;

/** For example `Every weekday at 18:30 (Asia/Shanghai)` or `每天 09:00（Asia/Shanghai）`. */
export function rhythmOf(config: ScheduleConfig, language: Language): string {
  const words = describeSchedule(config, null, WORDS_OF[language]);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
