// The keys that work everywhere.

export type Shortcut = "palette" | "new" | "sidebar" | "shortcuts";

/** In the order in which they are listed for the person. `Mod` is Command on a Mac and Control elsewhere. */
export const SHORTCUTS: readonly { readonly shortcut: Shortcut; readonly keys: readonly string[] }[] = [
  { shortcut: "palette", keys: ["Mod", "K"] },
  { shortcut: "new", keys: ["Mod", "Shift", "O"] },
  { shortcut: "sidebar", keys: ["Mod", "B"] },
  { shortcut: "shortcuts", keys: ["?"] },
];

export type Pressed = Pick<
  KeyboardEvent,
  "key" | "keyCode" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "repeat" | "isComposing"
>;

/**
 * What a key asks for. With Control on a Mac, and while an input method composes, keys belong to the text; a bare key
 * does wherever one can write.
 */
export function shortcutOf(pressed: Pressed, isMac: boolean, isWriting: boolean): Shortcut | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed;
  if (pressed.repeat || pressed.isComposing || pressed.keyCode === COMPOSING || altKey) return null;
  if (!ctrlKey && !metaKey) return key === "?" && !isWriting ? "shortcuts" : null;
  if (isMac ? ctrlKey : metaKey) return null;
  const letter = key.toLowerCase();
  if (shiftKey) return letter === "o" ? "new" : null;
  if (letter === "k") return "palette";
  return letter === "b" ? "sidebar" : null;
}

/** What browsers say that do not tell otherwise that an input method is at work. */
const COMPOSING = 229;

export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Whether a key pressed on it becomes text. */
export function isWritable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input, textarea, select");
}
