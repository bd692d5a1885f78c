// Before the first message there is no conversation: sending makes it.

import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import type { Send } from "../../protocol/commands.ts";
import { useAgents } from "../agents/use-agents.ts";
import { hearFirst } from "../conversations/titles.ts";
import { useWords } from "../language.ts";
import { api } from "../first.ts";
import { ModelNotice } from "../shell/model-notice.tsx";
import { Welcome } from "../shell/welcome.tsx";
import { WORDS } from "../shell/words.ts";
import { choiceOf, choose, useChoice } from "./composer/choice.ts";
import { Composer } from "./composer/composer.tsx";
import { draftOf } from "./composer/draft.ts";
import { Frame } from "./frame.tsx";
import styles from "./conversation.module.css";
import { outboxOf, sendWhatWasLeft, withSignIn } from "./outboxes.ts";

const AgentWelcome = lazy(() =>
  import("../agents/agent-welcome.tsx").then(({ AgentWelcome: component }) => ({ default: component })),
);

export function NewConversation() {
  const say = useWords(WORDS);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const box = useRef<HTMLTextAreaElement>(null);
  const isShown = useRef(true);
  const draft = draftOf("new");
  const [asked] = useState(takeUpLink);
  useEffect(() => {
    if (asked) navigate("/", { replace: true });
  }, [asked, navigate]);
  useEffect(() => {
    isShown.current = true;
    sendWhatWasLeft();
    return () => {
      isShown.current = false;
    };
  }, []);
  const begin = async (send: Send) => {
    const { conversation_id: id } = await api.createConversation({}).catch(withSignIn);
    // From here on the outbox sees to it, whatever becomes of this page.
    outboxOf(id).send(send, 0);
    hearFirst(id, send.message);
    draft.set("");
    // The choice was for this conversation; the next new one begins without.
    choose(id, choiceOf("new"));
    choose("new", { agent: "", verify: false });
    void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (isShown.current) navigate(`/c/${encodeURIComponent(id)}`, { replace: true });
  };
  const pick = (message: string) => {
    // As if it had been written there: what cannot be sent stays in the box.
    flushSync(() => draft.set(message));
    box.current?.form?.requestSubmit();
  };
  return (
    <Frame title={say("newConversation")}>
      <div className={styles["welcome"]}>
        <Suspense fallback={null}>
          <Beginning onPick={pick} />
        </Suspense>
      </div>
      <Composer of="new" draft={draft} box={box} purpose={{ kind: "message", isBusy: false }} onSubmit={begin} />
      <ModelNotice />
    </Frame>
  );
}

/** Examples are of whom they go to: none of them is for somebody who is not known here, or not yet. */
function Beginning({ onPick }: { readonly onPick: (message: string) => void }) {
  const { agent } = useChoice("new");
  const { data } = useAgents();
  const chosen = data?.find(({ name }) => name === agent);
  if (chosen !== undefined) return <AgentWelcome agent={chosen} onPick={onPick} />;
  return <Welcome hasExamples={agent === ""} onPick={onPick} />;
}

/** What a link has begun to say, and to whom: `/?agent=…&message=…`. True when there was something. */
function takeUpLink(): boolean {
  const link = new URLSearchParams(location.search);
  const message = link.get("message");
  const agent = link.get("agent");
  if (message !== null) draftOf("new").set(message);
  if (agent !== null) choose("new", { agent, verify: false });
  return message !== null || agent !== null;
}
