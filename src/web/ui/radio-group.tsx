import { useId } from "react";
import styles from "./radio-group.module.css";

/** A group of radio buttons. */
export function RadioGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly lang?: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className={styles["choice"]}>
      <legend>{label}</legend>
      <div className={styles["options"]}>
        {options.map(({ value: option, label: text, lang }) => (
          <label key={option} className={styles["option"]} lang={lang}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
