import { buildChatAddress } from "../agents/agent-address.ts";
import { useWords } from "../language.ts";
import { ButtonLink } from "../ui/button-link.tsx";
import { EmptyNotice } from "../ui/notice.tsx";
import styles from "./tools-page.module.css";
import { WORDS } from "./words.ts";

/** Shown if there are no tools: explains how to create one. */
export function NoTools() {
  const say = useWords(WORDS);
  return (
    <EmptyNotice title={say("empty")}>
      <p className={styles["words"]}>{say("emptyMore")}</p>
      <ButtonLink href={buildChatAddress("toolsmith", say("example"))}>{say("example")}</ButtonLink>
    </EmptyNotice>
  );
}
