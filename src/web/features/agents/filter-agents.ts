import type { Agent } from "../../../protocol/agents/agent.ts";

/**
 * Returns the agents that contain every word of `filter` in their names, their description, or the names and tags of
 * their skills; case-insensitive. A blank filter returns all.
 */
export function filterAgents(agents: readonly Agent[], filter: string): readonly Agent[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter(({ name, display_name = "", description, skills }) => {
    const parts = [name, display_name, description, ...skills.flatMap((skill) => [skill.name, ...skill.tags])];
    const all = parts.join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
