// Queries and mutations of agents.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Agent } from "../../../protocol/agents/agent.ts";
import { api } from "../../session/initial-api.ts";
import { showErrorToast } from "../../ui/toast.tsx";
import { useCallback } from "react";
import { PLANNER, SUPER_AGENT } from "../../../protocol/wire/events.ts";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";

/** Queries all agents, also those that are disabled or hidden, under the key `["agents"]`. */
export const useAgents = () => useQuery({ queryKey: ["agents"], queryFn: async () => (await api.agents()).agents });

/**
 * Returns the mutation that enables or disables an agent. The caches change at once; on any error the agent gets the
 * opposite state again and the error is shown as a toast. Afterwards agent and list are requested again.
 */
export function useSetAgentEnabled() {
  const queries = useQueryClient();
  const updateCaches = (name: string, enabled: boolean) => {
    const withEnabled = (agent: Agent) => (agent.name === name ? { ...agent, enabled } : agent);
    queries.setQueryData<Agent[]>(["agents"], (agents) => agents?.map(withEnabled));
    queries.setQueryData<Agent>(["agent", name], (agent) => agent && withEnabled(agent));
  };
  return useMutation({
    mutationFn: ({ name, enabled }: { name: string; enabled: boolean }) => api.setAgentEnabled(name, { enabled }),
    onMutate: async ({ name, enabled }) => {
      await Promise.all([
        queries.cancelQueries({ queryKey: ["agents"] }),
        queries.cancelQueries({ queryKey: ["agent", name] }),
      ]);
      updateCaches(name, enabled);
    },
    onError: (error, { name, enabled }) => {
      updateCaches(name, !enabled);
      showErrorToast(error);
    },
    onSettled: (_data, _error, { name }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["agents"] }),
        queries.invalidateQueries({ queryKey: ["agent", name] }),
      ]),
  });
}

// Display names of agents.

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
