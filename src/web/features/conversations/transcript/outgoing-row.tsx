// A message that the server has not accepted yet, or has refused.

import { LoaderCircle, Pencil, RotateCw, Trash2 } from "lucide-react";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./message-row.module.css";
import { useConversation, type OutgoingMessage } from "../state/conversation-context.ts";

/** A refused message has its reason and buttons that send it again, put it into the message box, or discard it. */
export function OutgoingRow({ outgoing }: { readonly outgoing: OutgoingMessage }) {
  const t = useMessages("chat");
  const { text, status } = outgoing;
  return (
    <article className={styles["message"]} aria-label={t("you")}>
      <p className={`${styles["bubble"]} ${styles[status]}`}>{text}</p>
      {status === "sending" ? <SendingStatus /> : <RefusedMessageActions outgoing={outgoing} />}
    </article>
  );
}

function SendingStatus() {
  const t = useMessages("chat");
  const { view } = useConversation();
  return (
    <div className={styles["below"]}>
      <span className={styles["state"]}>
        <LoaderCircle size={14} aria-hidden />
        {t(view.pending.length > 0 ? "waitsForAnswer" : "sending")}
      </span>
    </div>
  );
}

function RefusedMessageActions({ outgoing: { key, reason = "" } }: { readonly outgoing: OutgoingMessage }) {
  const t = useMessages("chat");
  const { retry, discard, edit } = useConversation();
  return (
    <>
      <p className={styles["reason"]} role="alert">
        {t("notSent", { reason })}
      </p>
      <div className={styles["below"]}>
        <Button onClick={() => retry(key)}>
          <RotateCw size={14} aria-hidden />
          {t("retry")}
        </Button>
        <Button look="quiet" onClick={() => edit(discard(key))}>
          <Pencil size={14} aria-hidden />
          {t("edit")}
        </Button>
        <Button look="quiet" onClick={() => discard(key)}>
          <Trash2 size={14} aria-hidden />
          {t("discard")}
        </Button>
      </div>
    </>
  );
}
