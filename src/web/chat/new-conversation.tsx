// The page of a new conversation. The conversation is created when the first message is sent.

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
    // The outbox stores the message, so it is delivered even if this page is left.
    outboxOf(id).send(send, 0);
    hearFirst(id, send.message);
    draft.set("");
    // The options move to the created conversation; the next new conversation starts with the defaults.
    choose(id, choiceOf("new"));
    choose("new", { agent: "", verify: false });
    void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (isShown.current) navigate(`/c/${encodeURIComponent(id)}`, { replace: true });
  };
  const pick = (message: string) => {
    // Submit through the box, so that the text stays there if it cannot be sent.
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

/** Shows examples for the chosen agent, or none if the agent is unknown or not loaded yet. */
function Beginning({ onPick }: { readonly onPick: (message: string) => void }) {
  const { agent } = useChoice("new");
  const { data } = useAgents();
  const chosen = data?.find(({ name }) => name === agent);
  if (chosen !== undefined) return <AgentWelcome agent={chosen} onPick={onPick} />;
  return <Welcome hasExamples={agent === ""} onPick={onPick} />;
}

/** Copies the parameters of a link (`/?agent=…&message=…`) into draft and options. Returns true if there were any. */
function takeUpLink(): boolean {
  const link = new URLSearchParams(location.search);
  const message = link.get("message");
  const agent = link.get("agent");
  if (message !== null) draftOf("new").set(message);
  if (agent !== null) choose("new", { agent, verify: false });
  return message !== null || agent !== null;
}
