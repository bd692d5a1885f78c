// Exercises with hidden answers. Nothing is graded or stored.

import { Eye, EyeOff } from "lucide-react";
import { useId, useState } from "react";
import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import styles from "./blocks.module.css";

type QuizBlock = Extract<PageBlock, { type: "question_generator" }>;
type QuizExercise = QuizBlock["questions"][number];
const DIFFICULTY_TONES = { easy: "good", medium: "warn", hard: "bad" } as const;

/** The exercises in their `order`. A button shows or hides each answer; a print shows all. */
export function QuizBlockView({ block }: { readonly block: QuizBlock }) {
  const { title, description, knowledgePoint, questions } = block;
  return (
    <>
      <h3>{title}</h3>
      {knowledgePoint === "" ? null : <Badge tone="info">{knowledgePoint}</Badge>}
      {description === "" ? null : <Markdown text={description} />}
      <ol className={styles["questions"]}>
        {questions
          .toSorted((a, b) => a.order - b.order)
          .map((exercise) => (
            <li key={exercise.id}>
              <QuizExercise {...exercise} />
            </li>
          ))}
      </ol>
    </>
  );
}

function QuizExercise(exercise: QuizExercise) {
  const { question, difficulty, answer, explanation } = exercise;
  const t = useMessages("blocks");
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <div className={styles["exercise"]}>
      <div className={styles["exerciseHead"]}>
        <div id={`${id}-question`} className={styles["exerciseText"]}>
          <Markdown text={question} />
        </div>
        <Badge tone={DIFFICULTY_TONES[difficulty]}>{t(difficulty)}</Badge>
      </div>
      <ExerciseOptions exercise={exercise} labelledBy={`${id}-question`} />
      <Button
        look="quiet"
        className={styles["reveal"] ?? ""}
        aria-expanded={isShown}
        aria-controls={`${id}-answer`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        {t(isShown ? "hideAnswer" : "showAnswer")}
      </Button>
      {/* The print styles show hidden answers. */}
      <div id={`${id}-answer`} className={`${styles["answer"]} ${isShown ? "" : styles["answerHidden"]}`}>
        <p>
          <strong>{t("answer")}</strong> {answer}
        </p>
        {explanation === "" ? null : <Markdown text={explanation} />}
      </div>
    </div>
  );
}

/** Options to choose from, or an input for a free answer. */
function ExerciseOptions({ exercise, labelledBy }: { readonly exercise: QuizExercise; readonly labelledBy: string }) {
  const t = useMessages("blocks");
  const name = useId();
  const { type } = exercise;
  const givenOptions = exercise.options ?? [];
  const options = givenOptions.length === 0 && type === "true_false" ? [t("isTrue"), t("isFalse")] : givenOptions;
  if (options.length === 0)
    return type === "short_answer" || type === "fill_in_blank" ? (
      <div className={styles["write"]}>
        <TextArea label={t("yourAnswer")} rows={type === "short_answer" ? 3 : 1} />
      </div>
    ) : null;
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className={styles["options"]}>
      {options.map((option, i) => (
        // oxlint-disable-next-line react/no-array-index-key
        <label key={i} className={styles["option"]}>
          <input type="radio" name={name} />
          <span className={styles["letter"]}>{String.fromCodePoint(65 + i)}</span> <span>{option}</span>
        </label>
      ))}
    </div>
  );
}
