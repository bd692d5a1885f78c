// Whether a person wants to see what agents do beside their words.

import { useSyncExternalStore } from "react";
import type { Item } from "../../protocol/items.ts";
import { preference } from "../preference.ts";

const kept = preference("steps-hidden");

export const hideSteps = (isHidden: boolean): void => kept.set(isHidden ? "yes" : null);

export function useStepsHidden(): boolean {
  return useSyncExternalStore(kept.subscribe, kept.get) === "yes";
}

/** Thinking and tool calls; what asks or shows something is none. */
export function isStep({ event }: Item): boolean {
  return event === "reasoning" || event === "tool_call_started" || event === "tool_call_completed";
}
