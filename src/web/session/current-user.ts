// The current user, for keys of data that is stored in this browser.

import { decodeBase64 } from "../../lib/base64.ts";
import { getPreference } from "./preference.ts";

const currentUser = parseTokenUser(getPreference("token").get());

/**
 * Returns a preference name that other users of this browser do not share. Returns the plain name if nobody was signed
 * in when the page loaded.
 */
export function toUserPreferenceName(name: string): string {
  return currentUser === null ? name : `of.${encodeURIComponent(currentUser).replaceAll(".", "%2E")}.${name}`;
}

/**
 * Reads the user (`sub`) from a JWT without verifying it, which only the server can. Null if the text is not a JWT or
 * has no `sub`.
 */
export function parseTokenUser(token: string | null): string | null {
  try {
    const [, payload = ""] = (token ?? "").split(".");
    const bytes = decodeBase64(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly sub?: unknown };
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}
