// The preference that hides reasoning and tool calls. It is stored in this browser and shared by its tabs.

import { useSyncExternalStore } from "react";
import type { Item } from "../../../../protocol/wire/items.ts";
import { getPreference } from "../../../session/preference.ts";

const stepsPreference = getPreference("steps-hidden");

/** Hides or shows reasoning and tool calls in all conversations of this browser. */
export const setStepsHidden = (isHidden: boolean): void => stepsPreference.set(isHidden ? "yes" : null);

/** Returns true while steps are hidden; by default they are shown. */
export function useStepsHidden(): boolean {
  return useSyncExternalStore(stepsPreference.subscribe, stepsPreference.get) === "yes";
}

/** Returns true for reasoning and tool calls. Questions and components are not steps. */
export function isStep({ event }: Item): boolean {
  return event === "reasoning" || event === "tool_call_started" || event === "tool_call_completed";
}
