// The preference that hides reasoning and tool calls. It is stored in this browser and shared by its tabs.

import { useSyncExternalStore } from "react";
import type { Item } from "../../protocol/items.ts";
import { preference } from "../preference.ts";

const kept = preference("steps-hidden");

export const hideSteps = (isHidden: boolean): void => kept.set(isHidden ? "yes" : null);

export function useStepsHidden(): boolean {
  return useSyncExternalStore(kept.subscribe, kept.get) === "yes";
}

/** Returns true for reasoning and tool calls. Questions and components are not steps. */
export function isStep({ event }: Item): boolean {
  return event === "reasoning" || event === "tool_call_started" || event === "tool_call_completed";
}
