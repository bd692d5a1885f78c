// The user's conversations in the sidebar.

import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { useLocation, useRoute } from "wouter";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { useStore } from "../../../session/store.ts";
import { useMessages } from "../../../session/language.ts";
import { LoadFailure, Loading, LoadMore } from "../../../ui/notice.tsx";
import styles from "./conversation-list.module.css";
import { refreshConversations, useConversations } from "./conversation-queries.ts";
import { ConversationListRowView, type ConversationListState } from "./conversation-list-row.tsx";
import { buildListRows } from "./conversation-list-rows.ts";
import { initializeSeen, getSeenState, isUnread, markSeen, subscribeSeen } from "./seen-conversations.ts";
import { useQueryClient } from "@tanstack/react-query";

const VirtualizedList = lazy(() =>
  import("./virtualized-list.tsx").then(({ VirtualizedList: VirtualizedListComponent }) => ({
    default: VirtualizedListComponent,
  })),
);

/** Longer lists are virtualized. */
const MAX_UNVIRTUALIZED_ROWS = 200;

/**
 * Lists the conversations by period and loads more at its end. Marks the open conversation as seen, and refreshes all
 * conversation queries after each navigation.
 */
export function ConversationList({
  q,
  scroller,
}: {
  /** Filters by words in the title; empty lists all. */
  readonly q: string;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const t = useMessages("conversations");
  const query = useConversations(q);
  const [, route] = useRoute("/c/:id");
  const { conversations } = query;
  const seen = useStore({ subscribe: subscribeSeen, get: getSeenState });
  useRefreshOnNavigation();
  useMarkSeen(conversations.find(({ conversation_id }) => conversation_id === route?.id));
  const rows = buildListRows(conversations, query.dataUpdatedAt);
  const state: ConversationListState = { current: route?.id, isUnread: (one) => isUnread(seen, one) };
  const [top, setTop] = useState(0);
  const list = useRef<HTMLElement>(null);
  // The area links above the list are hidden during a search, which moves the list.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [q]);
  const short = (
    <ul>
      {rows.map((row) => (
        <li key={row.key}>
          <ConversationListRowView row={row} state={state} />
        </li>
      ))}
    </ul>
  );
  return (
    <nav ref={list} className={styles["list"]} aria-label={t("conversations")} aria-busy={query.isPlaceholderData}>
      {query.isPending ? <Loading /> : null}
      {query.isError && conversations.length === 0 ? (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isSuccess && rows.length === 0 ? (
        <p className={styles["none"]}>{t(q === "" ? "none" : "noneFound")}</p>
      ) : null}
      {rows.length <= MAX_UNVIRTUALIZED_ROWS ? (
        short
      ) : (
        <Suspense fallback={short}>
          <VirtualizedList rows={rows} state={state} scroller={scroller} startMargin={top} />
        </Suspense>
      )}
      <LoadMore list={query} />
    </nav>
  );
}

/** Refreshes the list after each navigation. */
function useRefreshOnNavigation(): void {
  const queries = useQueryClient();
  const [path] = useLocation();
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    void refreshConversations(queries);
  }, [path, queries]);
}

/** Marks the open conversation as seen while the page is visible. */
function useMarkSeen(conversation: ConversationInfo | undefined): void {
  useEffect(initializeSeen, []);
  useEffect(() => {
    if (conversation === undefined) return;
    const markIfVisible = () => {
      if (document.visibilityState === "visible") markSeen(conversation);
    };
    markIfVisible();
    document.addEventListener("visibilitychange", markIfVisible);
    return () => document.removeEventListener("visibilitychange", markIfVisible);
  }, [conversation]);
}
