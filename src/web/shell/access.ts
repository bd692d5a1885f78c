// Records that the server requires the user to sign in.
// Once set, it stays set for the lifetime of the page, because signing in reloads the page.

import { useSyncExternalStore } from "react";

let isWanted = false;
const listeners = new Set<() => void>();

/** Called when the server has rejected the token, or its absence. */
export function requireSignIn(): void {
  isWanted = true;
  for (const listener of listeners) listener();
}

export function useSignInWanted(): boolean {
  return useSyncExternalStore(subscribe, () => isWanted);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
