// The open dialog; at most one at a time. Opening another replaces it.

import { useSyncExternalStore } from "react";
import type { Conversation } from "../../protocol/conversation.ts";

export type Window =
  | { readonly kind: "settings" }
  | { readonly kind: "palette" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "rename" | "delete"; readonly conversation: Conversation };

let current: Window | null = null;
const listeners = new Set<() => void>();

export function openWindow(next: Window): void {
  change(next);
}

export function closeWindow(): void {
  change(null);
}

export function useWindow(): Window | null {
  return useSyncExternalStore(subscribe, () => current);
}

function change(next: Window | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
