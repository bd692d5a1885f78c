import { useId, type InputHTMLAttributes } from "react";
import styles from "./field.module.css";

/** A text input with a label, and below it the error or, without one, the hint. */
export function Field({
  label,
  hint,
  error,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}) {
  const id = useId();
  const about = error ?? hint;
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles["input"]}
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
