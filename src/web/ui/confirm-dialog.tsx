import { useState, type ReactNode } from "react";
import { useMessages } from "../session/language.ts";
import { toUserError } from "../session/user-error.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import styles from "./field.module.css";

/**
 * Asks before an irreversible action. Closes after `onConfirm` has resolved; if it rejects, stays open and shows the
 * error.
 */
export function ConfirmDialog({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** The label of the confirming button. */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useMessages("common");
  const [isBusy, setBusy] = useState(false);
  const [errorText, setErrorText] = useState<string>();
  const confirm = async () => {
    setErrorText(undefined);
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setErrorText(toUserError(error).message);
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      {/* Not `disabled`, which would lose the focus. */}
      <Button look="danger" aria-disabled={isBusy} onClick={() => (isBusy ? undefined : void confirm())}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      {children}
      {errorText === undefined ? null : (
        <p role="alert" className={styles["error"]}>
          {errorText}
        </p>
      )}
    </Dialog>
  );
}
