import { type ButtonHTMLAttributes, type ReactNode, type Ref, useEffect, useState } from "react";
import styles from "./button.module.css";
import { Link } from "wouter";
import { Check, Copy as CopyIcon } from "lucide-react";
import { useMessages } from "../session/language.ts";
import { showToast } from "./toast.tsx";

type ButtonLook = "primary" | "plain" | "quiet" | "danger";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: ButtonLook;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button, by default of the type `button`, which does not submit a form. */
export function Button({ look = "plain", className = "", type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={`${styles["button"]} ${styles[look] ?? ""} ${className}`} {...rest} />;
}

/** A button with an icon only; `label` is its accessible name and tooltip. */
export function IconButton({
  label,
  children,
  className = "",
  look = "quiet",
  type = "button",
  ...rest
}: ButtonProps & { readonly label: string; readonly children: ReactNode }) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`${styles["button"]} ${styles["icon"]} ${styles[look] ?? ""} ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A link to another view with the look of a button. */
export function ButtonLink({
  href,
  look = "plain",
  children,
}: {
  readonly href: string;
  readonly look?: "primary" | "plain" | "quiet";
  readonly children: ReactNode;
}) {
  return (
    <Link href={href} className={`${styles["button"]} ${styles["link"]} ${styles[look]}`}>
      {children}
    </Link>
  );
}

const CONFIRMATION_MS = 2_000;

/**
 * Copies a text to the clipboard and confirms it for 2 s; a failure is shown as a toast. `text` may be a function that
 * creates the text on demand.
 */
export function CopyButton({ text, label }: { readonly text: string | (() => string); readonly label?: string }) {
  const t = useMessages("common");
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () => {
    copyText(typeof text === "string" ? text : text()).then(
      () => setDone(true),
      () => showToast(t("copyFailed"), "failed"),
    );
  };
  return (
    <IconButton label={isDone ? t("copied") : (label ?? t("copy"))} onClick={copy}>
      {isDone ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
    </IconButton>
  );
}

/** Rejects without permission and in insecure contexts (plain http other than localhost), which have no clipboard. */
async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
