import { useWords } from "../language.ts";
import styles from "./markdown.module.css";
import { WORDS } from "./words.ts";

/** A text as it was written; `isNoted` says that it stays so. */
export function Plain({ text, isNoted = false }: { readonly text: string; readonly isNoted?: boolean }) {
  const say = useWords(WORDS);
  return (
    <>
      <div className={styles["plain"]}>{text}</div>
      {isNoted ? <p className={styles["notice"]}>{say("plain")}</p> : null}
    </>
  );
}
