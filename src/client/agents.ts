// Client calls for agents, both built-in and registered ones. Each response is validated.

import { agentSchema, type Agent } from "../protocol/agent.ts";
import { agentsSchema } from "../protocol/answers.ts";
import { executedSchema, type AppInput, type ExecuteInput, type Executed } from "../protocol/app.ts";
import type { Credentials } from "../protocol/credentials.ts";
import { doorOf, pathOf, type ApiOptions } from "./door.ts";

/** All methods reject with a `Fault`, or with a `ZodError` if the response does not match its schema. */
export type Agents = {
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
  registerAgent(agent: { url: string; credentials?: Credentials } | AppInput): Promise<Agent>;
  removeAgent(name: string): Promise<void>;
  /** Sends one request to an agent, without a conversation. */
  execute(name: string, request: ExecuteInput): Promise<Executed>;
};

/** Creates the calls for agents. Sends nothing until a method is called. */
export function createAgentsApi(options: ApiOptions): Agents {
  const { call } = doorOf(options);
  const at = (name: string, part?: string) => pathOf("agents", name, part);
  return {
    agents: async () => agentsSchema.parse(await call("GET", "/api/v1/agents")).agents,
    agent: async (name) => agentSchema.parse(await call("GET", at(name))),
    setAgentEnabled: async (name, enabled) => agentSchema.parse(await call("PATCH", at(name), { enabled })),
    previewAgent: async (url, credentials) =>
      agentSchema.parse(await call("POST", "/api/v1/agents/preview", { url, credentials })),
    registerAgent: async (agent) => agentSchema.parse(await call("POST", "/api/v1/agents", agent)),
    removeAgent: async (name) => void (await call("DELETE", at(name))),
    execute: async (name, request) => executedSchema.parse(await call("POST", at(name, "/execute"), request)),
  };
}
