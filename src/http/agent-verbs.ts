// What a user can ask about agents.

import { putAgent, putApp, removeAgent, setAgentEnabled } from "../directory/agents.ts";
import { fromDirectory } from "../directory/availability.ts";
import { fetchCard } from "../dispatch/connect.ts";
import { agentsOf } from "../durable/world.ts";
import type { Env } from "../env.ts";
import type { Agent } from "../protocol/agent.ts";
import type { App, AppsApi, Execute, Executed } from "../protocol/app.ts";
import { PLANNER, SUPER_AGENT } from "../protocol/events.ts";
import { Fault } from "../protocol/fault.ts";
import { valueOf } from "../protocol/result.ts";
import type { Settings } from "../settings.ts";
import { execute } from "./execute.ts";

export function agentVerbsOf(env: Env, settings: Settings, userId: string) {
  const agents = agentsOf(env, settings, userId);

  const agent = async (name: string): Promise<Agent> => {
    const found = (await agents.list()).find((known) => known.name === name);
    if (found === undefined) throw new Fault("not_found", "There is no such agent.");
    return found;
  };

  /** Names that differ in nothing but their case would be taken for each other. */
  const isTaken = async (name: string): Promise<boolean> => {
    const own = (await agents.list()).filter(({ source }) => source === "binding" || source === "plan");
    return [SUPER_AGENT, PLANNER, ...own.map((known) => known.name)].some(
      (taken) => taken.toLowerCase() === name.toLowerCase(),
    );
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
      if (await isTaken(card.name)) throw taken(card.name, "url");
      await fromDirectory(putAgent(env.DB, userId, card, cardUrl));
      return agent(card.name);
    },

    /** Looks whether its MCP server has what it says, and makes the app one of this user's agents. */
    async registerApp(app: App): Promise<Agent> {
      if (await isTaken(app.name)) throw taken(app.name, "name");
      valueOf(await (env.APPS as unknown as AppsApi).check(app));
      await fromDirectory(putApp(env.DB, userId, app));
      return agent(app.name);
    },

    /** One request to an agent and its answer; `signal` ends it early. */
    async execute(name: string, request: Execute, signal?: AbortSignal): Promise<Executed> {
      return execute(agents, await agent(name), { ...request, user_id: userId }, signal);
    },

    async removeAgent(name: string): Promise<{ name: string; deleted: true }> {
      if (!(await fromDirectory(removeAgent(env.DB, userId, name)))) {
        throw new Fault("not_found", "There is no registered agent of that name.");
      }
      return { name, deleted: true };
    },
  };
}

function taken(name: string, field: string): Fault {
  return new Fault("conflict", `An agent called ${name} is part of this deployment, or a plan of yours.`, { field });
}
