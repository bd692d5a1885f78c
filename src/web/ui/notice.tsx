// Placeholders for content: loading, failed, empty.

import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { toFault } from "../../protocol/wire/fault.ts";
import { useWords } from "../language.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";
import { WORDS } from "./words.ts";

export function Loading() {
  const say = useWords(WORDS);
  return (
    <div className={styles["notice"]} role="status">
      <LoaderCircle className={styles["turning"]} size={20} aria-hidden />
      <span className="visually-hidden">{say("loading")}</span>
    </div>
  );
}

/** Shows the server's message and a retry button; no retry for content that does not exist. */
export function LoadFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const say = useWords(WORDS);
  const { code, message } = toFault(error);
  if (code === "not_found")
    return (
      <div className={styles["notice"]} role="alert">
        <strong>{say("gone")}</strong>
        <p>{say("goneMore")}</p>
      </div>
    );
  return (
    <div className={styles["notice"]} role="alert">
      <strong>{say("failed")}</strong>
      <p>{code === "unavailable" ? say("unreachable") : message}</p>
      {onRetry === undefined ? null : <Button onClick={onRetry}>{say("retry")}</Button>}
    </div>
  );
}

export function EmptyNotice({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles["notice"]}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
