// Settings of a person in this browser, kept in `localStorage`.
// Each name has one `Preference` object per page, which caches the stored value. All subscribers of a name are notified
// of changes in this tab and in others. If storage is unavailable, values last as long as the page.

import { decodeBase64 } from "../../lib/base64.ts";

export type Preference = {
  /** Returns the value; null if none is set. */
  readonly get: () => string | null;
  /** Stores the value, or removes it for null, and calls all listeners, those in other tabs as well. */
  readonly set: (value: string | null) => void;
  /**
   * Calls the listener after every `set`, and after every change in another tab. Returns the function that
   * unsubscribes. Other tabs are followed only after the first subscription.
   */
  readonly subscribe: (listener: () => void) => () => void;
};

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
  const listeners = new Set<() => void>();
  let isListening = false;
  let value = readStorage(key);
  const handleStorage = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    value = readStorage(key);
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set(next) {
      value = next;
      writeStorage(key, next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // Never removed: the value must follow other tabs even while nobody is subscribed.
      if (!isListening) addEventListener("storage", handleStorage);
      isListening = true;
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private mode or full storage: the value lasts as long as the page.
  }
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
