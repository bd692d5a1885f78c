// Formats dates, numbers and durations for people. Times are in ms since the epoch and are shown in the local time
// zone.

import { useMemo } from "react";
import { useLanguage } from "../../session/language.ts";

type Formatter = {
  /** "14:05"; "Nov 26 14:05", without the year, if that is not today. */
  time(at: number): string;
  /** "14:05:09", for entries close in time; with the day, without the year, if that is not today. */
  timeWithSeconds(at: number): string;
  /** "Nov 26, 2026, 14:05". */
  dateTime(at: number): string;
  /** Relative to `now` (default: the current time), rounded to the largest unit: "in 3 minutes", "tomorrow". */
  relativeTime(at: number, now?: number): string;
  /** Formats milliseconds: "< 0.1 s", "0.4 s", "12 s", "3 min 5 s". */
  duration(ms: number): string;
  number(value: number): string;
  /** Formats a number of bytes in decimal units: "512 byte", "1.4 MB". */
  bytes(size: number): string;
};

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

const UNITS = [
  ["year", 31_536_000_000],
  ["month", 2_592_000_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Creates a formatter for a language (BCP 47 tag). Clocks have 24 hours. */
export function createFormatter(language: string): Formatter {
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const clockWithSeconds = new Intl.DateTimeFormat(language, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
  const full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const numericRelative = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  const plain = new Intl.NumberFormat(language);
  const seconds = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { style: "unit", unit: "second", maximumFractionDigits: digits }).format(value);
  const minutes = new Intl.NumberFormat(language, { style: "unit", unit: "minute" });
  const getMidnight = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  const isToday = (at: number) => getMidnight(at) === getMidnight(Date.now());
  const formatWithDay = (at: number, time: Intl.DateTimeFormat) =>
    isToday(at) ? time.format(at) : `${day.format(at)} ${time.format(at)}`;
  return {
    time: (at) => formatWithDay(at, clock),
    timeWithSeconds: (at) => formatWithDay(at, clockWithSeconds),
    dateTime: (at) => full.format(at),
    relativeTime(at, now = Date.now()) {
      const [unit, size] = UNITS.find(([, span]) => Math.abs(at - now) >= span) ?? UNITS[5];
      // Days are calendar days: tomorrow begins at midnight.
      const span = unit === "day" ? getMidnight(at) - getMidnight(now) : at - now;
      // Months and years are durations, not calendar units: "next year" would be wrong for fifteen months.
      const relativeFormat = unit === "month" || unit === "year" ? numericRelative : relative;
      return relativeFormat.format(Math.round(span / size), unit);
    },
    duration(ms) {
      if (ms < 50) return `< ${seconds(0.1, 1)}`;
      if (ms < 10_000) return seconds(ms / 1_000, 1);
      const whole = Math.round(ms / 1_000);
      if (whole < 60) return seconds(whole, 0);
      const rest = whole % 60;
      return `${minutes.format(Math.floor(whole / 60))}${rest === 0 ? "" : ` ${seconds(rest, 0)}`}`;
    },
    number: (value) => plain.format(value),
    bytes(size) {
      const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(size, 1)) / 3)));
      return new Intl.NumberFormat(language, { style: "unit", unit: SIZES[power], maximumFractionDigits: 1 }).format(
        size / 1_000 ** power,
      );
    },
  };
}

/** Returns the formatter of the current language; the same object until the language changes. */
export function useFormatter(): Formatter {
  const language = useLanguage();
  return useMemo(() => createFormatter(language), [language]);
}
