// A message of the person, with its actions. A queued message can be cancelled.

import { Clock3, Pencil, X } from "lucide-react";
import { getItemText, type Item } from "../../../../protocol/wire/items.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { setFold, useFold } from "../state/fold-state.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { showErrorToast } from "../../../ui/toast.tsx";
import styles from "./message-row.module.css";
import { useConversationCommands } from "../state/conversation-context.ts";

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
