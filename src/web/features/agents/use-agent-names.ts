// Display names of agents.

import { useCallback } from "react";
import { PLANNER, SUPER_AGENT } from "../../../protocol/wire/events.ts";
import { useAgents } from "./use-agents.ts";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";

/**
 * Returns a function from agent name to display name. Without a name, and for triage, planner and synthesis, it returns
 * the name of the application; for an unknown agent, the given name. Invisible characters are escaped.
 */
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
