// The title of the document: the current view, and the number of conversations that wait for the user.
// Owns the title of the mounted view. A view that unmounts clears the title only if no other view has set it since.

import { escapeHiddenControls } from "../../lib/escape-invisible.ts";
import { useEffect } from "react";
import { createStore, useStore } from "../session/store.ts";

const currentTitle = createStore("");

/** Sets the title of the view while the component is mounted; "" means no title. */
export function useSetViewTitle(title: string): void {
  useEffect(() => {
    currentTitle.set(title);
    return () => {
      if (currentTitle.get() === title) currentTitle.set("");
    };
  }, [title]);
}

/** Returns the title of the mounted view; "" if it has not set one. */
export const useCurrentViewTitle = (): string => useStore(currentTitle);

/** Formats `(2) Title · Orrery`, without the number if it is 0 and without an empty title. */
export function formatDocumentTitle(view: string, waiting: number): string {
  const count = waiting === 0 ? "" : `(${waiting}) `;
  return `${count}${view === "" ? "" : `${escapeHiddenControls(view)} · `}Orrery`;
}
