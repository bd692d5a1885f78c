// Shown instead of a conversation that cannot be loaded, with a link to a new conversation.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Fault } from "../../protocol/wire/fault.ts";
import { refreshConversationLists } from "../conversations/conversation-queries.ts";
import { useWords } from "../language.ts";
import { requireSignIn } from "../shell/sign-in-required.ts";
import { WORDS as SHELL } from "../shell/words.ts";
import { EmptyNotice } from "../ui/notice.tsx";
import { ConversationFrame } from "./conversation-frame.tsx";
import { WORDS } from "./words.ts";

/** Opens the sign-in dialog above this page if the fault is `unauthorized`. */
export function UnreachableConversation({ fault }: { readonly fault: Fault }) {
  const say = useWords(WORDS);
  const sayShell = useWords(SHELL);
  const queries = useQueryClient();
  const needsSignIn = fault.code === "unauthorized";
  useEffect(() => {
    if (needsSignIn) requireSignIn();
    // The conversation does not exist, so the lists are outdated.
    else void refreshConversationLists(queries);
  }, [needsSignIn, queries]);
  return (
    <ConversationFrame title={say("conversation")}>
      <EmptyNotice title={say(needsSignIn ? "unauthorized" : "missing")}>
        <p>{needsSignIn ? fault.message : say("missingMore")}</p>
        <Link href="/">{sayShell("newConversation")}</Link>
      </EmptyNotice>
    </ConversationFrame>
  );
}
