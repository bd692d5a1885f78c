// The open dialog; at most one at a time. Opening another replaces it.

import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import { createStore, useStore } from "./store.ts";

export type OpenDialogState =
  | { readonly kind: "settings" }
  | { readonly kind: "palette" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "rename" | "delete"; readonly conversation: ConversationInfo };

const openDialogStore = createStore<OpenDialogState | null>(null);

/** Opens a dialog in place of the open one. */
export const openDialog = (next: OpenDialogState): void => openDialogStore.set(next);

export const closeDialog = (): void => openDialogStore.set(null);

/** Returns the open dialog; null if there is none. */
export const useOpenDialog = (): OpenDialogState | null => useStore(openDialogStore);
