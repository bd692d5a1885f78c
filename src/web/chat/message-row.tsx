// What the person has said.

import { Clock3, Pencil, X } from "lucide-react";
import { textOf, type Item } from "../../protocol/items.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../language.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { toastFailure } from "../ui/toast.tsx";
import styles from "./message-row.module.css";
import { useTalkActions } from "./talk.ts";
import { WORDS } from "./words.ts";

export function MessageRow({ item, isQueued }: { readonly item: Item; readonly isQueued: boolean }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const { edit } = useTalkActions();
  const text = textOf(item);
  const at = item.metadata["created_at"];
  const time = typeof at === "number" ? format.time(at) : undefined;
  return (
    <article className={styles["message"]} aria-label={time === undefined ? say("you") : say("youAt", { time })}>
      <p className={`${styles["bubble"]} ${isQueued ? styles["queued"] : ""}`}>{text}</p>
      {isQueued ? (
        <Queued threadId={item.thread_id} />
      ) : (
        <div className={styles["below"]}>
          <div className={styles["actions"]}>
            {time === undefined ? null : <span className={styles["time"]}>{time}</span>}
            <Copy text={text} label={say("copyMessage")} />
            <IconButton label={say("edit")} onClick={() => edit(text)}>
              <Pencil size={16} aria-hidden />
            </IconButton>
          </div>
        </div>
      )}
    </article>
  );
}

function Queued({ threadId }: { readonly threadId: string | undefined }) {
  const say = useWords(WORDS);
  const { cancel } = useTalkActions();
  const stop = () => {
    cancel(threadId === undefined ? {} : { thread_id: threadId }).catch(toastFailure);
  };
  return (
    <div className={styles["below"]}>
      <span className={styles["state"]}>
        <Clock3 size={14} aria-hidden />
        {say("queued")}
      </span>
      <Button look="quiet" onClick={stop}>
        <X size={14} aria-hidden />
        {say("cancelQueued")}
      </Button>
    </div>
  );
}
