import { useEffect } from "react";
import { useRoute } from "wouter";
import { useConversations } from "../conversations/queries.ts";
import { documentTitle, useViewTitle } from "./title.ts";

/** Sets the title of the document. Until a conversation is loaded, its title comes from the list. */
export function DocumentTitle() {
  const { conversations } = useConversations();
  const [, route] = useRoute("/c/:id");
  const named = useViewTitle();
  const listed = conversations.find(({ conversation_id }) => conversation_id === route?.id);
  const waiting = conversations.filter(({ status }) => status === "require_user_input").length;
  const title = documentTitle(named === "" ? (listed?.title ?? "") : named, waiting);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
