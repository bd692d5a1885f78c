// What a user can ask about agents.

import { putAgent, putApp, readRegistry, removeAgent, setAgentEnabled } from "../directory/agents.ts";
import { fromDirectory } from "../directory/availability.ts";
import { fetchCard } from "../dispatch/connect.ts";
import { seal } from "../dispatch/credentials.ts";
import { agentsOf } from "../durable/world.ts";
import type { Env } from "../env.ts";
import type { Agent, AgentCard } from "../protocol/agent.ts";
import type { Credentials } from "../protocol/credentials.ts";
import type { App, Execute, Executed } from "../protocol/app.ts";
import { Fault } from "../protocol/fault.ts";
import { valueOf } from "../protocol/result.ts";
import type { Settings } from "../settings.ts";
import { RESERVED_NAMES } from "./agent-names.ts";
import { execute } from "./execute.ts";

export function agentVerbsOf(env: Env, settings: Settings, userId: string) {
  const agents = agentsOf(env, settings, userId);

  const agent = async (name: string): Promise<Agent> => {
    const found = (await agents.list()).find((known) => known.name === name);
    if (found !== undefined) return found;
    // The list is what was last known of a directory that is down: whether there is such an agent, only that can say.
    await fromDirectory(readRegistry(env.DB, userId));
    throw missingAgent();
  };

  /** Names that differ in nothing but their case would be taken for each other. */
  const isTaken = async (name: string): Promise<boolean> => {
    const own = (await agents.list()).filter(({ source }) => source === "binding" || source === "plan");
    return [...RESERVED_NAMES, ...own.map((known) => known.name)].some(
      (taken) => taken.toLowerCase() === name.toLowerCase(),
    );
  };

  /** The card behind a URL, of an agent that may be registered. */
  const cardAt = async (url: string, credentials?: Credentials): Promise<{ card: AgentCard; url: string }> => {
    const found = await fetchCard(url, settings, credentials);
    if (await isTaken(found.card.name)) throw taken(found.card.name, "url");
    return found;
  };

  return {
    async agents(): Promise<{ agents: Agent[] }> {
      return { agents: [...(await agents.list())] };
    },

    agent,

    /** U1. One that is switched off, or is somebody else's, is like one that never was. */
    async enabledAgent(name: string): Promise<Agent> {
      const found = await agent(name);
      if (!found.enabled) throw missingAgent();
      return found;
    },

    async setAgentEnabled(name: string, enabled: boolean): Promise<Agent> {
      await agent(name);
      await fromDirectory(setAgentEnabled(env.DB, userId, name, enabled));
      return agent(name);
    },

    /** What `registerAgent` would answer, without making it anybody's. */
    async previewAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await cardAt(url, credentials);
      return { ...card, source: "url", url: cardUrl, enabled: true };
    },

    /** Reads the card behind a URL and makes its agent one of this user's. The credentials are kept with it, sealed. */
    async registerAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await cardAt(url, credentials);
      const owner = { userId, url: cardUrl };
      const kept = credentials === undefined ? null : await seal(credentials, owner, settings.AUTH_SECRET);
      await fromDirectory(putAgent(env.DB, userId, card, cardUrl, kept));
      return agent(card.name);
    },

    /** Looks whether its MCP server has what it says, and makes the app one of this user's agents. */
    async registerApp(app: App): Promise<Agent> {
      if (await isTaken(app.name)) throw taken(app.name, "name");
      valueOf(await env.APPS.check(app));
      await fromDirectory(putApp(env.DB, userId, app));
      return agent(app.name);
    },

    /** One request to an agent and its answer; `signal` ends it early. */
    async execute(name: string, request: Execute, signal?: AbortSignal): Promise<Executed> {
      return execute(agents, await agent(name), { ...request, user_id: userId }, signal);
    },

    async removeAgent(name: string): Promise<{ name: string; deleted: true }> {
      if (typeof name !== "string" || !(await fromDirectory(removeAgent(env.DB, userId, name)))) {
        throw new Fault("not_found", "There is no registered agent of that name.");
      }
      return { name, deleted: true };
    },
  };
}

/** What a name is answered with that is no agent's. */
export function missingAgent(): Fault {
  return new Fault("not_found", "There is no such agent.");
}

function taken(name: string, field: string): Fault {
  return new Fault("conflict", `The name ${name} is taken by this deployment, or by a plan of yours.`, { field });
}
