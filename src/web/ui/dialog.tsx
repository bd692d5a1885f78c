import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useMessages } from "../session/language.ts";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import { Toasts } from "./toast.tsx";

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
