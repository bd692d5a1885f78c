import { useEffect, useRef } from "react";
import { useMessages } from "../session/language.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";

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
