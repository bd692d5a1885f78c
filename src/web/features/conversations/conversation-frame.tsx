// The page frame of a conversation: title, menu and content.

import type { ReactNode } from "react";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import { MenuButton } from "../../ui/menu-button.tsx";
import styles from "./conversation-frame.module.css";

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
