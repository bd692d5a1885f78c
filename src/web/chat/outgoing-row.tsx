// A message that the server has not accepted yet, or has refused.

import { LoaderCircle, Pencil, RotateCw, Trash2 } from "lucide-react";
import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import styles from "./message-row.module.css";
import { useConversation, type OutgoingMessage } from "./conversation-context.ts";
import { WORDS } from "./words.ts";

export function OutgoingRow({ outgoing }: { readonly outgoing: OutgoingMessage }) {
  const say = useWords(WORDS);
  const { text, status } = outgoing;
  return (
    <article className={styles["message"]} aria-label={say("you")}>
      <p className={`${styles["bubble"]} ${styles[status]}`}>{text}</p>
      {status === "sending" ? <SendingStatus /> : <RefusedMessageActions outgoing={outgoing} />}
    </article>
  );
}

function SendingStatus() {
  const say = useWords(WORDS);
  const { view } = useConversation();
  return (
    <div className={styles["below"]}>
      <span className={styles["state"]}>
        <LoaderCircle size={14} aria-hidden />
        {say(view.pending.length > 0 ? "waitsForAnswer" : "sending")}
      </span>
    </div>
  );
}

function RefusedMessageActions({ outgoing: { key, reason = "" } }: { readonly outgoing: OutgoingMessage }) {
  const say = useWords(WORDS);
  const { retry, discard, edit } = useConversation();
  return (
    <>
      <p className={styles["reason"]} role="alert">
        {say("notSent", { reason })}
      </p>
      <div className={styles["below"]}>
        <Button onClick={() => retry(key)}>
          <RotateCw size={14} aria-hidden />
          {say("retry")}
        </Button>
        <Button look="quiet" onClick={() => edit(discard(key))}>
          <Pencil size={14} aria-hidden />
          {say("edit")}
        </Button>
        <Button look="quiet" onClick={() => discard(key)}>
          <Trash2 size={14} aria-hidden />
          {say("discard")}
        </Button>
      </div>
    </>
  );
}
