// Placeholders for content: loading, failed, empty.

import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { toFault } from "../../protocol/wire/fault.ts";
import { useMessages } from "../session/language.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";

/** A turning icon, announced to screen readers as loading. */
export function Loading() {
  const t = useMessages("common");
  return (
    <div className={styles["notice"]} role="status">
      <LoaderCircle className={styles["turning"]} size={20} aria-hidden />
      <span className="visually-hidden">{t("loading")}</span>
    </div>
  );
}

/**
 * Shown in place of content that could not be loaded: the message of the error and, with `onRetry`, a retry button. For
 * `unavailable` the message is a translated one; for `not_found` it is a general text, without a retry button.
 */
export function LoadFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useMessages("common");
  const { code, message } = toFault(error);
  if (code === "not_found")
    return (
      <div className={styles["notice"]} role="alert">
        <strong>{t("notFound")}</strong>
        <p>{t("notFoundMore")}</p>
      </div>
    );
  return (
    <div className={styles["notice"]} role="alert">
      <strong>{t("loadFailed")}</strong>
      <p>{code === "unavailable" ? t("unreachable") : message}</p>
      {onRetry === undefined ? null : <Button onClick={onRetry}>{t("retry")}</Button>}
    </div>
  );
}

/** Shown in place of content that does not exist yet. */
export function EmptyNotice({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles["notice"]}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
