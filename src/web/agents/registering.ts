// Registration of an agent by URL: completion of the URL, and messages for its failures.

import { isPublicHost } from "../../protocol/address.ts";
import { toFault } from "../../protocol/fault.ts";
import { refusalOf as refused } from "../refusal.ts";
import type { WORDS } from "./words.ts";

/** Selects the message that explains why an agent was not registered. */
export function refusalOf(thrown: unknown, url?: string): keyof typeof WORDS.en {
  const { code, field = "" } = toFault(thrown);
  if (code === "conflict") return "failedTaken";
  if (code === "agent_unreachable") return field.startsWith("mcp") ? "failedMcp" : "failedUnreachable";
  if (code !== "invalid_request" || url === undefined) return "failedOther";
  if (!URL.canParse(url)) return "failedAddress";
  const { protocol, hostname } = new URL(url);
  if (!isPublicHost(hostname)) return "failedPrivate";
  return protocol === "https:" ? "failedAddress" : "failedInsecure";
}

/** Returns the server's message without its field prefix; null if the translated message is sufficient. */
export function reasonOf(thrown: unknown, refusal: keyof typeof WORDS.en): string | null {
  if (refusal === "failedPrivate" || refusal === "failedInsecure") return null;
  const { message, field = "" } = refused(thrown);
  return field !== "" && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

/** Local hosts have no certificate, so they default to http. */
const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i;

/** Trims a URL and adds the scheme if it is missing: http for local hosts, https otherwise. */
export function addressOf(written: string): string {
  const address = written.trim();
  if (address === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  return `${HERE.test(address) ? "http" : "https"}://${address}`;
}
