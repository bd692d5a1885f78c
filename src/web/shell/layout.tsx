// The layout: the sidebar, which is a drawer on small screens, and the current view.

import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useLanguage, useWords } from "../language.ts";
import { Boundary } from "./boundary.tsx";
import { DocumentTitle } from "./document-title.tsx";
import styles from "./layout.module.css";
import { SidebarContext } from "./menu-button.tsx";
import { OfflineBanner } from "./offline.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarState } from "./sidebar-state.ts";
import { useDrawerFocus } from "./drawer-focus.ts";
import { OpenWindow } from "./open-window.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useViewFocus } from "./view-focus.ts";
import { useWindow } from "./window.ts";
import { WORDS } from "./words.ts";

export function Layout({ children }: { readonly children: ReactNode }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const [place] = useLocation();
  const window = useWindow();
  const side = useRef<HTMLElement>(null);
  const sidebar = useSidebarState();
  const { isDrawer, isOpen, setOpen } = sidebar;
  const isOver = isDrawer && isOpen;
  useShortcuts(() => setOpen(!isOpen));
  useViewFocus(place);
  useDrawerFocus(isOver, side, () => setOpen(false));
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <SidebarContext value={sidebar}>
      <a className={styles["skip"]} href="#main" inert={isOver}>
        {say("skip")}
      </a>
      <div className={styles["frame"]}>
        <OfflineBanner />
        <div className={`${styles["layout"]} ${isOpen ? styles["open"] : ""}`}>
          <aside ref={side} className={styles["side"]} id="sidebar" aria-label={say("sidebar")} inert={!isOpen}>
            <Sidebar />
          </aside>
          {isOver ? (
            <button
              type="button"
              className={styles["veil"]}
              aria-label={say("closeMenu")}
              onClick={() => setOpen(false)}
            />
          ) : null}
          <div className={styles["view"]} inert={isOver}>
            <Boundary place={place}>{children}</Boundary>
          </div>
        </div>
      </div>
      <DocumentTitle />
      {window === null ? null : (
        <Suspense fallback={null}>
          <OpenWindow window={window} />
        </Suspense>
      )}
    </SidebarContext>
  );
}
