// Operations on agents: list, read, enable, register, call and remove them.
//
// The list of agents is cached and remains available while the directory (D1) is down. Changes need the directory and
// throw `unavailable` without it.

import { putAgent, putApp, readRegistry, removeAgent, setAgentEnabled } from "../../directory/agent-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { fetchCard } from "../../dispatch/connect-peer.ts";
import { sealCredentials } from "../../dispatch/remote-credentials.ts";
import { createUserAgents } from "../../durable/conversation/create-ports.ts";
import type { Env } from "../../env.ts";
import type { Agent, AgentCard } from "../../protocol/agents/agent.ts";
import type { Credentials } from "../../protocol/agents/agent-credentials.ts";
import type { AppConfig, ExecuteRequest, ExecuteResponse } from "../../protocol/agents/app-config.ts";
import { createMessage } from "../../language/messages.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import type { Settings } from "../../settings.ts";
import { RESERVED_AGENT_NAMES } from "./reserved-agent-names.ts";
import { executeAgentRequest } from "./execute-agent-request.ts";

/** Creates the operations for one user. They hold no state besides the list of agents, which has a cache of its own. */
export function createAgentOperations(env: Env, settings: Settings, userId: string) {
  const agents = createUserAgents(env, settings, userId);

  /** Returns the agent of this name, enabled or not. Throws `not_found`. */
  const agent = async (name: string): Promise<Agent> => {
    const found = (await agents.list()).find((known) => known.name === name);
    if (found !== undefined) return found;
    // If the directory is down, the list may be outdated, and `not_found` would be wrong: throw `unavailable` instead.
    await requireDirectory(readRegistry(env.DB, userId));
    throw createMissingAgentFault();
  };

  /**
   * True if the name belongs to the system, to the deployment or to a plan. Case is ignored, because people would
   * confuse the names.
   */
  const isNameTaken = async (name: string): Promise<boolean> => {
    const builtIn = (await agents.list()).filter(({ source }) => source === "binding" || source === "plan");
    return [...RESERVED_AGENT_NAMES, ...builtIn.map((known) => known.name)].some(
      (taken) => taken.toLowerCase() === name.toLowerCase(),
    );
  };

  /**
   * Fetches the agent card at a URL. Throws `invalid_request` for a URL that must not be called, `agent_unreachable` if
   * there is no valid card, and `conflict` if its name is taken.
   */
  const fetchAvailableCard = async (
    url: string,
    credentials?: Credentials,
  ): Promise<{ card: AgentCard; url: string }> => {
    const found = await fetchCard(url, settings, credentials);
    if (await isNameTaken(found.card.name)) throw createNameTakenFault(found.card.name, "url");
    return found;
  };

  return {
    /** Returns all agents: of the deployment, registered ones, and released plans, also disabled ones. */
    async agents(): Promise<{ agents: Agent[] }> {
      return { agents: [...(await agents.list())] };
    },

    agent,

    /** Returns the agent. A disabled agent and another user's agent are `not_found`, as if they did not exist (U1). */
    async getEnabledAgent(name: string): Promise<Agent> {
      const found = await agent(name);
      if (!found.enabled) throw createMissingAgentFault();
      return found;
    },

    /** Enables or disables an agent for this user only. Throws `not_found`. */
    async setAgentEnabled(name: string, enabled: boolean): Promise<Agent> {
      await agent(name);
      await requireDirectory(setAgentEnabled(env.DB, userId, name, enabled));
      return agent(name);
    },

    /** Returns the agent as `registerAgent` would return it, or throws the same fault, without registering it. */
    async previewAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await fetchAvailableCard(url, credentials);
      return { ...card, source: "url", url: cardUrl, enabled: true };
    },

    /**
     * Fetches the card at a URL and registers its agent for this user, in place of a registered agent of this name, and
     * enabled. The credentials are stored bound to the user and the URL, and encrypted if AUTH_SECRET is set. Throws
     * `invalid_request` for a URL that must not be called, `agent_unreachable` if there is no valid card, and `conflict`
     * if the name is taken.
     */
    async registerAgent(url: string, credentials?: Credentials): Promise<Agent> {
      const { card, url: cardUrl } = await fetchAvailableCard(url, credentials);
      const owner = { userId, url: cardUrl };
      const sealedCredentials =
        credentials === undefined ? null : await sealCredentials(credentials, owner, settings.AUTH_SECRET);
      await requireDirectory(putAgent(env.DB, userId, card, cardUrl, sealedCredentials));
      return agent(card.name);
    },

    /**
     * Registers an app as an agent of this user, in place of a registered agent of this name, and enabled. Throws
     * `conflict` if the name is taken, and a `Fault` if its MCP server does not offer the tools that the app names.
     */
    async registerApp(app: AppConfig): Promise<Agent> {
      if (await isNameTaken(app.name)) throw createNameTakenFault(app.name, "name");
      unwrapResult(await env.APPS.check(app));
      await requireDirectory(putApp(env.DB, userId, app));
      return agent(app.name);
    },

    /**
     * Sends one request to an agent and returns its answer; a failure of the agent is part of it. Throws `not_found`
     * for an unknown agent. An abort of `signal` ends it early.
     */
    async execute(name: string, request: ExecuteRequest, signal?: AbortSignal): Promise<ExecuteResponse> {
      return executeAgentRequest(agents, await agent(name), { ...request, user_id: userId }, signal);
    },

    /** Removes a registered agent. Throws `not_found` for other agents. */
    async removeAgent(name: string): Promise<{ name: string; deleted: true }> {
      if (typeof name !== "string" || !(await requireDirectory(removeAgent(env.DB, userId, name)))) {
        throw createFault("not_found", "agent.notRegistered");
      }
      return { name, deleted: true };
    },
  };
}

/** Creates the fault (`not_found`) for an unknown agent name. */
export function createMissingAgentFault(): Fault {
  return createFault("not_found", "agent.notFound");
}

function createNameTakenFault(name: string, field: string): Fault {
  return createFault("conflict", createMessage("agent.nameTaken", { name }), { field });
}
