import { ArrowRight, MessageCircleQuestionMark } from "lucide-react";
import { useState } from "react";
import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import { useConversation } from "../state/conversation-context.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./pending-bar.module.css";
import { scrollToQuestion } from "./scroll-to-question.ts";

/**
 * Shows the number of open questions; each click scrolls to the next. Nothing if there are none. `mountQuestion` must
 * mount a question that is not in the page because its row is scrolled away.
 */
export function PendingBar({ mountQuestion }: { readonly mountQuestion?: (asked: PendingQuestion) => void }) {
  const { pending } = useConversation().view;
  const t = useMessages("question");
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
            scrollToQuestion(asked, mountQuestion);
          }}
        >
          <MessageCircleQuestionMark size={16} aria-hidden />
          <span className={styles["words"]}>{t("waiting", { n: pending.length })}</span>
          <span className={styles["show"]}>
            {t("show")}
            <ArrowRight size={14} aria-hidden />
          </span>
        </button>
      )}
    </div>
  );
}
