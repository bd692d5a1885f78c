// Client calls for agents, both built-in and registered ones. Each response is validated.

import { agentSchema, type Agent } from "../protocol/agents/agent.ts";
import { agentListSchema } from "../protocol/wire/http-responses.ts";
import {
  executeResponseSchema,
  type AppConfigInput,
  type ExecuteRequestInput,
  type ExecuteResponse,
} from "../protocol/agents/app-config.ts";
import type { Credentials } from "../protocol/agents/agent-credentials.ts";
import { createHttpClient, buildResourcePath, type ApiOptions } from "./http-client.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type AgentsClient = {
  /** Lists all agents, also disabled and hidden ones. */
  agents(): Promise<Agent[]>;
  agent(name: string): Promise<Agent>;
  /** Enables or disables the agent for this user only. */
  setAgentEnabled(name: string, enabled: boolean): Promise<Agent>;
  /**
   * Returns the agent that a registration of this URL would create, without registering it. Fails like a registration.
   */
  previewAgent(url: string, credentials?: Credentials): Promise<Agent>;
  /**
   * Registers an agent by the URL of its card or by its configuration. The server stores credentials and never returns
   * them.
   */
  registerAgent(agent: { url: string; credentials?: Credentials } | AppConfigInput): Promise<Agent>;
  /** Removes an agent that the user registered. */
  removeAgent(name: string): Promise<void>;
  /** Sends one request to an agent, without a conversation. A failure of the agent resolves with `success: false`. */
  execute(name: string, request: ExecuteRequestInput): Promise<ExecuteResponse>;
};

/** Creates the calls for agents. Sends nothing until a method is called. */
export function createAgentsApi(options: ApiOptions): AgentsClient {
  const { call } = createHttpClient(options);
  const at = (name: string, part?: string) => buildResourcePath("agents", name, part);
  return {
    agents: async () => agentListSchema.parse(await call("GET", "/api/v1/agents")).agents,
    agent: async (name) => agentSchema.parse(await call("GET", at(name))),
    setAgentEnabled: async (name, enabled) => agentSchema.parse(await call("PATCH", at(name), { enabled })),
    previewAgent: async (url, credentials) =>
      agentSchema.parse(await call("POST", "/api/v1/agents/preview", { url, credentials })),
    registerAgent: async (agent) => agentSchema.parse(await call("POST", "/api/v1/agents", agent)),
    removeAgent: async (name) => void (await call("DELETE", at(name))),
    execute: async (name, request) => executeResponseSchema.parse(await call("POST", at(name, "/execute"), request)),
  };
}
