// What a person has begun to write in one conversation. Survives a reload; unlike a preference it is not shared by tabs,
// where two people's worth of thoughts may be written at once.

import { ownName } from "../../person.ts";

export type Draft = {
  readonly get: () => string;
  readonly set: (text: string) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = `orrery.${ownName("draft")}.`;
const drafts = new Map<string, Draft>();

/** `of`: the conversation, or "new". */
export function draftOf(of: string): Draft {
  const known = drafts.get(of) ?? createDraft(PREFIX + of);
  drafts.set(of, known);
  return known;
}

function createDraft(key: string): Draft {
  const listeners = new Set<() => void>();
  let text = readKept(key) ?? "";
  return {
    get: () => text,
    set(next) {
      text = next;
      keep(key, next === "" ? null : next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Null forgets it. Where nothing can be stored, nothing is. */
export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows and full storages: it lasts as long as the page.
  }
}
