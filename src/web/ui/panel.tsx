// The frame of all views except conversations: title, actions, content.

import { type ReactNode, createContext, use, useEffect } from "react";
import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import styles from "./panel.module.css";
import { ArrowLeft, PanelLeft } from "lucide-react";
import { Link } from "wouter";
import { useMessages } from "../session/language.ts";
import { IconButton } from "./button.tsx";
import { createStore, useStore } from "../session/store.ts";

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

/** A link from a detail page to its list. */
export function BackLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <Link href={href} className={styles["back"]}>
      <ArrowLeft size={14} aria-hidden />
      {label}
    </Link>
  );
}

export type SidebarState = {
  /** Narrow screen: the sidebar covers the view. */
  readonly isDrawer: boolean;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

/** The state of the sidebar, provided by `AppLayout`. */
export const SidebarContext = createContext<SidebarState>({ isDrawer: false, isOpen: true, setOpen: () => {} });

/** Opens the sidebar; hidden while the sidebar is visible beside the view. */
export function MenuButton() {
  const t = useMessages("shell");
  const { isDrawer, isOpen, setOpen } = use(SidebarContext);
  if (isOpen && !isDrawer) return null;
  return (
    <IconButton
      label={t("openSidebar")}
      aria-expanded={isOpen}
      aria-controls="sidebar"
      data-opens="sidebar"
      onClick={() => setOpen(true)}
    >
      <PanelLeft size={18} aria-hidden />
    </IconButton>
  );
}

// The title of the document: the current view, and the number of conversations that wait for the user.
// Owns the title of the mounted view. A view that unmounts clears the title only if no other view has set it since.

const currentTitle = createStore("");

/** Sets the title of the view while the component is mounted; "" means no title. */
export function useSetViewTitle(title: string): void {
  useEffect(() => {
    currentTitle.set(title);
    return () => {
      if (currentTitle.get() === title) currentTitle.set("");
    };
  }, [title]);
}

/** Returns the title of the mounted view; "" if it has not set one. */
export const useCurrentViewTitle = (): string => useStore(currentTitle);

/** Formats `(2) Title · Orrery`, without the number if it is 0 and without an empty title. */
export function formatDocumentTitle(view: string, waiting: number): string {
  const count = waiting === 0 ? "" : `(${waiting}) `;
  return `${count}${view === "" ? "" : `${escapeHiddenControls(view)} · `}Orrery`;
}
