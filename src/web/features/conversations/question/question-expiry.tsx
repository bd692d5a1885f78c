import { Hourglass } from "lucide-react";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { useNow } from "../../../ui/format/use-now.ts";
import { computeCountdown } from "./question-countdown.ts";
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
