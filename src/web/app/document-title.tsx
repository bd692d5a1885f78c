import { useEffect } from "react";
import { useRoute } from "wouter";
import { useConversations } from "../features/conversations/list/conversation-queries.ts";
import { formatDocumentTitle, useCurrentViewTitle } from "../ui/view-title.ts";

/**
 * Sets the title of the document: the number of waiting conversations (of the loaded part of the list) and the view.
 * Until a conversation is loaded, its title comes from the list. Renders nothing.
 */
export function DocumentTitle() {
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
