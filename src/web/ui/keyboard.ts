import type { KeyboardEvent } from "react";

/** True while an input method editor (IME) processes the key. Some browsers report this only by key code 229. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}

/** True for inputs, text areas, selects and editable elements, where keys belong to the element. */
export function isTextInput(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
