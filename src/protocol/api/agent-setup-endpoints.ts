// The endpoints that register agents and that call one without a conversation.

import * as z from "zod";
import { credentialsSchema } from "../agents/agent-credentials.ts";
import { agentSchema } from "../agents/agent.ts";
import { appConfigSchema, executeRequestSchema, executeResponseSchema } from "../agents/app-config.ts";
import { defineEndpoints } from "./endpoint.ts";

/** An agent that is registered by a URL: of its card, or of its server. */
const agentByUrlSchema = z.strictObject({
  url: z.string().min(1).max(2_048),
  credentials: credentialsSchema
    .optional()
    .describe("The credentials for requests to the agent. They are never returned."),
});

export const agentSetupEndpoints = defineEndpoints({
  /**
   * Registers an agent by the URL of its card or server, or by its configuration, in place of a registered agent of
   * this name, and enabled. `conflict` for a name of the system or the deployment.
   */
  registerAgent: {
    method: "post",
    path: "/api/v1/agents",
    body: z.union([agentByUrlSchema, appConfigSchema]),
    output: agentSchema,
  },
  /** Returns the agent that a registration of this URL would create, without registering it. */
  previewAgent: { method: "post", path: "/api/v1/agents/preview", body: agentByUrlSchema, output: agentSchema },
  /** Sends one request to an agent, without a conversation. A failure of the agent has `success: false`. */
  execute: {
    method: "post",
    path: "/api/v1/agents/{name}/execute",
    body: executeRequestSchema,
    output: executeResponseSchema,
  },
});
