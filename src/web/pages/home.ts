// Where a page came about: in a conversation, or in the box on these views, whose conversations nobody else has.

import { queryOptions } from "@tanstack/react-query";
import { Fault } from "../../protocol/fault.ts";
import type { PageSummary } from "../../protocol/pages.ts";
import { api } from "../runtime.ts";

export type Home =
  /** The person's own: what an agent did for it in one of its own belongs there. */
  { readonly kind: "conversation"; readonly id: string } | { readonly kind: "box"; readonly id: string | undefined };

export function homeOf({ page_id: page, conversation_id: id }: PageSummary) {
  return queryOptions({
    queryKey: ["page", page, "home"],
    staleTime: Infinity,
    queryFn: async (): Promise<Home> => {
      if (id === undefined) return { kind: "box", id };
      try {
        const conversation = await api.conversation(id);
        return { kind: "conversation", id: conversation.parent_id ?? id };
      } catch (error) {
        if (error instanceof Fault && error.code === "not_found") return { kind: "box", id };
        throw error;
      }
    },
  });
}
