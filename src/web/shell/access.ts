// Whether the server wants the person to sign in first.

import { useSyncExternalStore } from "react";

let isWanted = false;
const listeners = new Set<() => void>();

/** The server has refused the token, or that there is none. Signing in begins the page anew, so nothing takes this back. */
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
