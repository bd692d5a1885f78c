// Operations on agents: list, read, enable, register, call and remove them.
//
// The list of agents is cached and remains available while the directory (D1) is down. Changes need the directory and
// throw `unavailable` without it.

import { openDirectory } from "../../directory/open-directory.ts";
import { putAgent, putApp, readRegistry, removeAgent, setAgentEnabled } from "../../directory/agent-directory.ts";
import { requireDirectory } from "../../directory/directory-availability.ts";
import { fetchCard } from "../../dispatch/connect-peer.ts";
import { sealCredentials } from "../../dispatch/remote-credentials.ts";
import { createUserAgents } from "../../durable/conversation/create-ports.ts";
import type { AgentRunner } from "../../core/ports.ts";
import { createMessage } from "../../language/messages.ts";
import type { Agent, AgentCard } from "../../protocol/agents/agent.ts";
import type { Credentials } from "../../protocol/agents/agent-credentials.ts";
import {
  appConfigSchema,
  type AppConfig,
  type AppConfigInput,
  type ExecuteRequestInput,
} from "../../protocol/agents/app-config.ts";
import { agentEndpoints } from "../../protocol/api/agent-endpoints.ts";
import { agentSetupEndpoints } from "../../protocol/api/agent-setup-endpoints.ts";
import { PLANNER, SUPER_AGENT } from "../../protocol/wire/events.ts";
import type { Fault } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { listSealingSecrets } from "../../settings.ts";
import { executeAgentRequest } from "./execute-agent-request.ts";
import { defineOperation, type Caller } from "./operation.ts";

const tag = "Agents";
const answer = "The agent";
const byUrlExample = { url: "https://agents.example.com" };

/**
 * Agent names that users cannot register. The first two are names of the system; the others have a special meaning as a
 * path segment of a URL.
 */
export const RESERVED_AGENT_NAMES = [SUPER_AGENT, PLANNER, "preview", ".well-known", ".", ".."];

export const agentOperations = {
  /** Returns the agents of the deployment and of the user, also disabled ones. */
  agents: defineOperation(agentEndpoints.agents, {
    http: { tag, summary: "List the agents of the deployment and your own", answer: "All agents" },
    rpc: () => ({}),
    run: async (caller) => ({ agents: [...(await createRunner(caller).list())] }),
  }),
  /** Registers the agent at the URL of its card or server. The credentials are stored bound to the user and the URL. */
  registerAgent: defineOperation(agentSetupEndpoints.registerAgent, {
    http: {
      tag,
      summary: "Register an agent by the URL of its card or server, or by a configuration",
      example: byUrlExample,
      status: 201,
      answer,
    },
    rpc: (url: string, credentials?: Credentials) => ({ body: { url, credentials } }),
    run: (caller, { body }) =>
      "url" in body ? registerAgentByUrl(caller, body.url, body.credentials) : registerApp(caller, body),
  }),
  /** Registers an agent that is defined by a configuration. Names are handled as in `registerAgent`. */
  registerApp: defineOperation(
    { ...agentSetupEndpoints.registerAgent, body: appConfigSchema },
    {
      rpc: (app: AppConfigInput) => ({ body: app }),
      run: (caller, { body }) => registerApp(caller, body),
    },
  ),
  /** Returns the agent that `registerAgent` would register, without registering it. */
  previewAgent: defineOperation(agentSetupEndpoints.previewAgent, {
    http: { tag, summary: "Preview the agent at a URL without registering it", example: byUrlExample, answer },
    rpc: (url: string, credentials?: Credentials) => ({ body: { url, credentials } }),
    async run(caller, { body: { url, credentials } }): Promise<Agent> {
      const { card, url: cardUrl } = await fetchAvailableCard(caller, url, credentials);
      return { ...card, source: "url", url: cardUrl, enabled: true };
    },
  }),
  agent: defineOperation(agentEndpoints.agent, {
    http: { tag, summary: "Get an agent", answer },
    rpc: (agent: string) => ({ name: agent }),
    run: (caller, { name }) => findAgent(caller, name),
  }),
  /** Enables or disables an agent for this user. */
  setAgentEnabled: defineOperation(agentEndpoints.setAgentEnabled, {
    http: { tag, summary: "Enable or disable an agent for yourself", example: { enabled: false }, answer },
    rpc: (agent: string, enabled: boolean) => ({ name: agent, body: { enabled } }),
    async run(caller, { name, body: { enabled } }) {
      await findAgent(caller, name);
      await requireDirectory(setAgentEnabled(openDirectory(caller.env.DB), caller.userId, name, enabled));
      return findAgent(caller, name);
    },
  }),
  /** Removes a registered agent; `not_found` for an agent of the deployment. */
  removeAgent: defineOperation(agentEndpoints.removeAgent, {
    http: { tag, summary: "Remove an agent that you registered", answer: "The agent was removed" },
    rpc: (agent: string) => ({ name: agent }),
    async run({ env, userId }, { name }) {
      if (typeof name !== "string" || !(await requireDirectory(removeAgent(openDirectory(env.DB), userId, name))))
        throw createFault("not_found", "agent.notRegistered");
      return { name, deleted: true as const };
    },
  }),
  /** Sends one request to an agent. A failure of the agent is part of the value, not a failure of the call. */
  execute: defineOperation(agentSetupEndpoints.execute, {
    http: {
      tag,
      summary: "Send a single request to an agent, without a conversation",
      example: { action: "What is 17 * 23?" },
      answer: "The outcome. A failure of the agent has `success: false`",
    },
    rpc: (agent: string, request: ExecuteRequestInput) => ({ name: agent, body: request }),
    async run(caller, { name, body }) {
      const agent = await findAgent(caller, name);
      return executeAgentRequest(createRunner(caller), agent, { ...body, user_id: caller.userId }, caller.signal);
    },
  }),
};

