// Scrolls to a question and focuses it, wherever it is in the conversation.

import type { Pending } from "../../protocol/question.ts";
import { setFold } from "../plan/folds.ts";

/** Returns the id of the element of a question. */
export const elementOf = (requestId: string) => `question-${requestId}`;

/** Focuses the card of a question, because the button that was pressed in it is removed. */
export function standOn(requestId: string): void {
  document.getElementById(elementOf(requestId))?.focus({ preventScroll: true });
}

/** The number of animation frames to wait for a question to be mounted. */
const PATIENCE = 20;

/**
 * Scrolls to the question and focuses it. If it is not in the page, unfolds its task and calls `bring`, which must
 * mount it. Gives up silently if it does not appear.
 */
export function seek(asked: Pending, bring?: (asked: Pending) => void): void {
  if (arriveAt(asked)) return;
  if (asked.task_id !== undefined) setFold(asked.task_id, true);
  bring?.(asked);
  let left = PATIENCE;
  const again = () => {
    left -= 1;
    if (!arriveAt(asked) && left > 0) requestAnimationFrame(again);
  };
  requestAnimationFrame(again);
}

function arriveAt({ request_id }: Pending): boolean {
  const element = document.getElementById(elementOf(request_id));
  // Show a tall card from its beginning.
  const isTall = (element?.offsetHeight ?? 0) > innerHeight / 2;
  element?.scrollIntoView({ block: isTall ? "start" : "center" });
  element?.focus({ preventScroll: true });
  return element !== null;
}
