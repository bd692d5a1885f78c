// Short notices, announced to screen readers, which disappear after `SHOWN_MS`.
// Owns the list of visible toasts, at most three; older ones are dropped first.

import { useSyncExternalStore } from "react";
import { refusalOf } from "../refusal.ts";
import styles from "./toast.module.css";

type Toast = { readonly id: number; readonly text: string; readonly kind: "said" | "failed" };

const SHOWN_MS = 6_000;
let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(text: string, kind: Toast["kind"] = "said"): void {
  const id = (last += 1);
  change([...toasts.slice(-2), { id, text, kind }]);
  setTimeout(() => change(toasts.filter((shown) => shown.id !== id)), SHOWN_MS);
}

/** Shows an error of an action as a toast. */
export function toastFailure(error: unknown): void {
  toast(refusalOf(error).message, "failed");
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className={styles["toasts"]} role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <p key={id} className={`${styles["toast"]} ${styles[kind]}`}>
          {text}
        </p>
      ))}
    </div>
  );
}
