import type { KeyboardEvent } from "react";

/** Whether an input method has the keys for itself: some browsers say so only by the code. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}
