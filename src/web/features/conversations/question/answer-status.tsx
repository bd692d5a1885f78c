import { LoaderCircle, TriangleAlert } from "lucide-react";
import { useMessages } from "../../../session/language.ts";
import styles from "./question-card.module.css";
import { formatAnswerRefusal, type AnswerProgress } from "./use-answer.ts";

/**
 * Shows the progress of an answer, or why it was refused; nothing before an answer was sent. `isAtField`: the refusal
 * is shown at its field instead, so not here.
 */
export function AnswerStatus({
  progress,
  isAtField = false,
}: {
  readonly progress: AnswerProgress;
  readonly isAtField?: boolean;
}) {
  const t = useMessages("question");
  switch (progress.status) {
    case "idle":
      return null;
    case "sending":
    case "sent":
      return (
        <p className={styles["progress"]} role="status">
          <LoaderCircle className="turning" size={16} aria-hidden />
          {t(progress.status)}
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
