import { useId } from "react";
import styles from "./field.module.css";

/** One of a few, by the platform's own list. */
export function Select({
  label,
  hint,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  /** Value and words of each. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles["input"]}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-about`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <p id={`${id}-about`} className={styles["hint"]}>
          {hint}
        </p>
      )}
    </div>
  );
}
