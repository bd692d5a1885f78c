// Connectivity to the server, according to the last request and the browser.
// A module variable, written by `reportConnectivity` after every request and read by all components.

import { Fault } from "../../protocol/wire/fault.ts";
import { createStore, useStore } from "./store.ts";

const isServerReachable = createStore(true);

/**
 * Returns true for the `Fault` (`unavailable` with a cause) of a request without any response. A server that responds
 * with an error is reachable.
 */
export function isUnreachableError(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable" && error.cause !== undefined;
}

/** Records if the last request reached the server, and notifies the components if that has changed. */
export function reportConnectivity(reached: boolean): void {
  if (reached !== isServerReachable.get()) isServerReachable.set(reached);
}

/**
 * Returns `offline` if the browser has no network, `unreachable` if the last request got no response, else `reached`.
 */
export function useConnectivity(): "reached" | "offline" | "unreachable" {
  return useStore({
    subscribe,
    get: () => (!navigator.onLine ? "offline" : isServerReachable.get() ? "reached" : "unreachable"),
  });
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
  const unsubscribe = isServerReachable.subscribe(listener);
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    unsubscribe();
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
