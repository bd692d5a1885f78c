// Global keyboard shortcuts.

export type Shortcut = "palette" | "new" | "sidebar" | "shortcuts";

/** In display order. `Mod` is Command on a Mac and Control elsewhere. */
export const SHORTCUTS: readonly { readonly shortcut: Shortcut; readonly keys: readonly string[] }[] = [
  { shortcut: "palette", keys: ["Mod", "K"] },
  { shortcut: "new", keys: ["Mod", "Shift", "O"] },
  { shortcut: "sidebar", keys: ["Mod", "B"] },
  { shortcut: "shortcuts", keys: ["?"] },
];

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "keyCode" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "repeat" | "isComposing"
>;

/**
 * Returns the shortcut of a key event, or null. Keys of an input method and, on a Mac, Control combinations belong to
 * the text; `?` is a shortcut only outside of text inputs.
 */
export function matchShortcut(pressed: KeyPress, isMac: boolean, isInText: boolean): Shortcut | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed;
  if (pressed.repeat || pressed.isComposing || pressed.keyCode === COMPOSING_KEY_CODE || altKey) return null;
  if (!ctrlKey && !metaKey) return key === "?" && !isInText ? "shortcuts" : null;
  if (isMac ? ctrlKey : metaKey) return null;
  const letter = key.toLowerCase();
  if (shiftKey) return letter === "o" ? "new" : null;
  if (letter === "k") return "palette";
  return letter === "b" ? "sidebar" : null;
}

/** The key code by which some browsers indicate an active input method. */
const COMPOSING_KEY_CODE = 229;

export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** True if key presses on the target enter text. */
export function isTextInput(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
