import { useId, type InputHTMLAttributes, type TextareaHTMLAttributes } from "react";
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

/** A native select with a label, and below it the error or, without one, the hint. */
export function Select({
  label,
  hint,
  error,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  /** Pairs of value and label. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const about = error ?? hint;
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles["input"]}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {about === undefined ? null : (
        <p id={`${id}-about`} className={error === undefined ? styles["hint"] : styles["error"]}>
          {about}
        </p>
      )}
    </div>
  );
}

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
