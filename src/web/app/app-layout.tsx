// The layout: the sidebar, which is a drawer on small screens, the current view, and the open dialog.

import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "wouter";
import { useLanguage, useMessages } from "../session/language.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { DocumentTitle } from "./document-title.tsx";
import styles from "./app-layout.module.css";
import { SidebarContext } from "../ui/menu-button.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarState } from "./use-sidebar-state.ts";
import { useDrawerFocus } from "./use-drawer-focus.ts";
import { LazyOpenDialog } from "./lazy-open-dialog.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useViewFocus } from "./use-view-focus.ts";
import { useOpenDialog } from "../session/open-dialog-state.ts";

/**
 * Also handles the global shortcuts, moves the focus after a navigation, and sets title and language of the document.
 */
export function AppLayout({ children }: { readonly children: ReactNode }) {
  const t = useMessages("shell");
  const language = useLanguage();
  const [path] = useLocation();
  const dialog = useOpenDialog();
  const sidebarElement = useRef<HTMLElement>(null);
  const sidebar = useSidebarState();
  const { isDrawer, isOpen, setOpen } = sidebar;
  const isOver = isDrawer && isOpen;
  useShortcuts(() => setOpen(!isOpen));
  useViewFocus(path);
  useDrawerFocus(isOver, sidebarElement, () => setOpen(false));
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <SidebarContext value={sidebar}>
      <a className={styles["skip"]} href="#main" inert={isOver}>
        {t("skipToContent")}
      </a>
      <div className={styles["frame"]}>
        <OfflineBanner />
        <div className={`${styles["layout"]} ${isOpen ? styles["open"] : ""}`}>
          <aside ref={sidebarElement} className={styles["side"]} id="sidebar" aria-label={t("sidebar")} inert={!isOpen}>
            <Sidebar />
          </aside>
          {isOver ? (
            <button
              type="button"
              className={styles["veil"]}
              aria-label={t("closeSidebar")}
              onClick={() => setOpen(false)}
            />
          ) : null}
          <div className={styles["view"]} inert={isOver}>
            <ErrorBoundary path={path}>{children}</ErrorBoundary>
          </div>
        </div>
      </div>
      <DocumentTitle />
      {dialog === null ? null : (
        <Suspense fallback={null}>
          <LazyOpenDialog dialog={dialog} />
        </Suspense>
      )}
    </SidebarContext>
  );
}
