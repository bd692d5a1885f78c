// The open dialog; at most one at a time. Opening another replaces it.

import { useSyncExternalStore } from "react";
import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";

export type OpenDialogState =
  | { readonly kind: "settings" }
  | { readonly kind: "palette" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "rename" | "delete"; readonly conversation: ConversationInfo };

let currentDialog: OpenDialogState | null = null;
const listeners = new Set<() => void>();

/** Opens a dialog in place of the open one. */
export function openDialog(next: OpenDialogState): void {
  setCurrentDialog(next);
}

export function closeDialog(): void {
  setCurrentDialog(null);
}

/** Returns the open dialog; null if there is none. */
export function useOpenDialog(): OpenDialogState | null {
  return useSyncExternalStore(subscribe, () => currentDialog);
}

function setCurrentDialog(next: OpenDialogState | null): void {
  currentDialog = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
