// Whether the server can be reached, as far as is known from the last attempt.

import { useSyncExternalStore } from "react";

let isReached = true;
const listeners = new Set<() => void>();

/** Told by everything that asks the server. */
export function noteReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

export function useReach(): "reached" | "offline" | "unreachable" {
  return useSyncExternalStore(subscribe, () => (!navigator.onLine ? "offline" : isReached ? "reached" : "unreachable"));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
