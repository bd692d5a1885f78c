// Unsent text, one draft per conversation or question. It survives a reload.
//
// Owns one store per key for the lifetime of the page and a copy of each text in `localStorage`, under a name that
// belongs to the signed-in person. The stored text is read once, when the draft is created. Tabs do not share a draft
// while it is open: each keeps its own text, and the last write is stored.
// If storage fails, the draft lasts as long as the page; no function throws.

import { toUserPreferenceName } from "../../../session/preference.ts";
import { createStore, readStoredText, storeText, type Store } from "../../../session/store.ts";

/** A text; "" if there is none, which removes it from storage. */
export type DraftStore = Store<string>;

const PREFIX = `orrery.${toUserPreferenceName("draft")}.`;
const drafts = new Map<string, DraftStore>();

/** Returns the draft of a key, always the same object. The key is a conversation id, "new" or `answer.<request id>`. */
export function getDraft(key: string): DraftStore {
  const known = drafts.get(key) ?? createDraftStore(PREFIX + key);
  drafts.set(key, known);
  return known;
}

function createDraftStore(storageKey: string): DraftStore {
  const store = createStore(readStoredText(storageKey) ?? "");
  return {
    ...store,
    set(text) {
      storeText(storageKey, text === "" ? null : text);
      store.set(text);
    },
  };
}
