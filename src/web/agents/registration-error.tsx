import { useWords } from "../language.ts";
import styles from "./add-agent-dialog.module.css";
import { getServerMessage, selectRegistrationError } from "./agent-registration.ts";
import { WORDS } from "./words.ts";

/** Explains why an agent was not registered, followed by the server's message. */
export function RegistrationError({ error, url }: { readonly error: unknown; readonly url?: string }) {
  const say = useWords(WORDS);
  const messageKey = selectRegistrationError(error, url);
  const reason = getServerMessage(error, messageKey);
  return (
    <div role="alert" className={styles["refusal"]}>
      <strong>{say(messageKey)}</strong>
      {reason === null ? null : <p>{reason}</p>}
    </div>
  );
}
