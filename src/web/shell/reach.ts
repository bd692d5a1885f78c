// Whether the server can be reached, as far as is known from the last attempt.

import { useSyncExternalStore } from "react";
import { Fault } from "../../protocol/fault.ts";

let isReached = true;
const listeners = new Set<() => void>();

/** Nothing came back at all; a server that answers that it cannot do something is there. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof Fault && error.code === "unavailable" && error.cause !== undefined;
}

/** Told by everything that asks the server. */
export function noteReached(reached: boolean): void {
  if (reached === isReached) return;
  isReached = reached;
  for (const listener of listeners) listener();
}

export function useReach(): "reached" | "offline" | "unreachable" {
  return useSyncExternalStore(subscribe, () => (!navigator.onLine ? "offline" : isReached ? "reached" : "unreachable"));
}

/** Calls `listener` when lines may have died or may come back: the network is there again, the page is looked at again. */
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
