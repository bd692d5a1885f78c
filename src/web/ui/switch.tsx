import styles from "./switch.module.css";

/** A switch that takes effect at once. `label` is its accessible name. */
export function Switch({
  label,
  isOn,
  onChange,
  disabled = false,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly disabled?: boolean;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      title={label}
      disabled={disabled}
      className={styles["switch"]}
      onClick={() => onChange(!isOn)}
    >
      <span className={styles["track"]} />
    </button>
  );
}
