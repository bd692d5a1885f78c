import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode, useState, type SubmitEvent } from "react";
import { useMessages } from "../../session/language.ts";
import { IconButton, Button } from "../button.tsx";
import styles from "./dialog.module.css";
import { Toasts } from "../toast.tsx";
import { toUserError } from "../../session/user-error.ts";
import fieldStyles from "../field.module.css";
import { Field } from "../field.tsx";

/**
 * A modal dialog, open while it is mounted. Calls `onClose` for Escape, the close button, and a click outside; the
 * caller must then unmount it. The focus moves to the first input and, on unmount, back to the previous element.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}) {
  const t = useMessages("common");
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Target of the last pointer press: a text selection that is dragged outside also ends in a click outside. */
  const pressed = useRef<EventTarget>(null);
  // Closed before it is removed, so that the browser restores the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The first input takes the focus, rather than the close button.
    dialog?.querySelector<HTMLElement>("input:not(:disabled), textarea, select")?.focus();
    return () => {
      dialog?.close();
      // The previously focused element may have been removed, as after a deletion.
      setTimeout(() => {
        if (document.activeElement === document.body) document.getElementById("main")?.focus();
      });
    };
  }, []);
  return (
    // The native dialog handles Escape; a click on the backdrop targets the dialog itself.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={element}
      className={styles["dialog"]}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={(event) => {
        if (event.target === element.current && pressed.current === element.current) onClose();
      }}
    >
      <div className={styles["inside"]}>
        <header className={styles["head"]}>
          <h2 id={titleId}>{title}</h2>
          <IconButton label={t("close")} onClick={onClose}>
            <X size={18} aria-hidden />
          </IconButton>
        </header>
        <div className={styles["body"]}>{children}</div>
        {actions === undefined ? null : <footer className={styles["actions"]}>{actions}</footer>}
      </div>
      {/* Toasts outside of a modal dialog are inert and not announced. */}
      <Toasts />
    </dialog>
  );
}

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
        <p role="alert" className={fieldStyles["error"]}>
          {errorText}
        </p>
      )}
    </Dialog>
  );
}

const MAX_NAME_CHARS = 200;

/**
 * Asks for a new name, initially `name`. Calls `onRename` with the trimmed name, which must not be empty; closes when
 * that resolves, and stays open with the error if it rejects.
 */
export function RenameDialog({
  title,
  label,
  name,
  onRename,
  onClose,
}: {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const t = useMessages("common");
  const form = useId();
  const [input, setInput] = useState(name);
  const [errorText, setErrorText] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const rename = async () => {
    setBusy(true);
    try {
      await onRename(input.trim());
      onClose();
    } catch (thrown) {
      setErrorText(toUserError(thrown).message);
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (input.trim() === "") setErrorText(t("nameMissing"));
    else void rename();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{t("cancel")}</Button>
      <Button look="primary" type="submit" form={form} disabled={isBusy}>
        {t("save")}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={actions}>
      <form id={form} onSubmit={submit}>
        <Field
          label={label}
          value={input}
          maxLength={MAX_NAME_CHARS}
          error={errorText}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setInput(event.target.value);
            setErrorText(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}
