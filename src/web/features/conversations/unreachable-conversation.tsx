// Shown instead of a conversation that cannot be loaded, with a link to a new conversation.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Fault } from "../../../protocol/wire/fault.ts";
import { refreshConversationLists } from "./list/conversation-queries.ts";
import { useMessages } from "../../session/language.ts";
import { requireSignIn } from "../../session/sign-in-required.ts";
import { EmptyNotice } from "../../ui/notice.tsx";
import { ConversationFrame } from "./conversation-frame.tsx";

/** Shows the sign-in page instead if the fault is `unauthorized`; otherwise refreshes the conversation lists. */
export function UnreachableConversation({ fault }: { readonly fault: Fault }) {
  const t = useMessages("chat");
  const tShell = useMessages("shell");
  const queries = useQueryClient();
  const needsSignIn = fault.code === "unauthorized";
  useEffect(() => {
    if (needsSignIn) requireSignIn();
    // The conversation does not exist, so the lists are outdated.
    else void refreshConversationLists(queries);
  }, [needsSignIn, queries]);
  return (
    <ConversationFrame title={t("conversation")}>
      <EmptyNotice title={t(needsSignIn ? "unauthorized" : "notFound")}>
        <p>{needsSignIn ? fault.message : t("notFoundMore")}</p>
        <Link href="/">{tShell("newConversation")}</Link>
      </EmptyNotice>
    </ConversationFrame>
  );
}
