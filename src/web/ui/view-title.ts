// The title of the document: the current view, and the number of conversations that wait for the user.
// Owns the title of the mounted view. A view that unmounts clears the title only if no other view has set it since.

import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import { useEffect, useSyncExternalStore } from "react";

let currentTitle = "";
const listeners = new Set<() => void>();

/** Sets the title of the view while the component is mounted; "" means no title. */
export function useSetViewTitle(title: string): void {
  useEffect(() => {
    setCurrentTitle(title);
    return () => {
      if (currentTitle === title) setCurrentTitle("");
    };
  }, [title]);
}

/** Returns the title of the mounted view; "" if it has not set one. */
export function useCurrentViewTitle(): string {
  return useSyncExternalStore(subscribe, () => currentTitle);
}

/** Formats `(2) Title · Orrery`, without the number if it is 0 and without an empty title. */
export function formatDocumentTitle(view: string, waiting: number): string {
  const count = waiting === 0 ? "" : `(${waiting}) `;
  return `${count}${view === "" ? "" : `${escapeHiddenControls(view)} · `}Orrery`;
}

function setCurrentTitle(title: string): void {
  currentTitle = title;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
