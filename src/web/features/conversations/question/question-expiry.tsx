import { Hourglass } from "lucide-react";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages, type Translate } from "../../../session/language.ts";
import { useNow } from "../../../ui/format/elapsed-time.tsx";
import styles from "./question-card.module.css";

/**
 * Shows the time left until `at` (ms since the epoch). Screen readers get the deadline, and one announcement when five
 * minutes are left.
 */
export function QuestionExpiry({ at }: { readonly at: number }) {
  const t = useMessages("question");
  const format = useFormatter();
  const { words, isUrgent, isOver } = computeCountdown(at, useNow(1_000, true), t);
  return (
    <span className={`${styles["expiry"]} ${isUrgent ? styles["urgent"] : ""}`}>
      <Hourglass size={14} aria-hidden />
      <span aria-hidden title={t("answerBy", { time: format.time(at) })}>
        {words}
      </span>
      <span className="visually-hidden">{t("answerBy", { time: format.time(at) })}</span>
      <span className="visually-hidden" role="status">
        {isUrgent && !isOver ? t("lessThanFiveMinutes") : ""}
      </span>
    </span>
  );
}

// Formats the time until a question expires. The text changes only as often as it is useful to read.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const URGENT_MS = 5 * MINUTE_MS;

type QuestionCountdown = {
  readonly words: string;
  readonly isUrgent: boolean;
  readonly isOver: boolean;
  /** The minimum time in ms until the text changes. */
  readonly validForMs: number;
};

/** Returns the countdown at the time `now`. Times are in ms since the epoch. It is urgent for the last 5 minutes. */
export function computeCountdown(expiresAt: number, now: number, t: Translate<"question">): QuestionCountdown {
  const left = expiresAt - now;
  if (left <= 0) return { words: t("timeIsUp"), isUrgent: true, isOver: true, validForMs: HOUR_MS };
  const isUrgent = left <= URGENT_MS;
  const shared = { isUrgent, isOver: false };
  if (left < MINUTE_MS)
    return { ...shared, words: t("secondsLeft", { n: Math.ceil(left / 1_000) }), validForMs: 1_000 };
  if (isUrgent) {
    const [minutes, seconds] = [Math.floor(left / MINUTE_MS), Math.floor((left % MINUTE_MS) / 1_000)];
    return {
      ...shared,
      words: t("clockLeft", { clock: `${minutes}:${String(seconds).padStart(2, "0")}` }),
      validForMs: 1_000,
    };
  }
  if (left < 2 * HOUR_MS)
    return { ...shared, words: t("minutesLeft", { n: Math.round(left / MINUTE_MS) }), validForMs: 10_000 };
  if (left < 48 * HOUR_MS)
    return { ...shared, words: t("hoursLeft", { n: Math.floor(left / HOUR_MS) }), validForMs: MINUTE_MS };
  return { ...shared, words: t("daysLeft", { n: Math.floor(left / (24 * HOUR_MS)) }), validForMs: MINUTE_MS };
}
