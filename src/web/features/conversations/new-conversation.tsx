// The page of a new conversation. The conversation is created when the first message is sent.

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import type { SendCommand } from "../../../protocol/wire/commands.ts";
import { useAgents } from "../agents/use-agents.ts";
import { rememberFirstMessage } from "./list/conversation-queries.ts";
import { useMessages } from "../../session/language.ts";
import { api } from "../../session/initial-api.ts";
import { createLazyComponent } from "../../ui/lazy-component.tsx";
import { Welcome } from "./welcome.tsx";
import { getMessageOptions, setMessageOptions, useMessageOptions } from "./composer/composer-options.tsx";
import { Composer } from "./composer/composer.tsx";
import { getDraft } from "./state/draft-store.ts";
import { ConversationFrame, ModelNotice } from "./conversation-frame.tsx";
import styles from "./conversation-pane.module.css";
import { getOutbox, sendStoredFirstMessages, promptSignInAndRethrow } from "./state/message-outboxes.ts";

const AgentWelcome = createLazyComponent(() => import("./agent-welcome.tsx").then((script) => script.AgentWelcome));

/**
 * Takes agent and message from the address (`/?agent=…&message=…`) into the message box. After the first message it
 * shows the created conversation. On mount it also sends first messages that an earlier page has stored but not
 * delivered.
 */
export function NewConversation() {
  const t = useMessages("shell");
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const box = useRef<HTMLTextAreaElement>(null);
  const isShown = useRef(true);
  const draft = getDraft("new");
  const [hasLink] = useState(applyLinkParameters);
  useEffect(() => {
    if (hasLink) navigate("/", { replace: true });
  }, [hasLink, navigate]);
  useEffect(() => {
    isShown.current = true;
    sendStoredFirstMessages();
    return () => {
      isShown.current = false;
    };
  }, []);
  const createAndSend = async (send: SendCommand) => {
    const { conversation_id: id } = await api.createConversation({}).catch(promptSignInAndRethrow);
    // The outbox stores the message, so it is delivered even if this page is left.
    getOutbox(id).send(send, 0);
    rememberFirstMessage(id, send.message);
    draft.set("");
    // The options move to the created conversation; the next new conversation starts with the defaults.
    setMessageOptions(id, getMessageOptions("new"));
    setMessageOptions("new", { agent: "", verify: false });
    void queries.invalidateQueries({ queryKey: ["conversations"] });
    if (isShown.current) navigate(`/c/${encodeURIComponent(id)}`, { replace: true });
  };
  const submitExample = (message: string) => {
    // Submit through the box, so that the text stays there if it cannot be sent.
    flushSync(() => draft.set(message));
    box.current?.form?.requestSubmit();
  };
  return (
    <ConversationFrame title={t("newConversation")}>
      <div className={styles["welcome"]}>
        <Suspense fallback={null}>
          <NewConversationWelcome onPick={submitExample} />
        </Suspense>
      </div>
      <Composer
        conversationKey="new"
        draft={draft}
        box={box}
        purpose={{ kind: "message", isBusy: false }}
        onSubmit={createAndSend}
      />
      <ModelNotice />
    </ConversationFrame>
  );
}

/** Shows examples for the chosen agent, or none if the agent is unknown or not loaded yet. */
function NewConversationWelcome({ onPick }: { readonly onPick: (message: string) => void }) {
  const { agent } = useMessageOptions("new");
  const { data } = useAgents();
  const chosen = data?.find(({ name }) => name === agent);
  if (chosen !== undefined) return <AgentWelcome agent={chosen} onPick={onPick} />;
  return <Welcome hasExamples={agent === ""} onPick={onPick} />;
}

/** Copies the parameters of a link (`/?agent=…&message=…`) into draft and options. Returns true if there were any. */
function applyLinkParameters(): boolean {
  const link = new URLSearchParams(location.search);
  const message = link.get("message");
  const agent = link.get("agent");
  if (message !== null) getDraft("new").set(message);
  if (agent !== null) setMessageOptions("new", { agent, verify: false });
  return message !== null || agent !== null;
}
