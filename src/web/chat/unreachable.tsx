// Shown instead of a conversation that cannot be loaded, with a link to a new conversation.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { Fault } from "../../protocol/fault.ts";
import { refreshLists } from "../conversations/queries.ts";
import { useWords } from "../language.ts";
import { requireSignIn } from "../shell/access.ts";
import { WORDS as SHELL } from "../shell/words.ts";
import { Empty } from "../ui/notice.tsx";
import { Frame } from "./frame.tsx";
import { WORDS } from "./words.ts";

/** Opens the sign-in dialog above this page if the fault is `unauthorized`. */
export function Unreachable({ fault }: { readonly fault: Fault }) {
  const say = useWords(WORDS);
  const sayShell = useWords(SHELL);
  const queries = useQueryClient();
  const isStranger = fault.code === "unauthorized";
  useEffect(() => {
    if (isStranger) requireSignIn();
    // The conversation does not exist, so the lists are outdated.
    else void refreshLists(queries);
  }, [isStranger, queries]);
  return (
    <Frame title={say("conversation")}>
      <Empty title={say(isStranger ? "unauthorized" : "missing")}>
        <p>{isStranger ? fault.message : say("missingMore")}</p>
        <Link href="/">{sayShell("newConversation")}</Link>
      </Empty>
    </Frame>
  );
}
