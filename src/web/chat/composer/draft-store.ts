// Unsent text, one draft per conversation or question. It survives a reload.
//
// Owns one store per key for the lifetime of the page and a copy of each text in `localStorage`, under a name that
// belongs to the signed-in person. The stored text is read once, when the draft is created. Tabs do not share a draft
// while it is open: each keeps its own text, and the last write is stored.
// If storage fails, the draft lasts as long as the page; no function throws.

import { toUserPreferenceName } from "../../current-user.ts";

export type DraftStore = {
  readonly get: () => string;
  readonly set: (text: string) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = `orrery.${toUserPreferenceName("draft")}.`;
const drafts = new Map<string, DraftStore>();

/** Returns the draft of a key, always the same object. The key is a conversation id, "new" or `answer.<request id>`. */
export function getDraft(key: string): DraftStore {
  const known = drafts.get(key) ?? createDraftStore(PREFIX + key);
  drafts.set(key, known);
  return known;
}

function createDraftStore(key: string): DraftStore {
  const listeners = new Set<() => void>();
  let text = readStoredText(key) ?? "";
  return {
    get: () => text,
    set(next) {
      text = next;
      storeText(key, next === "" ? null : next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the stored text; null if there is none or storage is not available. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. Does nothing if storage is not available. */
export function storeText(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows and full storage: the text lasts as long as the page.
  }
}
