import type { Agent } from "../../protocol/agents/agent.ts";

/**
 * Returns the agents that match every word of `filter` in a name, the description, or a skill's name or tag;
 * case-insensitive.
 */
export function filterAgents(agents: readonly Agent[], filter: string): readonly Agent[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter(({ name, display_name = "", description, skills }) => {
    const parts = [name, display_name, description, ...skills.flatMap((skill) => [skill.name, ...skill.tags])];
    const all = parts.join("\n").toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}
