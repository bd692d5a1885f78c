import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./schedule.module.css";
import { WORDS } from "./words.ts";

/** Shows a secret that cannot be retrieved again. Stays open until the user confirms to have stored it. */
export function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const say = useWords(WORDS);
  const actions = (
    <Button look="primary" onClick={onClose}>
      {say("secretKept")}
    </Button>
  );
  return (
    <Dialog title={say("secretTitle")} onClose={onClose} actions={actions}>
      <div className={styles["words"]}>
        <p>{say("secretMore")}</p>
        <div className={styles["line"]}>
          <code className={styles["secret"]}>{secret}</code>
          <Copy text={secret} label={say("secretCopy")} />
        </div>
      </div>
    </Dialog>
  );
}
