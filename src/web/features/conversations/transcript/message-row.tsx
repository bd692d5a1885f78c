// A message of the person, with its actions. A queued message can be cancelled.

import { Clock3, Pencil, X, LoaderCircle, RotateCw, Trash2 } from "lucide-react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { setFold, useFold } from "../state/shown-items.ts";
import { Button, IconButton, CopyButton } from "../../../ui/button.tsx";
import { showErrorToast } from "../../../ui/toast.tsx";
import styles from "./message-row.module.css";
import { useConversationCommands, useConversation, type OutgoingMessage } from "../state/conversation-context.ts";

/** A message with more UTF-16 units or lines is shown folded. */
const MAX_UNFOLDED_CHARS = 1_500;
const MAX_UNFOLDED_LINES = 16;

/** A long message is folded until the person opens it. `isQueued`: an earlier thread is still running. */
export function MessageRow({ item, isQueued }: { readonly item: Item; readonly isQueued: boolean }) {
  const t = useMessages("chat");
  const format = useFormatter();
  const { edit } = useConversationCommands();
  const text = getItemText(item);
  const isLong = text.length > MAX_UNFOLDED_CHARS || text.split("\n").length > MAX_UNFOLDED_LINES;
  const isWhole = useFold(item.item_id) ?? false;
  const at = item.metadata["created_at"];
  const time = typeof at === "number" ? format.time(at) : undefined;
  return (
    <article className={styles["message"]} aria-label={time === undefined ? t("you") : t("youAt", { time })}>
      <p className={`${styles["bubble"]} ${isQueued ? styles["queued"] : ""}`}>
        <span className={isLong && !isWhole ? styles["folded"] : undefined}>{text}</span>
      </p>
      {isLong ? (
        <Button look="quiet" aria-expanded={isWhole} onClick={() => setFold(item.item_id, !isWhole)}>
          {t(isWhole ? "showLess" : "showFull")}
        </Button>
      ) : null}
      {isQueued ? (
        <QueuedMessageStatus threadId={item.thread_id} />
      ) : (
        <div className={styles["below"]}>
          <div className={styles["actions"]}>
            {time === undefined ? null : <span className={styles["time"]}>{time}</span>}
            <CopyButton text={text} label={t("copyMessage")} />
            <IconButton label={t("edit")} onClick={() => edit(text)}>
              <Pencil size={16} aria-hidden />
            </IconButton>
          </div>
        </div>
      )}
    </article>
  );
}

function QueuedMessageStatus({ threadId }: { readonly threadId: string | undefined }) {
  const t = useMessages("chat");
  const { cancel } = useConversationCommands();
  const stop = () => {
    cancel(threadId === undefined ? {} : { thread_id: threadId }).catch(showErrorToast);
  };
  return (
    <div className={styles["below"]}>
      <span className={styles["state"]}>
        <Clock3 size={14} aria-hidden />
        {t("queued")}
      </span>
      <Button look="quiet" onClick={stop}>
        <X size={14} aria-hidden />
        {t("cancelQueued")}
      </Button>
    </div>
  );
}

// A message that the server has not accepted yet, or has refused.

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
