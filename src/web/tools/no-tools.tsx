import { talkTo } from "../agents/address.ts";
import { useWords } from "../language.ts";
import { ButtonLink } from "../ui/button-link.tsx";
import { Empty } from "../ui/notice.tsx";
import styles from "./tools.module.css";
import { WORDS } from "./words.ts";

/** Shown if there are no tools: explains how to create one. */
export function NoTools() {
  const say = useWords(WORDS);
  return (
    <Empty title={say("empty")}>
      <p className={styles["words"]}>{say("emptyMore")}</p>
      <ButtonLink href={talkTo("toolsmith", say("example"))}>{say("example")}</ButtonLink>
    </Empty>
  );
}
