// What agents are called.

import { useCallback } from "react";
import { PLANNER, SUPER_AGENT } from "../../protocol/events.ts";
import { useAgents } from "../agents/use-agents.ts";
import { plainly } from "../../protocol/visible.ts";

/** The name to show for the name of an agent. Whoever triages, plans and sums up speaks for the application. */
export function useAgentNames(): (name: string | undefined) => string {
  const { data } = useAgents();
  return useCallback(
    (name) => {
      if (name === undefined || name === "" || name === SUPER_AGENT || name === PLANNER) return "Orrery";
      // Nothing in it turns the sentence that it stands in.
      return plainly(data?.find((agent) => agent.name === name)?.display_name ?? name);
    },
    [data],
  );
}
