// Connectivity to the server, according to the last request and the browser.
// A module variable, written by `reportConnectivity` after every request and read by all components.

import { useSyncExternalStore } from "react";
import { Fault } from "../../protocol/wire/fault.ts";

let isServerReachable = true;
const listeners = new Set<() => void>();

/**
 * Returns true for the `Fault` (`unavailable` with a cause) of a request without any response. A server that responds
 * with an error is reachable.
 */
export function isUnreachableError(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable" && error.cause !== undefined;
}

/** Records if the last request reached the server, and notifies the components if that has changed. */
export function reportConnectivity(reached: boolean): void {
  if (reached === isServerReachable) return;
  isServerReachable = reached;
  for (const listener of listeners) listener();
}

/**
 * Returns `offline` if the browser has no network, `unreachable` if the last request got no response, else `reached`.
 */
export function useConnectivity(): "reached" | "offline" | "unreachable" {
  return useSyncExternalStore(subscribe, () =>
    !navigator.onLine ? "offline" : isServerReachable ? "reached" : "unreachable",
  );
}

/**
 * Calls `listener` when a lost connection may be restorable: the browser is online again, or the page is visible again.
 * Returns the function that removes the listeners.
 */
export function onReconnectChance(listener: () => void): () => void {
  const handleVisibility = () => {
    if (document.visibilityState === "visible") listener();
  };
  addEventListener("online", listener);
  document.addEventListener("visibilitychange", handleVisibility);
  return () => {
    removeEventListener("online", listener);
    document.removeEventListener("visibilitychange", handleVisibility);
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
