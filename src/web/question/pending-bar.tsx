import { ArrowRight, MessageCircleQuestionMark } from "lucide-react";
import { useState } from "react";
import type { PendingQuestion } from "../../protocol/wire/question.ts";
import { useConversation } from "../chat/conversation-context.ts";
import { useWords } from "../language.ts";
import styles from "./pending-bar.module.css";
import { scrollToQuestion } from "./scroll-to-question.ts";
import { WORDS } from "./words.ts";

/**
 * Shows the number of open questions; each click scrolls to the next. `onSeek` must mount a question that is not in the
 * page because its row is scrolled away.
 */
export function PendingBar({ onSeek }: { readonly onSeek?: (asked: PendingQuestion) => void }) {
  const { pending } = useConversation().view;
  const say = useWords(WORDS);
  const [next, setNext] = useState(0);
  const asked = pending[next % pending.length];
  return (
    <div role="status">
      {asked === undefined ? null : (
        <button
          type="button"
          className={styles["bar"]}
          onClick={() => {
            setNext(next + 1);
            scrollToQuestion(asked, onSeek);
          }}
        >
          <MessageCircleQuestionMark size={16} aria-hidden />
          <span className={styles["words"]}>{say("waiting", { n: pending.length })}</span>
          <span className={styles["show"]}>
            {say("show")}
            <ArrowRight size={14} aria-hidden />
          </span>
        </button>
      )}
    </div>
  );
}
