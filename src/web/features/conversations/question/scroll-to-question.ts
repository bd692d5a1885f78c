// Scrolls to a question and focuses it, wherever it is in the conversation.

import type { PendingQuestion } from "../../../../protocol/wire/question.ts";
import { setFold } from "../state/fold-state.ts";

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
export function scrollToQuestion(asked: PendingQuestion, mountQuestion?: (asked: PendingQuestion) => void): void {
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
