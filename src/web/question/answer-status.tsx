import { LoaderCircle, TriangleAlert } from "lucide-react";
import { useWords } from "../language.ts";
import { formatAnswerRefusal } from "./format-answer-refusal.ts";
import styles from "./question-card.module.css";
import type { AnswerProgress } from "./use-answer.ts";
import { WORDS } from "./words.ts";

/** Shows the progress of an answer, or why it was refused. `isAtField`: the refusal is shown at its field instead. */
export function AnswerStatus({
  progress,
  isAtField = false,
}: {
  readonly progress: AnswerProgress;
  readonly isAtField?: boolean;
}) {
  const say = useWords(WORDS);
  switch (progress.status) {
    case "idle":
      return null;
    case "sending":
    case "sent":
      return (
        <p className={styles["progress"]} role="status">
          <LoaderCircle className={styles["turning"]} size={16} aria-hidden />
          {say(progress.status)}
        </p>
      );
    case "failed": {
      if (isAtField) return null;
      return (
        <p className={styles["failure"]} role="alert">
          <TriangleAlert size={16} aria-hidden />
          {formatAnswerRefusal(progress.refusal)}
        </p>
      );
    }
  }
}
