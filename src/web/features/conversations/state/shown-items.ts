// The tasks and items that a person has opened or folded.
//
// Owns a module-level map by task id or item id that lives as long as the page. It is outside of the rows because rows
// are unmounted while the person scrolls. Every change notifies all subscribers.

import type { Item } from "../../../../protocol/wire/items.ts";
import { getPreference } from "../../../session/preference.ts";
import { createStore, useStore } from "../../../session/store.ts";

const openById = createStore<ReadonlyMap<string, boolean>>(new Map());

/** Records that the person has opened or folded a task or item. */
export function setFold(id: string, isOpen: boolean): void {
  openById.set(new Map(openById.get()).set(id, isOpen));
}

/** Returns true or false if the person has opened or folded the task or item, otherwise undefined. */
export function useFold(id: string): boolean | undefined {
  return useStore({ subscribe: openById.subscribe, get: () => openById.get().get(id) });
}

// The preference that hides reasoning and tool calls. It is stored in this browser and shared by its tabs.

const stepsPreference = getPreference("steps-hidden");

/** Hides or shows reasoning and tool calls in all conversations of this browser. */
export const setStepsHidden = (isHidden: boolean): void => stepsPreference.set(isHidden ? "yes" : null);

/** Returns true while steps are hidden; by default they are shown. */
export function useStepsHidden(): boolean {
  return useStore(stepsPreference) === "yes";
}

/** Returns true for reasoning and tool calls. Questions and components are not steps. */
export function isStep({ event }: Item): boolean {
  return event === "reasoning" || event === "tool_call_started" || event === "tool_call_completed";
}
