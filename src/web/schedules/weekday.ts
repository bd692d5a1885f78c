import type { Language } from "../language.ts";

/** A Sunday, in ms since the epoch. */
const SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

/** Formats the name of a weekday; 0 and 7 are Sunday. */
export function weekdayName(weekday: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(SUNDAY + weekday * DAY_MS);
}
