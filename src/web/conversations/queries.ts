// The conversations of the person, as lists keep them.

import { useInfiniteQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "../first.ts";

export const CONVERSATIONS = ["conversations"] as const;
const LISTS = [...CONVERSATIONS, "list"] as const;

const PAGE = 50;
const POLL_MS = 20_000;

/** Those with all words of `q` in their title, or all; the newest first. What agents began for themselves is left out. */
export function useConversations(q = "") {
  const query = useInfiniteQuery({
    queryKey: [...LISTS, q],
    queryFn: ({ pageParam }) =>
      api.listConversations({ top: true, limit: PAGE, cursor: pageParam, ...(q === "" ? {} : { q }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchOnWindowFocus: "always",
    // All pages are asked for anew, so that many of them are asked for more rarely. Never while the page is hidden.
    refetchInterval: ({ state }) => POLL_MS * Math.max(1, state.data?.pages.length ?? 1),
    placeholderData: (before) => before,
  });
  const { data } = query;
  const conversations = useMemo(() => data?.pages.flatMap((page) => page.conversations) ?? [], [data]);
  return { ...query, conversations };
}

export function refreshConversations(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: CONVERSATIONS });
}

export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refreshConversations(queries);
}

/** For when one of them is no more, so that nobody asks for that one. */
export function refreshLists(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: LISTS });
}

export function useListRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refreshLists(queries);
}
