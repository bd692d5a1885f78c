// Where a page was created: in a conversation of the user, or in the input of the page views, whose conversations are
// internal.

import { queryOptions } from "@tanstack/react-query";
import { Fault } from "../../../protocol/wire/fault.ts";
import type { PageSummary } from "../../../protocol/pages/stored-page.ts";
import { api } from "../../session/full-api.ts";

type PageOrigin =
  /** A user conversation. A task conversation is represented by its parent. */
  | { readonly kind: "conversation"; readonly id: string }
  /** The input of the page views. `id` is the internal conversation; undefined if there is none. */
  | { readonly kind: "box"; readonly id: string | undefined };

/**
 * Returns the query for the origin of a page, which never becomes stale. The origin is `box` without a conversation or
 * if that does not exist; any other error is the error of the query.
 */
export function createPageOriginQuery({ page_id: page, conversation_id: id }: PageSummary) {
  return queryOptions({
    queryKey: ["page", page, "home"],
    staleTime: Infinity,
    queryFn: async (): Promise<PageOrigin> => {
      if (id === undefined) return { kind: "box", id };
      try {
        const conversation = await api.readConversation(id);
        return { kind: "conversation", id: conversation.parent_id ?? id };
      } catch (error) {
        if (error instanceof Fault && error.code === "not_found") return { kind: "box", id };
        throw error;
      }
    },
  });
}
