import { useState } from "react";
import { useMessages } from "../../session/language.ts";
import { Button } from "../button.tsx";
import { truncatePlainText } from "./markdown-limits.ts";
import styles from "./markdown.module.css";

/**
 * Unformatted text, of which a button shows the part that `truncatePlainText` cuts off. `hasNotice` adds a note that
 * the text stays unformatted.
 */
export function PlainText({ text, hasNotice = false }: { readonly text: string; readonly hasNotice?: boolean }) {
  const t = useMessages("markdown");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : truncatePlainText(text);
  const rest = text.length - shown.length;
  return (
    <>
      <div className={styles["plain"]}>{shown}</div>
      {rest === 0 ? null : (
        <Button look="quiet" onClick={() => setWhole(true)}>
          {t("showRest", { count: rest })}
        </Button>
      )}
      {hasNotice ? <p className={styles["notice"]}>{t("plainText")}</p> : null}
    </>
  );
}
