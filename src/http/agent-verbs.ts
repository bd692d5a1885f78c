// Operations on agents: list, read, enable, register, call and remove them.
//
// The list of agents is cached and remains available while the directory (D1) is down. Changes need the directory and
// throw `unavailable` without it.

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

/** Creates the operations for one user. They hold no state besides the list of agents, which has a cache of its own. */
export function agentVerbsOf(env: Env, settings: Settings, userId: string) {
  const agents = agentsOf(env, settings, userId);

  /** Returns the agent of this name, enabled or not. Throws `not_found`. */
  const agent = async (name: string): Promise<Agent> => {
    const found = (await agents.list()).find((known) => known.name === name);
    if (found !== undefined) return found;
    // If the directory is down, the list may be outdated, and `not_found` would be wrong: throw `unavailable` instead.
    await fromDirectory(readRegistry(env.DB, userId));
    throw missingAgent();
  };

  /**
   * True if the name belongs to the system, to the deployment or to a plan. Case is ignored, because people would
   * confuse the names.
   */
  const isTaken = async (name: string): Promise<boolean> => {
    const own = (await agents.list()).filter(({ source }) => source === "binding" || source === "plan");
    return [...RESERVED_NAMES, ...own.map((known) => known.name)].some(
      (taken) => taken.toLowerCase() === name.toLowerCase(),
    );
  };

  /** Fetches the agent card at a URL. Throws a `Fault` if it cannot be fetched, and `conflict` if its name is taken. */
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

    /** Returns the agent. A disabled agent and another user's agent are `not_found`, as if they did not exist (U1). */
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

    /** Returns the agent as `registerAgent` would return it, without registering it. */
    async previewAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await cardAt(url, credentials);
      return { ...card, source: "url", url: cardUrl, enabled: true };
    },

    /**
     * Fetches the card at a URL and registers its agent for this user. The credentials are stored encrypted, bound to
     * the user and the URL.
     */
    async registerAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await cardAt(url, credentials);
      const owner = { userId, url: cardUrl };
      const kept = credentials === undefined ? null : await seal(credentials, owner, settings.AUTH_SECRET);
      await fromDirectory(putAgent(env.DB, userId, card, cardUrl, kept));
      return agent(card.name);
    },

    /**
     * Registers an app as an agent of this user. Throws if its MCP server does not offer the tools that the app names.
     */
    async registerApp(app: App): Promise<Agent> {
      if (await isTaken(app.name)) throw taken(app.name, "name");
      valueOf(await env.APPS.check(app));
      await fromDirectory(putApp(env.DB, userId, app));
      return agent(app.name);
    },

    /** Sends one request to an agent and returns its answer. An abort of `signal` ends it early. */
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

/** Creates the fault for an unknown agent name. */
export function missingAgent(): Fault {
  return new Fault("not_found", "There is no such agent.");
}

function taken(name: string, field: string): Fault {
  return new Fault("conflict", `The name ${name} is taken by this deployment, or by a plan of yours.`, { field });
}
