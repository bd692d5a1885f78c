// A conversation that cannot be shown, and where to go from there.

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

/** Who has to sign in first is asked to do so over this. */
export function Unreachable({ fault }: { readonly fault: Fault }) {
  const say = useWords(WORDS);
  const sayShell = useWords(SHELL);
  const queries = useQueryClient();
  const isStranger = fault.code === "unauthorized";
  useEffect(() => {
    if (isStranger) requireSignIn();
    // What is not here is not in the lists either.
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
