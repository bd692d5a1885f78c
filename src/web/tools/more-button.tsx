import { useEffect, useRef } from "react";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import styles from "./tools.module.css";
import { WORDS } from "./words.ts";

/** Asks for the next page when it comes into sight, or is pressed. */
export function MoreButton({ isBusy, onMore }: { readonly isBusy: boolean; readonly onMore: () => void }) {
  const say = useWords(WORDS);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBusy || button.current === null) return;
    const sight = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
    });
    sight.observe(button.current);
    return () => sight.disconnect();
  }, [isBusy, onMore]);
  return (
    <div className={styles["more"]}>
      <Button ref={button} disabled={isBusy} onClick={onMore}>
        {say("more")}
      </Button>
    </div>
  );
}
