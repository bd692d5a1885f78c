import { useId } from "react";
import styles from "./field.module.css";

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
