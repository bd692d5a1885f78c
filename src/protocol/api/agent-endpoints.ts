// The endpoints of agents, both built-in and registered ones. `agent-setup-endpoints.ts` has those that a client does
// not need to show them.

import * as z from "zod";
import { agentSchema } from "../agents/agent.ts";
import { agentListSchema } from "../wire/http-responses.ts";
import { defineEndpoints } from "./endpoint.ts";

export const agentEndpoints = defineEndpoints({
  /** Returns the agents of the deployment and of the user, also disabled and hidden ones. */
  agents: { method: "get", path: "/api/v1/agents", output: agentListSchema },
  agent: { method: "get", path: "/api/v1/agents/{name}", output: agentSchema },
  /** Enables or disables an agent for this user only. */
  setAgentEnabled: {
    method: "patch",
    path: "/api/v1/agents/{name}",
    body: z.strictObject({ enabled: z.boolean() }),
    output: agentSchema,
  },
  /** Removes a registered agent; `not_found` for an agent of the deployment. */
  removeAgent: {
    method: "delete",
    path: "/api/v1/agents/{name}",
    output: z.object({ name: z.string(), deleted: z.literal(true) }),
  },
});
