import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from "react";
import styles from "./field.module.css";

type FieldText = { readonly label: string; readonly hint?: string | undefined; readonly error?: string | undefined };
/** The attributes of the control that refer to its label and to the text below it. */
type ControlLinks = { readonly id: string; readonly "aria-invalid": boolean; readonly "aria-describedby"?: string };

/** A control with its label, and below it the error or, without one, the hint. */
function FieldFrame({
  label,
  hint,
  error,
  children,
}: FieldText & { readonly children: (links: ControlLinks) => ReactNode }) {
  const id = useId();
  const about = error ?? hint;
  const links = { id, "aria-invalid": error !== undefined };
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      {children(about === undefined ? links : { ...links, "aria-describedby": `${id}-about` })}
      {about === undefined ? null : (
        <p id={`${id}-about`} className={error === undefined ? styles["hint"] : styles["error"]}>
          {about}
        </p>
      )}
    </div>
  );
}

/** A text input with a label, and below it the error or, without one, the hint. */
export function Field({ label, hint, error, ...rest }: InputHTMLAttributes<HTMLInputElement> & FieldText) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(links) => <input {...links} className={styles["input"]} {...rest} />}
    </FieldFrame>
  );
}

/** A native select; see `Field`. `options` are pairs of value and label. */
export function Select({
  value,
  options,
  onChange,
  ...text
}: FieldText & {
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <FieldFrame {...text}>
      {(links) => (
        <select {...links} className={styles["input"]} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

/** A multi-line input; see `Field`. */
export function TextArea({
  label,
  hint,
  error,
  rows = 4,
  className = "",
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & FieldText) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {(links) => <textarea {...links} rows={rows} className={`${styles["input"]} ${className}`} {...rest} />}
    </FieldFrame>
  );
}
