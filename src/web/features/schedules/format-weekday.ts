import type { UiLanguage } from "../../session/language.ts";

/** A Sunday, in ms since the epoch. */
const SUNDAY_MS = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

/** Returns the full name of a weekday; 0 and 7 are Sunday. */
export function formatWeekday(weekday: number, language: UiLanguage): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(SUNDAY_MS + weekday * DAY_MS);
}
