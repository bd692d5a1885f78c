import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import styles from "./button.module.css";

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
