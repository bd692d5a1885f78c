import { buildChatAddress } from "../agents/agent-address.ts";
import { useMessages } from "../../session/language.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { EmptyNotice } from "../../ui/notice.tsx";
import styles from "./tools-page.module.css";

/** Shown if there are no tools: explains how to create a tool, with a link to a filled-in request to the toolsmith. */
export function NoTools() {
  const t = useMessages("tools");
  return (
    <EmptyNotice title={t("empty")}>
      <p className={styles["words"]}>{t("emptyMore")}</p>
      <ButtonLink href={buildChatAddress("toolsmith", t("example"))}>{t("example")}</ButtonLink>
    </EmptyNotice>
  );
}
