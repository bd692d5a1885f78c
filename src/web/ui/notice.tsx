// Placeholders for content: loading, failed, empty.

import { LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { toFault } from "../../protocol/wire/fault.ts";
import { useMessages } from "../session/language.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";

/** A turning icon, announced to screen readers as loading. */
export function Loading() {
  const t = useMessages("common");
  return (
    <div className={styles["notice"]} role="status">
      <LoaderCircle className="turning" size={20} aria-hidden />
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

/**
 * The end of a paged list: a button that loads the next page when it becomes visible or is pressed. After a failure,
 * only a press retries. Nothing if there is no further page. `list` is an infinite query.
 */
export function LoadMore({
  list: { hasNextPage, isFetchingNextPage: isBusy, isFetchNextPageError: hasFailed, fetchNextPage },
}: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}) {
  const t = useMessages("common");
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBusy || hasFailed || button.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isBusy, hasFailed, hasNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div className={styles["notice"]}>
      <Button ref={button} disabled={isBusy} onClick={() => void fetchNextPage()}>
        {t(hasFailed ? "retry" : "showMore")}
      </Button>
    </div>
  );
}
