// Connectivity to the server, according to the last request and the browser.
// A module variable, written by `reportConnectivity` after every request and read by all components.

import { useSyncExternalStore } from "react";
import { Fault } from "../../protocol/fault.ts";

let isReached = true;
const listeners = new Set<() => void>();

/** True if there was no response at all. A server that responds with an error is reachable. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable" && error.cause !== undefined;
}

/** Records whether the last request reached the server. */
export function noteReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

export function useReach(): "reached" | "offline" | "unreachable" {
  return useSyncExternalStore(subscribe, () => (!navigator.onLine ? "offline" : isReached ? "reached" : "unreachable"));
}

/**
 * Calls `listener` when a lost connection may be restorable: the browser is online again, or the page is visible again.
 * Returns the function that removes the listeners.
 */
export function onReturn(listener: () => void): () => void {
  const onSight = () => {
    if (document.visibilityState === "visible") listener();
  };
  addEventListener("online", listener);
  document.addEventListener("visibilitychange", onSight);
  return () => {
    removeEventListener("online", listener);
    document.removeEventListener("visibilitychange", onSight);
  };
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
