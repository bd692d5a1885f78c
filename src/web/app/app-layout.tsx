// The layout: the sidebar, which is a drawer on small screens, the current view, and the open dialog.

import { Suspense, useEffect, useRef, type ReactNode } from "react";
import { useLocation, useRoute } from "wouter";
import { useLanguage, useMessages } from "../session/language.ts";
import { ErrorBoundary } from "./error-page.tsx";
import styles from "./app-layout.module.css";
import { SidebarContext, formatDocumentTitle, useCurrentViewTitle } from "../ui/panel.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useSidebarState, useDrawerFocus } from "./sidebar-state.ts";
import { useShortcuts } from "./shortcuts.ts";
import { useOpenDialog } from "../session/open-dialog-state.ts";
import { useConversations } from "../features/conversations/list/conversation-queries.ts";
import { createLazyComponent } from "../ui/lazy-component.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useHealth } from "../session/initial-api.ts";
import { useConnectivity } from "../session/connectivity.ts";

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

/**
 * Sets the title of the document: the number of waiting conversations (of the loaded part of the list) and the view.
 * Until a conversation is loaded, its title comes from the list. Renders nothing.
 */
function DocumentTitle() {
  const { conversations } = useConversations();
  const [, route] = useRoute("/c/:id");
  const viewTitle = useCurrentViewTitle();
  const listed = conversations.find(({ conversation_id }) => conversation_id === route?.id);
  const waiting = conversations.filter(({ status }) => status === "require_user_input").length;
  const title = formatDocumentTitle(viewTitle === "" ? (listed?.title ?? "") : viewTitle, waiting);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

/** Time for the new view to mount, in ms. While it loads, the old view is hidden and cannot take the focus. */
const FOCUS_RETRY_MS = 150;

/**
 * After a change of `path`, moves the focus to the new view if the focused element was removed with the previous view.
 */
function useViewFocus(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    const timer = setInterval(() => {
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
      else clearInterval(timer);
    }, FOCUS_RETRY_MS);
    return () => clearInterval(timer);
  }, [path]);
}

/** The open dialog. Keys that are pressed before its script is loaded are lost. */
export const LazyOpenDialog = createLazyComponent(() =>
  import("./dialogs/open-dialog.tsx").then((script) => script.OpenDialog),
);

const RETRY_INTERVAL_MS = 5_000;

/**
 * Shows a banner while the browser is offline or the server unreachable; nothing otherwise. Meanwhile polls an
 * unreachable server every 5 s; afterwards all queries are refetched.
 */
function OfflineBanner() {
  const t = useMessages("shell");
  const queries = useQueryClient();
  const connectivity = useConnectivity();
  useHealth(connectivity === "unreachable" ? RETRY_INTERVAL_MS : undefined);
  useEffect(() => {
    if (connectivity === "reached") return;
    return () => void queries.invalidateQueries();
  }, [connectivity, queries]);
  return (
    <div role="status">
      {connectivity === "reached" ? null : (
        <p className={styles["banner"]}>
          <WifiOff size={16} aria-hidden />
          {t(connectivity)}
        </p>
      )}
    </div>
  );
}
