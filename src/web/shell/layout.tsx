// The frame: the sidebar, which is a drawer on small screens, and the view beside it.

import { useEffect, useState, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useLanguage, useWords } from "../language.ts";
import styles from "./layout.module.css";
import { DrawerContext } from "./menu-button.tsx";
import { Sidebar } from "./sidebar.tsx";
import { WORDS } from "./words.ts";

export function Layout({ children }: { readonly children: ReactNode }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const [place] = useLocation();
  /** Where it was opened: going anywhere else closes it. */
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === place;
  const setOpen = (open: boolean) => setOpenedAt(open ? place : null);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape") setOpenedAt(null);
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [isOpen]);
  return (
    <DrawerContext value={{ isOpen, setOpen }}>
      <a className={styles["skip"]} href="#main">
        {say("skip")}
      </a>
      <div className={styles["layout"]}>
        <div className={`${styles["side"]} ${isOpen ? styles["open"] : ""}`} id="sidebar">
          <Sidebar />
        </div>
        {isOpen ? (
          <button
            type="button"
            className={styles["veil"]}
            aria-label={say("closeMenu")}
            onClick={() => setOpen(false)}
          />
        ) : null}
        <div className={styles["view"]}>{children}</div>
      </div>
    </DrawerContext>
  );
}
