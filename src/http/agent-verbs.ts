// What a user can ask about agents.

import { putAgent, removeAgent, setAgentEnabled } from "../directory/agents.ts";
import { fromDirectory } from "../directory/availability.ts";
import { fetchCard } from "../dispatch/connect.ts";
import { agentsOf } from "../durable/world.ts";
import type { Env } from "../env.ts";
import type { Agent } from "../protocol/agent.ts";
import { PLANNER, SUPER_AGENT } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

export function agentVerbsOf(env: Env, settings: Settings, userId: string) {
  const agents = agentsOf(env, settings, userId);

  const agent = async (name: string): Promise<Agent> => {
    const found = (await agents.list()).find((known) => known.name === name);
    if (found === undefined) throw new Fault("not_found", "There is no such agent.");
    return found;
  };

  /** Names that differ in nothing but their case would be taken for each other. */
  const isTaken = async (name: string): Promise<boolean> => {
    const own = (await agents.list()).filter(({ source }) => source === "binding").map((known) => known.name);
    return [SUPER_AGENT, PLANNER, ...own].some((taken) => taken.toLowerCase() === name.toLowerCase());
  };

  return {
    async agents(): Promise<{ agents: Agent[] }> {
      return { agents: [...(await agents.list())] };
    },

    agent,

    async setAgentEnabled(name: string, enabled: boolean): Promise<Agent> {
      await agent(name);
      await fromDirectory(setAgentEnabled(env.DB, userId, name, enabled));
      return agent(name);
    },

    /** Reads the card behind a URL and makes its agent one of this user's. */
    async registerAgent(url: string): Promise<Agent> {
      const { card, url: cardUrl } = await fetchCard(url, settings);
      if (await isTaken(card.name)) {
        throw new Fault("conflict", `An agent called ${card.name} is part of this deployment.`, { field: "url" });
      }
      await fromDirectory(putAgent(env.DB, userId, card, cardUrl));
      return agent(card.name);
    },

    async removeAgent(name: string): Promise<{ name: string; deleted: true }> {
      if (!(await fromDirectory(removeAgent(env.DB, userId, name)))) {
        throw new Fault("not_found", "There is no registered agent of that name.");
      }
      return { name, deleted: true };
    },
  };
}
