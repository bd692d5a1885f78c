import { useId, type TextareaHTMLAttributes } from "react";
import styles from "./field.module.css";

/** A multi-line input with a label, and below it the error or, without one, the hint. */
export function TextArea({
  label,
  hint,
  error,
  rows = 4,
  className = "",
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}) {
  const id = useId();
  const about = error ?? hint;
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        className={`${styles["input"]} ${className}`}
        aria-invalid={error !== undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        {...rest}
      />
      {about === undefined ? null : (
        <p id={`${id}-about`} className={error === undefined ? styles["hint"] : styles["error"]}>
          {about}
        </p>
      )}
    </div>
  );
}
