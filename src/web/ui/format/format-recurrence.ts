// Describes the recurrence of a schedule in the current language.

import type { ScheduleConfig } from "../../../protocol/schedules/schedule-config.ts";
import type { Language } from "../../../language/detect-language.ts";
import { describeSchedule } from "../../../language/schedules/describe-schedule.ts";
import type { UiLanguage } from "../../session/language.ts";

const PROTOCOL_LANGUAGES = { en: "en", "zh-CN": "zh" } as const satisfies Record<UiLanguage, Language>;

/** Describes a recurrence, such as `Every weekday at 18:30 (Asia/Shanghai)` or `每天 09:00（Asia/Shanghai）`. */
export function formatRecurrence(config: ScheduleConfig, language: UiLanguage): string {
  const words = describeSchedule(config, null, PROTOCOL_LANGUAGES[language]);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
