import { useEffect, useRef } from "react";
import { useWords } from "../language.ts";
import { Button } from "./button.tsx";
import styles from "./notice.module.css";
import { WORDS } from "./words.ts";

/**
 * The end of a paged list: loads the next page when it becomes visible or is pressed. After a failure, only a press
 * retries.
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
  const say = useWords(WORDS);
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
        {say(hasFailed ? "retry" : "more")}
      </Button>
    </div>
  );
}
