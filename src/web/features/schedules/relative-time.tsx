// Points in time, as an updating relative time and as a date.

import { useMemo } from "react";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useLanguage } from "../../session/language.ts";
import { useNow } from "../../ui/format/elapsed-time.tsx";
import styles from "./schedules-page.module.css";

const CLOCK_STEP_MS = 5_000;
const WEEK_MS = 7 * 86_400_000;

/**
 * Formats `Mon 09:00`; with the date if it is more than a week away, and with the year if it differs. In the browser's
 * time zone.
 */
export function formatShortDate(language: string, at: number, now: number): string {
  const isNear = Math.abs(at - now) < WEEK_MS;
  return new Intl.DateTimeFormat(language, {
    weekday: "short",
    ...(isNear ? {} : { month: "short", day: "numeric" }),
    ...(isNear || isSameYear(at, now) ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
}

const isSameYear = (a: number, b: number) => new Date(a).getFullYear() === new Date(b).getFullYear();

/**
 * Shows `in 3 hours · Mon 09:00` for `at` (ms since the epoch), updated every 5 s. Times within one step are shown as
 * now.
 */
export function RelativeTime({ at }: { readonly at: number }) {
  const format = useFormatter();
  const language = useLanguage();
  const now = useNow(CLOCK_STEP_MS, true);
  const title = useMemo(() => format.dateTime(at), [format, at]);
  return (
    <time dateTime={new Date(at).toISOString()} title={title} className={styles["when"]}>
      {format.relativeTime(Math.abs(at - now) < CLOCK_STEP_MS ? now : at, now)}
      <span className={styles["quiet"]}> · {formatShortDate(language, at, now)}</span>
    </time>
  );
}
