// Whose browser this is at the moment, for what is kept in it.

import { fromBase64 } from "../protocol/base64.ts";
import { preference } from "./preference.ts";

const person = personIn(preference("token").get());

/** The name under which something is kept that the next one to sign in here must not find. */
export function ownName(name: string): string {
  return person === null ? name : `of.${encodeURIComponent(person).replaceAll(".", "%2E")}.${name}`;
}

/** The user of a token, which only the server can verify; null for what is none. */
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
