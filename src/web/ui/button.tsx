import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";
import { Link } from "wouter";

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
