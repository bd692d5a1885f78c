// What the browser's tab says: the view, and how many conversations wait for the person.

import { plainly } from "../../protocol/visible.ts";
import { useEffect, useSyncExternalStore } from "react";

let current = "";
const listeners = new Set<() => void>();

/** Names the view in the title of the document as long as the component is shown. */
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
