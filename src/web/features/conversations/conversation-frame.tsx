// The page frame of a conversation: title, menu and content.

import type { ReactNode } from "react";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { MenuButton } from "../../ui/panel.tsx";
import styles from "./conversation-frame.module.css";
import { useMessages } from "../../session/language.ts";
import { useHealth } from "../../session/initial-api.ts";
import { openDialog } from "../../session/open-dialog-state.ts";

export function ConversationFrame({
  title,
  menu,
  children,
}: {
  readonly title: string;
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles["frame"]} id="main" tabIndex={-1}>
      <header className={styles["head"]}>
        <MenuButton />
        <h1 className={styles["title"]}>{escapeHiddenControls(title)}</h1>
        {menu}
      </header>
      {children}
    </main>
  );
}

/**
 * Names the model that answers; for the embedded model and without a model, with a button that opens the settings.
 * Until the model is known, an empty line of the same height.
 */
export function ModelNotice() {
  const t = useMessages("shell");
  const { data } = useHealth();
  if (data === undefined) return <p className={styles["notice"]} />;
  const { kind, name } = data.model;
  if (kind === "openai") return <p className={styles["notice"]}>{t("poweredBy", { name })}</p>;
  return (
    <p className={styles["notice"]}>
      {t(kind === "embedded" ? "embedded" : "noModel")}{" "}
      <button type="button" className={styles["more"]} onClick={() => openDialog({ kind: "settings" })}>
        {t(kind === "embedded" ? "embeddedAbilities" : "noModelSetup")}
      </button>
    </p>
  );
}
