import { ArrowUp } from "lucide-react";
import { useId, useSyncExternalStore, type KeyboardEvent } from "react";
import type { Draft } from "../chat/composer/draft.ts";
import { isComposing } from "../composing.ts";
import { useWords } from "../language.ts";
import { plainly } from "../../protocol/visible.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Outcome } from "./outcome.tsx";
import styles from "./question.module.css";
import { isBusy, type Progress } from "./use-answer.ts";
import { WORDS } from "./words.ts";

/** The form of a question without approval: suggested answers and a text box. */
export function Reply({
  options: given,
  draft,
  progress,
  onAnswer,
}: {
  readonly options: readonly string[];
  readonly draft: Draft;
  readonly progress: Progress;
  readonly onAnswer: (message: string) => void;
}) {
  const say = useWords(WORDS);
  const id = useId();
  const text = useSyncExternalStore(draft.subscribe, draft.get);
  const busy = isBusy(progress);
  const options = [...new Set(given)].filter((option) => option.trim() !== "");
  const send = () => {
    if (text.trim() !== "") onAnswer(text);
  };
  return (
    <div className={styles["reply"]}>
      {options.length === 0 ? null : (
        <div className={styles["options"]} role="group" aria-label={say("options")}>
          {options.map((option) => (
            <Button key={option} className={styles["option"]} disabled={busy} onClick={() => onAnswer(option)}>
              {plainly(option)}
            </Button>
          ))}
        </div>
      )}
      <label htmlFor={id}>{say(options.length === 0 ? "yourAnswer" : "orYourAnswer")}</label>
      <div className={styles["box"]}>
        <textarea
          id={id}
          rows={1}
          value={text}
          readOnly={busy}
          onChange={(event) => draft.set(event.target.value)}
          onKeyDown={(event) => {
            if (!isSending(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <IconButton look="primary" label={say("send")} disabled={busy || text.trim() === ""} onClick={send}>
          <ArrowUp size={18} aria-hidden />
        </IconButton>
      </div>
      <Outcome progress={progress} />
    </div>
  );
}

/** Returns true for Enter without Shift, unless an input method is composing characters. */
function isSending(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !isComposing(event);
}
