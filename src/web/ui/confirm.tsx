import { useState, type ReactNode } from "react";
import { useWords } from "../language.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { toastFailure } from "./toast.tsx";
import { WORDS } from "./words.ts";

/** Asks before something that cannot be taken back. Closes by itself when `onConfirm` has worked. */
export function Confirm({
  title,
  action,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const say = useWords(WORDS);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      toastFailure(error);
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button onClick={onClose}>{say("cancel")}</Button>
      <Button look="danger" disabled={isBusy} onClick={() => void confirm()}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      {children}
    </Dialog>
  );
}
