// The frame of all views except conversations: title, actions, content.

import type { ReactNode } from "react";
import { plainly } from "../../protocol/visible.ts";
import { MenuButton } from "../shell/menu-button.tsx";
import { useTitle } from "../shell/title.ts";
import styles from "./panel.module.css";

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
  useTitle(title);
  return (
    <main className={styles["panel"]} id="main" tabIndex={-1}>
      <header className={styles["head"]}>
        <MenuButton />
        <h1 className={styles["title"]}>{plainly(title)}</h1>
        {actions}
      </header>
      <div className={styles["body"]}>
        {lead === undefined ? null : <p className={styles["lead"]}>{lead}</p>}
        {children}
      </div>
    </main>
  );
}
