// Records that the server requires the user to sign in.
// Once set, it stays set for the lifetime of the page, because signing in reloads the page.

import { useSyncExternalStore } from "react";

let isRequired = false;
const listeners = new Set<() => void>();

/** Shows the sign-in page in place of the application. Call it when the server has responded `unauthorized`. */
export function requireSignIn(): void {
  isRequired = true;
  for (const listener of listeners) listener();
}

/** Returns true once sign-in is required. */
export function useSignInRequired(): boolean {
  return useSyncExternalStore(subscribe, () => isRequired);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
