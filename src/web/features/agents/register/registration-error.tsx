import { useMessages, type UiMessageKey } from "../../../session/language.ts";
import styles from "./add-agent-dialog.module.css";
import { isPublicHost } from "../../../../lib/urls/public-url.ts";
import { toFault } from "../../../../protocol/wire/fault.ts";
import { toUserError } from "../../../session/user-error.ts";

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

// Registration of an agent by URL: completion of the URL, and messages for its failures.

/**
 * Returns the key of the message that explains why an agent was not registered. `url` is the complete address for a
 * registration by URL, undefined for an app.
 */
export function selectRegistrationError(thrown: unknown, url?: string): UiMessageKey<"agents"> {
  const { code, field = "" } = toFault(thrown);
  if (code === "conflict") return "failedTaken";
  if (code === "agent_unreachable") return field.startsWith("mcp") ? "failedMcp" : "failedUnreachable";
  if (code !== "invalid_request" || url === undefined) return "failedOther";
  if (!URL.canParse(url)) return "failedAddress";
  const { protocol, hostname } = new URL(url);
  if (!isPublicHost(hostname)) return "failedPrivate";
  return protocol === "https:" ? "failedAddress" : "failedInsecure";
}

/**
 * Returns the server's message without its field prefix; null if the message of `selectRegistrationError` says it all
 * (`failedPrivate`, `failedInsecure`).
 */
export function getServerMessage(thrown: unknown, messageKey: UiMessageKey<"agents">): string | null {
  if (messageKey === "failedPrivate" || messageKey === "failedInsecure") return null;
  const { message, field = "" } = toUserError(thrown);
  return field !== "" && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

/** Local hosts have no certificate, so they default to http. */
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i;

/** Trims a URL and adds the scheme if it is missing: http for local hosts, https otherwise. "" stays "". */
export function completeUrl(input: string): string {
  const url = input.trim();
  if (url === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  return `${LOCAL_HOST.test(url) ? "http" : "https"}://${url}`;
}
