// The user's conversations in the sidebar.

import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from "react";
import { useLocation, useRoute } from "wouter";
import type { Conversation } from "../../protocol/conversation.ts";
import { useWords } from "../language.ts";
import { More } from "../ui/more.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import styles from "./list.module.css";
import { refreshConversations, useConversations } from "./queries.ts";
import { ListRow, type RowState } from "./row.tsx";
import { rowsOf } from "./rows.ts";
import { beginSeeing, currentSeen, isUnread, markSeen, subscribeSeen } from "./seen.ts";
import { useQueryClient } from "@tanstack/react-query";
import { WORDS } from "./words.ts";

const LongList = lazy(() => import("./long-list.tsx").then(({ LongList: component }) => ({ default: component })));

/** Longer lists are virtualized. */
const LONG = 200;

export function ConversationList({
  q,
  scroller,
}: {
  /** Filters by words in the title; empty lists all. */
  readonly q: string;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const say = useWords(WORDS);
  const query = useConversations(q);
  const [, route] = useRoute("/c/:id");
  const { conversations } = query;
  const seen = useSyncExternalStore(subscribeSeen, currentSeen);
  useFreshness();
  useSeeing(conversations.find(({ conversation_id }) => conversation_id === route?.id));
  const rows = rowsOf(conversations, query.dataUpdatedAt);
  const state: RowState = { current: route?.id, isUnread: (one) => isUnread(seen, one) };
  const [top, setTop] = useState(0);
  const list = useRef<HTMLElement>(null);
  // The area links above the list are hidden during a search, which moves the list.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [q]);
  const short = (
    <ul>
      {rows.map((row) => (
        <li key={row.key}>
          <ListRow row={row} state={state} />
        </li>
      ))}
    </ul>
  );
  return (
    <nav ref={list} className={styles["list"]} aria-label={say("conversations")} aria-busy={query.isPlaceholderData}>
      {query.isPending ? <Loading /> : null}
      {query.isError && conversations.length === 0 ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isSuccess && rows.length === 0 ? (
        <p className={styles["none"]}>{say(q === "" ? "none" : "noneFound")}</p>
      ) : null}
      {rows.length <= LONG ? (
        short
      ) : (
        <Suspense fallback={short}>
          <LongList rows={rows} state={state} scroller={scroller} startMargin={top} />
        </Suspense>
      )}
      <More list={query} />
    </nav>
  );
}

/** Refreshes the list after each navigation. */
function useFreshness(): void {
  const queries = useQueryClient();
  const [place] = useLocation();
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    void refreshConversations(queries);
  }, [place, queries]);
}

/** Marks the open conversation as seen while the page is visible. */
function useSeeing(conversation: Conversation | undefined): void {
  useEffect(beginSeeing, []);
  useEffect(() => {
    if (conversation === undefined) return;
    const see = () => {
      if (document.visibilityState === "visible") markSeen(conversation);
    };
    see();
    document.addEventListener("visibilitychange", see);
    return () => document.removeEventListener("visibilitychange", see);
  }, [conversation]);
}
