import { X } from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { useWords } from "../language.ts";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import { Toasts } from "./toast.tsx";
import { WORDS } from "./words.ts";

/**
 * A window over the page. It is shown as long as it is rendered; `onClose` is called when the person wants it gone
 * (Escape, the cross, a click beside it).
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
  const say = useWords(WORDS);
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Where the pointer went down: text that is marked beyond the edge ends in a click beside it as well. */
  const pressed = useRef<EventTarget>(null);
  // Closed before it is taken out of the page, it gives the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Where there is something to fill in, the person begins there and not at the cross.
    dialog?.querySelector<HTMLElement>("input:not(:disabled), textarea, select")?.focus();
    return () => {
      dialog?.close();
      // What had the focus before may be gone, as after a deletion.
      setTimeout(() => {
        if (document.activeElement === document.body) document.getElementById("main")?.focus();
      });
    };
  }, []);
  return (
    // The platform's own dialog answers to Escape; a click beside it is a click on itself.
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
          <IconButton label={say("close")} onClick={onClose}>
            <X size={18} aria-hidden />
          </IconButton>
        </header>
        <div className={styles["body"]}>{children}</div>
        {actions === undefined ? null : <footer className={styles["actions"]}>{actions}</footer>}
      </div>
      {/* Those of the page stand behind this and are read to nobody. */}
      <Toasts />
    </dialog>
  );
}
