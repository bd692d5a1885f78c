import { ArrowUp } from "lucide-react";
import { useId, type KeyboardEvent } from "react";
import type { DraftStore } from "../state/draft-store.ts";
import { isComposing } from "../../../ui/text-input.ts";
import { useStore } from "../../../session/store.ts";
import { useMessages } from "../../../session/language.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { AnswerStatus } from "./answer-status.tsx";
import styles from "./question-card.module.css";
import { isAnswerPending, type AnswerProgress } from "./use-answer.ts";

/** The form of a question without approval: suggested answers and a text box. A click or Enter calls `onAnswer`. */
export function ReplyForm({
  options: suggestions,
  draft,
  progress,
  onAnswer,
}: {
  readonly options: readonly string[];
  readonly draft: DraftStore;
  readonly progress: AnswerProgress;
  readonly onAnswer: (message: string) => void;
}) {
  const t = useMessages("question");
  const id = useId();
  const text = useStore(draft);
  const busy = isAnswerPending(progress);
  const options = [...new Set(suggestions)].filter((option) => option.trim() !== "");
  const send = () => {
    if (text.trim() !== "") onAnswer(text);
  };
  return (
    <div className={styles["reply"]}>
      {options.length === 0 ? null : (
        <div className={styles["options"]} role="group" aria-label={t("options")}>
          {options.map((option) => (
            <Button key={option} className={styles["option"]} disabled={busy} onClick={() => onAnswer(option)}>
              {escapeHiddenControls(option)}
            </Button>
          ))}
        </div>
      )}
      <label htmlFor={id}>{t(options.length === 0 ? "yourAnswer" : "orYourAnswer")}</label>
      <div className={styles["box"]}>
        <textarea
          id={id}
          rows={1}
          value={text}
          readOnly={busy}
          onChange={(event) => draft.set(event.target.value)}
          onKeyDown={(event) => {
            if (!isSubmitKey(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <IconButton look="primary" label={t("send")} disabled={busy || text.trim() === ""} onClick={send}>
          <ArrowUp size={18} aria-hidden />
        </IconButton>
      </div>
      <AnswerStatus progress={progress} />
    </div>
  );
}

/** Returns true for Enter without Shift, unless an input method is composing characters. */
function isSubmitKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !isComposing(event);
}
