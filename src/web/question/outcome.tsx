import { LoaderCircle, TriangleAlert } from "lucide-react";
import { useWords } from "../language.ts";
import styles from "./question.module.css";
import type { Progress } from "./use-answer.ts";
import { WORDS } from "./words.ts";

const KNOWN = ["question_answered", "question_expired", "question_cancelled"] as const;

/** How far an answer has come, or why it was refused. `isAtField`: that is said somewhere else. */
export function Outcome({
  progress,
  isAtField = false,
}: {
  readonly progress: Progress;
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
      const { code, message } = progress.refusal;
      const known = KNOWN.find((name) => name === code);
      const words = known === undefined ? (code === "internal" ? say("failed") : message) : say(known);
      return (
        <p className={styles["failure"]} role="alert">
          <TriangleAlert size={16} aria-hidden />
          {words}
        </p>
      );
    }
  }
}
