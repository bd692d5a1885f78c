// What a person has set for this browser. Survives a reload, is shared by its tabs, and works where nothing can be stored.

export type Preference = {
  readonly get: () => string | null;
  /** Null forgets it. */
  readonly set: (value: string | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

const PREFIX = "orrery.";

const known = new Map<string, Preference>();

/** The same one for everybody who asks for that name, so that they hear of each other. */
export function preference(name: string): Preference {
  const preference = known.get(name) ?? keptAs(PREFIX + name);
  known.set(name, preference);
  return preference;
}

function keptAs(key: string): Preference {
  const listeners = new Set<() => void>();
  let isHearing = false;
  let value = read(key);
  const hear = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    value = read(key);
    for (const listener of listeners) listener();
  };
  return {
    get: () => value,
    set(next) {
      value = next;
      write(key, next);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // For good: what changes while nobody looks is what they find when they look again.
      if (!isHearing) addEventListener("storage", hear);
      isHearing = true;
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows and full storages: it lasts as long as the page.
  }
}