/** Returns the agent. A disabled agent and another user's agent are `not_found`, as if they did not exist (U1). */
export async function getEnabledAgent(caller: Caller, name: string): Promise<Agent> {
  const found = await findAgent(caller, name);
  if (!found.enabled) throw createMissingAgentFault();
  return found;
}

/** Creates the fault (`not_found`) for an unknown agent name. */
export function createMissingAgentFault(): Fault {
  return createFault("not_found", "agent.notFound");
}

function createRunner({ env, settings, userId }: Caller): AgentRunner {
  return createUserAgents(env, settings, userId);
}

/** Returns the agent of this name, enabled or not. Throws `not_found`. */
async function findAgent(caller: Caller, name: string): Promise<Agent> {
  const found = (await createRunner(caller).list()).find((known) => known.name === name);
  if (found !== undefined) return found;
  // If the directory is down, the list may be outdated, and `not_found` would be wrong: throw `unavailable` instead.
  await requireDirectory(readRegistry(openDirectory(caller.env.DB), caller.userId));
  throw createMissingAgentFault();
}

/**
 * Fetches the agent card at a URL. Throws `invalid_request` for a URL that must not be called, `agent_unreachable` if
 * there is no valid card, and `conflict` if its name is taken.
 */
async function fetchAvailableCard(
  caller: Caller,
  url: string,
  credentials?: Credentials,
): Promise<{ card: AgentCard; url: string }> {
  const found = await fetchCard(url, caller.settings, credentials);
  await refuseTakenName(caller, found.card.name, "url");
  return found;
}

/** Registers the agent of a card, in place of a registered agent of its name, and enabled. Seals the credentials. */
async function registerAgentByUrl(caller: Caller, url: string, credentials?: Credentials): Promise<Agent> {
  const { env, settings, userId } = caller;
  const { card, url: cardUrl } = await fetchAvailableCard(caller, url, credentials);
  const owner = { userId, url: cardUrl };
  const sealedCredentials =
    credentials === undefined ? null : await sealCredentials(credentials, owner, listSealingSecrets(settings));
  await requireDirectory(putAgent(openDirectory(env.DB), userId, card, cardUrl, sealedCredentials));
  return findAgent(caller, card.name);
}

/** Registers an app as an agent. Throws a `Fault` if its MCP server does not offer the tools that the app names. */
async function registerApp(caller: Caller, app: AppConfig): Promise<Agent> {
  const { env, settings, userId } = caller;
  await refuseTakenName(caller, app.name, "name");
  const tools = unwrapResult(await env.APPS.check(app));
  const secrets = listSealingSecrets(settings);
  await requireDirectory(putApp(openDirectory(env.DB), userId, app, { tools, secrets }));
  return findAgent(caller, app.name);
}

/**
 * Throws `conflict` if the name belongs to the system, to the deployment or to a plan. Case is ignored, because people
 * would confuse the names.
 */
async function refuseTakenName(caller: Caller, name: string, field: string): Promise<void> {
  const builtIn = (await createRunner(caller).list()).filter(({ source }) => source === "binding" || source === "plan");
  const names = [...RESERVED_AGENT_NAMES, ...builtIn.map((known) => known.name)];
  if (!names.some((taken) => taken.toLowerCase() === name.toLowerCase())) return;
  throw createFault("conflict", createMessage("agent.nameTaken", { name }), { field });
}
