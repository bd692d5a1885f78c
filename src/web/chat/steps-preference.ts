// The preference that hides reasoning and tool calls. It is stored in this browser and shared by its tabs.

import { useSyncExternalStore } from "react";
import type { Item } from "../../protocol/wire/items.ts";
import { getPreference } from "../preference.ts";

const stepsPreference = getPreference("steps-hidden");

export const setStepsHidden = (isHidden: boolean): void => stepsPreference.set(isHidden ? "yes" : null);

export function useStepsHidden(): boolean {
  return useSyncExternalStore(stepsPreference.subscribe, stepsPreference.get) === "yes";
}

/** Returns true for reasoning and tool calls. Questions and components are not steps. */
export function isStep({ event }: Item): boolean {
  return event === "reasoning" || event === "tool_call_started" || event === "tool_call_completed";
}
