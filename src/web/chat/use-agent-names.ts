// Display names of agents.

import { useCallback } from "react";
import { PLANNER, SUPER_AGENT } from "../../protocol/wire/events.ts";
import { useAgents } from "../agents/use-agents.ts";
import { escapeHiddenControls } from "../../protocol/text/escape-invisible.ts";

/** Returns a function from agent name to display name. Triage, planner and synthesis are shown as the application. */
export function useAgentNames(): (name: string | undefined) => string {
  const { data } = useAgents();
  return useCallback(
    (name) => {
      if (name === undefined || name === "" || name === SUPER_AGENT || name === PLANNER) return "Orrery";
      // Escape control characters, which could reverse the direction of the surrounding sentence.
      return escapeHiddenControls(data?.find((agent) => agent.name === name)?.display_name ?? name);
    },
    [data],
  );
}
