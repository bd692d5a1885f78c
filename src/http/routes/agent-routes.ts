// HTTP routes of agents.

import * as z from "zod";
import { agentSchema } from "../../protocol/agents/agent.ts";
import { agentListSchema } from "../../protocol/wire/http-responses.ts";
import { appConfigSchema, executeResponseSchema, executeRequestSchema } from "../../protocol/agents/app-config.ts";
import { credentialsSchema } from "../../protocol/agents/agent-credentials.ts";
import { defineRoute } from "../define-route.ts";

/** An agent that is registered by a URL: of its card, or of its server. */
const agentByUrlSchema = z.strictObject({
  url: z.string().min(1).max(2_048),
  credentials: credentialsSchema
    .optional()
    .describe("The credentials for requests to the agent. They are never returned."),
});
const agentResponse = { status: 200, description: "The agent", schema: agentSchema };

export const agentRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/agents",
    tag: "Agents",
    summary: "List the agents of the deployment and your own",
    answer: { status: 200, description: "All agents", schema: agentListSchema },
    handle: ({ operations }) => operations.agents(),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/agents",
    tag: "Agents",
    summary: "Register an agent by the URL of its card or server, or by a configuration",
    body: z.union([agentByUrlSchema, appConfigSchema]),
    example: { url: "https://agents.example.com" },
    answer: { ...agentResponse, status: 201 },
    handle: ({ operations, body }) =>
      "url" in body ? operations.registerAgent(body.url, body.credentials) : operations.registerApp(body),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/agents/preview",
    tag: "Agents",
    summary: "Preview the agent at a URL without registering it",
    body: agentByUrlSchema,
    example: { url: "https://agents.example.com" },
    answer: agentResponse,
    handle: ({ operations, body }) => operations.previewAgent(body.url, body.credentials),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "Get an agent",
    answer: agentResponse,
    handle: ({ operations, params }) => operations.agent(params.name),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "Enable or disable an agent for yourself",
    body: z.strictObject({ enabled: z.boolean() }),
    example: { enabled: false },
    answer: agentResponse,
    handle: ({ operations, params, body }) => operations.setAgentEnabled(params.name, body.enabled),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "Remove an agent that you registered",
    answer: {
      status: 200,
      description: "The agent was removed",
      schema: z.object({ name: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.removeAgent(params.name),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/agents/{name}/execute",
    tag: "Agents",
    summary: "Send a single request to an agent, without a conversation",
    body: executeRequestSchema,
    example: { action: "What is 17 * 23?" },
    answer: {
      status: 200,
      description: "The outcome. A failure of the agent has `success: false`",
      schema: executeResponseSchema,
    },
    handle: ({ operations, params, body, request }) => operations.execute(params.name, body, request.signal),
  }),
];
