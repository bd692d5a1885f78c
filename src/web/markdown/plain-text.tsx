import { useState } from "react";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { truncatePlainText } from "./markdown-limits.ts";
import styles from "./markdown.module.css";
import { WORDS } from "./words.ts";

/** Unformatted text; the rest of a long one is shown on request. `hasNotice` adds a note that it stays unformatted. */
export function PlainText({ text, hasNotice = false }: { readonly text: string; readonly hasNotice?: boolean }) {
  const say = useWords(WORDS);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : truncatePlainText(text);
  const rest = text.length - shown.length;
  return (
    <>
      <div className={styles["plain"]}>{shown}</div>
      {rest === 0 ? null : (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {say("rest", { count: rest })}
        </Button>
      )}
      {hasNotice ? <p className={styles["notice"]}>{say("plain")}</p> : null}
    </>
  );
}
