// The title of the document: the current view, and the number of conversations that wait for the user.
// Owns the title of the mounted view. A view that unmounts clears the title only if no other view has set it since.

import { plainly } from "../../protocol/visible.ts";
import { useEffect, useSyncExternalStore } from "react";

let current = "";
const listeners = new Set<() => void>();

/** Sets the title of the view while the component is mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    change(title);
    return () => {
      if (current === title) change("");
    };
  }, [title]);
}

export function useViewTitle(): string {
  return useSyncExternalStore(subscribe, () => current);
}

export function documentTitle(view: string, waiting: number): string {
  const count = waiting === 0 ? "" : `(${waiting}) `;
  return `${count}${view === "" ? "" : `${plainly(view)} · `}Orrery`;
}

function change(title: string): void {
  current = title;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
