import { Hourglass } from "lucide-react";
import { useFormatter } from "../formatter.ts";
import { useWords } from "../language.ts";
import { useNow } from "../task-plan/use-now.ts";
import { computeCountdown } from "./question-countdown.ts";
import styles from "./question-card.module.css";
import { WORDS } from "./words.ts";

/** Shows the time left to answer. Screen readers get the deadline, and one announcement when little time is left. */
export function QuestionExpiry({ at }: { readonly at: number }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const { words, isUrgent, isOver } = computeCountdown(at, useNow(1_000, true), say);
  return (
    <span className={`${styles["expiry"]} ${isUrgent ? styles["urgent"] : ""}`}>
      <Hourglass size={14} aria-hidden />
      <span aria-hidden title={say("answerBy", { time: format.time(at) })}>
        {words}
      </span>
      <span className="visually-hidden">{say("answerBy", { time: format.time(at) })}</span>
      <span className="visually-hidden" role="status">
        {isUrgent && !isOver ? say("hurry") : ""}
      </span>
    </span>
  );
}
