import { useState, type ReactNode } from "react";
import { useWords } from "../language.ts";
import { refusalOf } from "../refusal.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import styles from "./field.module.css";
import { WORDS } from "./words.ts";

/** Asks before something that cannot be taken back. Closes by itself when `onConfirm` has worked, and says why it has not. */
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
  const [problem, setProblem] = useState<string>();
  const confirm = async () => {
    setProblem(undefined);
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(refusalOf(error).message);
      setBusy(false);
    }
  };
  const actions = (
    <>
      <Button onClick={onClose}>{say("cancel")}</Button>
      {/* Not disabled: it would lose the focus, and could not be pressed again from where one is. */}
      <Button look="danger" aria-disabled={isBusy} onClick={() => (isBusy ? undefined : void confirm())}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      {children}
      {problem === undefined ? null : (
        <p role="alert" className={styles["error"]}>
          {problem}
        </p>
      )}
    </Dialog>
  );
}
