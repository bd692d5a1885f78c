import { useWords } from "../language.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./schedule-page.module.css";
import { WORDS } from "./words.ts";

/** Shows a secret that cannot be retrieved again. Stays open until the user confirms to have stored it. */
export function WebhookSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
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
          <CopyButton text={secret} label={say("secretCopy")} />
        </div>
      </div>
    </Dialog>
  );
}
