// Settings of a person in this browser, kept in `localStorage`.
// Each name has one `Preference` object per page, which caches the stored value. All subscribers of a name are notified
// of changes in this tab and in others. If storage is unavailable, values last as long as the page.

import { decodeBase64 } from "../../lib/base64.ts";
import { createStore, readStoredText, storeText, type Store } from "./store.ts";

/**
 * A stored text; null if none is set. `set` calls the listeners in other tabs as well. Other tabs are followed only
 * after the first subscription.
 */
type Preference = Store<string | null>;

const PREFIX = "orrery.";

const preferences = new Map<string, Preference>();

/**
 * Returns the preference of a name, always the same object, so that all callers share one value and one set of
 * listeners. It is stored under `orrery.<name>`.
 */
export function getPreference(name: string): Preference {
  const preference = preferences.get(name) ?? createPreference(PREFIX + name);
  preferences.set(name, preference);
  return preference;
}

function createPreference(key: string): Preference {
  const store = createStore(readStoredText(key));
  let isListening = false;
  const handleStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) store.set(readStoredText(key));
  };
  return {
    get: store.get,
    set(value) {
      storeText(key, value);
      store.set(value);
    },
    subscribe(listener) {
      // Never removed: the value must follow other tabs even while nobody is subscribed.
      if (!isListening) addEventListener("storage", handleStorage);
      isListening = true;
      return store.subscribe(listener);
    },
  };
}

// The current user, for keys of data that is stored in this browser.

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
