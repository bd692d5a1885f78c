import { type KeyboardEvent, useEffect, useState } from "react";

/** True while an input method editor (IME) processes the key. Some browsers report this only by key code 229. */
export function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229;
}

/** True for inputs, text areas, selects and editable elements, where keys belong to the element. */
export function isTextInput(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}

/** Returns the last value that has not changed for `ms` milliseconds; at first, the initial value. */
export function useDebouncedValue<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
