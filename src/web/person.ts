// The current user, for keys of data that is stored in this browser.

import { fromBase64 } from "../protocol/base64.ts";
import { preference } from "./preference.ts";

const person = personIn(preference("token").get());

/** Returns a preference name that other users of this browser do not share; the plain name if nobody is signed in. */
export function ownName(name: string): string {
  return person === null ? name : `of.${encodeURIComponent(person).replaceAll(".", "%2E")}.${name}`;
}

/**
 * Reads the user (`sub`) from a JWT without verifying it, which only the server can. Null if the text is not a JWT or
 * has no `sub`.
 */
export function personIn(token: string | null): string | null {
  try {
    const [, payload = ""] = (token ?? "").split(".");
    const bytes = fromBase64(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly sub?: unknown };
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}
