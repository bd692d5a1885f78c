// Finds an agent by the name that a person or a model uses for it: its name or its display name, in any case.

import type { Agent } from "../../protocol/agents/agent.ts";
import { assertNever } from "../../lib/assert.ts";
import { createMessage, type Message } from "../../language/messages.ts";

/** The agents that a name may mean: one, several or none. */
export type AgentMatch =
  | { readonly kind: "found"; readonly agent: Agent }
  | { readonly kind: "ambiguous"; readonly candidates: readonly Agent[] }
  | { readonly kind: "unknown" };

/**
 * Finds the agent with a name. An exact name comes before a name in another case, and that before a display name.
 * Disabled agents count only if no enabled agent matches equally well.
 */
export function findAgentByName(agents: readonly Agent[], given: string): AgentMatch {
  const wanted = fold(given);
  const matches = [
    agents.filter(({ name }) => name === given),
    agents.filter(({ name }) => fold(name) === wanted),
    agents.filter(({ display_name: title }) => title !== undefined && fold(title) === wanted),
  ].find((found) => found.length > 0);
  if (matches === undefined) return { kind: "unknown" };
  const enabled = matches.filter((agent) => agent.enabled);
  const [agent, ...others] = enabled.length > 0 ? enabled : matches;
  if (agent === undefined) return { kind: "unknown" };
  return others.length === 0 ? { kind: "found", agent } : { kind: "ambiguous", candidates: [agent, ...others] };
}

function fold(name: string): string {
  return name.normalize("NFKC").trim().toLowerCase();
}

/** Returns the name of the agent that a name means; the given name if there is none, or more than one. */
export function resolveAgentName(agents: readonly Agent[], given: string): string {
  const match = findAgentByName(agents, given);
  return match.kind === "found" ? match.agent.name : given;
}

/**
 * Returns the reason why no task can have the agent with this name, or null. `candidates` are the agents that may be
 * chosen, `all` also the others.
 */
export function findAgentProblem(candidates: readonly Agent[], all: readonly Agent[], name: string): Message | null {
  const match = findAgentByName(candidates, name);
  switch (match.kind) {
    case "found":
      return match.agent.enabled ? null : createMessage("agent.disabled", { name });
    case "ambiguous":
      return createMessage("agent.ambiguous", { agent: name, agents: match.candidates.map((agent) => agent.name) });
    case "unknown": {
      const isKnown = findAgentByName(all, name).kind !== "unknown";
      return createMessage(isKnown ? "plan.agentNotAllowed" : "agent.unknown", { agent: name });
    }
    default:
      return assertNever(match);
  }
}
