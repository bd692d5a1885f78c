import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import styles from "./schedule-page.module.css";

/** Shows a secret that cannot be retrieved again, with buttons that copy it and confirm that it was stored. */
export function WebhookSecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useMessages("schedules");
  const actions = (
    <Button look="primary" onClick={onClose}>
      {t("secretSaved")}
    </Button>
  );
  return (
    <Dialog title={t("secretTitle")} onClose={onClose} actions={actions}>
      <div className={styles["words"]}>
        <p>{t("secretMore")}</p>
        <div className={styles["line"]}>
          <code className={styles["secret"]}>{secret}</code>
          <CopyButton text={secret} label={t("secretCopy")} />
        </div>
      </div>
    </Dialog>
  );
}
