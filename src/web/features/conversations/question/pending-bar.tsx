import { ArrowRight, MessageCircleQuestionMark } from "lucide-react";
import { useState } from "react";
import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import { useConversation } from "../state/conversation-context.ts";
import { useMessages } from "../../../session/language.ts";
import styles from "./pending-bar.module.css";
import { setFold } from "../state/shown-items.ts";

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

// Scrolls to a question and focuses it, wherever it is in the conversation.

/** Returns the id of the element of a question. */
export const getQuestionElementId = (requestId: string) => `question-${requestId}`;

/** Focuses the card of a question, if it is mounted, because the button that was pressed in it is removed. */
export function focusQuestion(requestId: string): void {
  document.getElementById(getQuestionElementId(requestId))?.focus({ preventScroll: true });
}

/** The number of animation frames to wait for a question to be mounted. */
const MAX_WAIT_FRAMES = 20;

/**
 * Scrolls to the question and focuses it. If it is not in the page, unfolds its task and calls `mountQuestion`, which
 * must mount it. Returns at once; gives up silently if it does not appear within `MAX_WAIT_FRAMES`.
 */
function scrollToQuestion(asked: PendingQuestion, mountQuestion?: (asked: PendingQuestion) => void): void {
  if (tryShowQuestion(asked)) return;
  if (asked.task_id !== undefined) setFold(asked.task_id, true);
  mountQuestion?.(asked);
  let left = MAX_WAIT_FRAMES;
  const retry = () => {
    left -= 1;
    if (!tryShowQuestion(asked) && left > 0) requestAnimationFrame(retry);
  };
  requestAnimationFrame(retry);
}

function tryShowQuestion({ request_id }: PendingQuestion): boolean {
  const element = document.getElementById(getQuestionElementId(request_id));
  // Show a tall card from its beginning.
  const isTall = (element?.offsetHeight ?? 0) > innerHeight / 2;
  element?.scrollIntoView({ block: isTall ? "start" : "center" });
  element?.focus({ preventScroll: true });
  return element !== null;
}
