// Queries of the user's conversations, and functions that invalidate them.

import { useInfiniteQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { createStore, useStore } from "../../../session/store.ts";
import { api } from "../../../session/initial-api.ts";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";

/** The prefix of the keys of all queries of conversations. */
const CONVERSATIONS_KEY = ["conversations"] as const;
const CONVERSATION_LISTS_KEY = [...CONVERSATIONS_KEY, "list"] as const;

const CONVERSATIONS_PER_PAGE = 50;
const POLL_INTERVAL_MS = 20_000;

/**
 * Queries pages of the top-level conversations whose titles contain all words of `q` ("" lists all), most recently
 * updated first. Polls every 20 s per loaded page and refetches on focus. `conversations` are those of all loaded
 * pages; while a new `q` loads, the previous result stays.
 */
export function useConversations(q = "") {
  const query = useInfiniteQuery({
    queryKey: [...CONVERSATION_LISTS_KEY, q],
    queryFn: ({ pageParam }) =>
      api.listConversations({
        top: true,
        limit: CONVERSATIONS_PER_PAGE,
        cursor: pageParam,
        ...(q === "" ? {} : { q }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchOnWindowFocus: "always",
    // A refetch loads all loaded pages again, so the interval grows with their number. Hidden pages do not poll.
    refetchInterval: ({ state }) => POLL_INTERVAL_MS * Math.max(1, state.data?.pages.length ?? 1),
    placeholderData: (before) => before,
  });
  const { data } = query;
  const conversations = useMemo(() => data?.pages.flatMap((page) => page.conversations) ?? [], [data]);
  return { ...query, conversations };
}

/** Invalidates the lists and all single conversations. Resolves when those on the screen are refetched. */
export function refreshConversations(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: CONVERSATIONS_KEY });
}

/** Returns `refreshConversations` for the query client of the application. */
export function useRefreshConversations(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refreshConversations(queries);
}

/** Invalidates only the lists: after a deletion, the query of the deleted conversation must not be repeated. */
export function refreshConversationLists(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ queryKey: CONVERSATION_LISTS_KEY });
}

/** Returns `refreshConversationLists` for the query client of the application. */
export function useRefreshConversationLists(): () => Promise<void> {
  const queries = useQueryClient();
  return () => refreshConversationLists(queries);
}

// Titles of conversations in lists. Until the server has set a title (with the plan or after the first answer), the
// first message that this page has sent is shown instead.
// Owns a map from conversation id to first message for the lifetime of the page; entries are never replaced.

/** UTF-16 units of a message that are kept as a provisional title. */
const MAX_TITLE_CHARS = 200;

const firstMessages = createStore<ReadonlyMap<string, string>>(new Map());

/** Remembers the start of the first message of a conversation, trimmed. Later calls for the same id are ignored. */
export function rememberFirstMessage(conversationId: string, message: string): void {
  const known = firstMessages.get();
  if (known.has(conversationId)) return;
  firstMessages.set(new Map([...known, [conversationId, message.trim().slice(0, MAX_TITLE_CHARS)]]));
}

/**
 * Returns a function that returns the title of a conversation; without one, its remembered first message, or else
 * "untitled" in the current language. Invisible characters are escaped.
 */
export function useTitleFormatter(): (conversation: Pick<ConversationInfo, "conversation_id" | "title">) => string {
  const t = useMessages("conversations");
  const messages = useStore(firstMessages);
  return ({ conversation_id, title }) => escapeHiddenControls(title ?? messages.get(conversation_id) ?? t("untitled"));
}
