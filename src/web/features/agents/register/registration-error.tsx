import { useMessages } from "../../../session/language.ts";
import styles from "./add-agent-dialog.module.css";
import { getServerMessage, selectRegistrationError } from "./agent-registration.ts";

/**
 * Explains why an agent was not registered, followed by the server's message unless the explanation says the same.
 * `url` is the complete address for a registration by URL.
 */
export function RegistrationError({ error, url }: { readonly error: unknown; readonly url?: string }) {
  const t = useMessages("agents");
  const messageKey = selectRegistrationError(error, url);
  const reason = getServerMessage(error, messageKey);
  return (
    <div role="alert" className={styles["refusal"]}>
      <strong>{t(messageKey)}</strong>
      {reason === null ? null : <p>{reason}</p>}
    </div>
  );
}
