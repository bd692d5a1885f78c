// The frame of all views except conversations: title, actions, content.

import type { ReactNode } from "react";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import { MenuButton } from "./menu-button.tsx";
import { useSetViewTitle } from "./view-title.ts";
import styles from "./panel.module.css";

/** Also sets the title of the view, and with it that of the document. */
export function Panel({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  /** One sentence that describes the view. */
  readonly lead?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useSetViewTitle(title);
  return (
    <main className={styles["panel"]} id="main" tabIndex={-1}>
      <header className={styles["head"]}>
        <MenuButton />
        <h1 className={styles["title"]}>{escapeHiddenControls(title)}</h1>
        {actions}
      </header>
      <div className={styles["body"]}>
        {lead === undefined ? null : <p className={styles["lead"]}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}
