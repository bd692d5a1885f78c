import { useWords } from "../language.ts";
import styles from "./add-agent.module.css";
import { reasonOf, refusalOf } from "./registering.ts";
import { WORDS } from "./words.ts";

/** Explains why an agent was not registered, followed by the server's message. */
export function Refusal({ error, url }: { readonly error: unknown; readonly url?: string }) {
  const say = useWords(WORDS);
  const refusal = refusalOf(error, url);
  const reason = reasonOf(error, refusal);
  return (
    <div role="alert" className={styles["refusal"]}>
      <strong>{say(refusal)}</strong>
      {reason === null ? null : <p>{reason}</p>}
    </div>
  );
}
