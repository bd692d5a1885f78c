// Agents: those of the server and those that the person registered. Everything answered is validated.

import { agentSchema, type Agent } from "../protocol/agent.ts";
import { agentsSchema } from "../protocol/answers.ts";
import { executedSchema, type AppInput, type ExecuteInput, type Executed } from "../protocol/app.ts";
import type { Credentials } from "../protocol/credentials.ts";
import { doorOf, pathOf, type ApiOptions } from "./door.ts";

export type Agents = {
  agents(): Promise<Agent[]>;
  agent(name: string): Promise<Agent>;
  /** Switches it on or off for this person alone. */
  setAgentEnabled(name: string, enabled: boolean): Promise<Agent>;
  /** The agent behind a URL as registering would make it, without registering it. Refused like a registration. */
  previewAgent(url: string, credentials?: Credentials): Promise<Agent>;
  /** By the URL of its card, or as a configuration. What it is called with is kept, and never answered. */
  registerAgent(agent: { url: string; credentials?: Credentials } | AppInput): Promise<Agent>;
  removeAgent(name: string): Promise<void>;
  /** Asks an agent for one thing, without a conversation. */
  execute(name: string, request: ExecuteInput): Promise<Executed>;
};

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
