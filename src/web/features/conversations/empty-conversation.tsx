import type { LucideIcon } from "lucide-react";
import styles from "./welcome.module.css";

type ExampleMessage = { readonly title: string; readonly message: string; readonly Icon: LucideIcon };

/** The content of an empty conversation: an introduction and, if there are any, examples. A click calls `onPick`. */
export function EmptyConversation({
  title,
  more,
  label,
  examples,
  onPick,
}: {
  readonly title: string;
  readonly more: string;
  /** The accessible name of the list of examples. */
  readonly label: string;
  readonly examples: readonly ExampleMessage[];
  readonly onPick: (message: string) => void;
}) {
  return (
    <section className={styles["welcome"]} aria-labelledby="welcome">
      <h2 id="welcome">{title}</h2>
      <p className={styles["what"]}>{more}</p>
      {examples.length === 0 ? null : (
        <ul className={styles["examples"]} aria-label={label}>
          {examples.map(({ title: name, message, Icon }) => (
            <li key={message}>
              <button type="button" className={styles["example"]} onClick={() => onPick(message)}>
                <Icon size={18} aria-hidden />
                <span>
                  <strong>{name}</strong>
                  <span className={styles["message"]}>{message}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
