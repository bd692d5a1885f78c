// Leading a person to a question, wherever it stands.

import type { Pending } from "../../protocol/question.ts";
import { setFold } from "../plan/folds.ts";

/** The element of a question. */
export const elementOf = (requestId: string) => `question-${requestId}`;

/** Stands on the card of a question: what was pressed there goes away. */
export function standOn(requestId: string): void {
  document.getElementById(elementOf(requestId))?.focus({ preventScroll: true });
}

/** Frames in which what was folded or scrolled away comes back. */
const PATIENCE = 20;

/** Shows the question and stands on it. `bring` is asked for what is not in the page, such as a part of a long list. */
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
  // What does not fit is read from its beginning.
  const isTall = (element?.offsetHeight ?? 0) > innerHeight / 2;
  element?.scrollIntoView({ block: isTall ? "start" : "center" });
  element?.focus({ preventScroll: true });
  return element !== null;
}
