import type { KeyboardEvent } from "react";

/** True while an input method editor (IME) processes the key. Some browsers report this only by key code 229. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}
