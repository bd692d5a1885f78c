// Short notices, announced to screen readers, which disappear after `TOAST_MS`.
// Owns the list of visible toasts, at most three; older ones are dropped first.

import { createStore, useStore } from "../session/store.ts";
import { toUserError } from "../session/user-error.ts";
import styles from "./toast.module.css";

type ToastEntry = { readonly id: number; readonly text: string; readonly kind: "info" | "failed" };

const TOAST_MS = 6_000;
const toasts = createStore<readonly ToastEntry[]>([]);
let lastId = 0;

/** Shows a text, for `TOAST_MS`. */
export function showToast(text: string, kind: ToastEntry["kind"] = "info"): void {
  const id = (lastId += 1);
  toasts.set([...toasts.get().slice(-2), { id, text, kind }]);
  setTimeout(() => toasts.set(toasts.get().filter((shown) => shown.id !== id)), TOAST_MS);
}

/** Shows the message of an error as a toast; see `toUserError`. */
export function showErrorToast(error: unknown): void {
  showToast(toUserError(error).message, "failed");
}

/** The visible toasts, as a live region. Every open dialog has its own, in addition to that of the application. */
export function Toasts() {
  const shown = useStore(toasts);
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
