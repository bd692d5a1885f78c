// HTTP routes of agents.

import * as z from "zod";
import { agentSchema } from "../protocol/agent.ts";
import { agentsSchema } from "../protocol/answers.ts";
import { appSchema, executedSchema, executeSchema } from "../protocol/app.ts";
import { credentialsSchema } from "../protocol/credentials.ts";
import { route } from "./route.ts";

/** An agent that is registered by a URL: of its card, or of its server. */
const byUrl = z.strictObject({
  url: z.string().min(1).max(2_048),
  credentials: credentialsSchema.optional().describe("What it is called with. Never answered."),
});
const agent = { status: 200, description: "The agent", schema: agentSchema };

export const agentRoutes = [
  route({
    method: "get",
    path: "/api/v1/agents",
    tag: "Agents",
    summary: "The agents of the deployment and those you registered",
    answer: { status: 200, description: "All agents", schema: agentsSchema },
    handle: ({ verbs }) => verbs.agents(),
  }),
  route({
    method: "post",
    path: "/api/v1/agents",
    tag: "Agents",
    summary: "Register an agent by the URL of its card, or of the server that has it, or as an app",
    body: z.union([byUrl, appSchema]),
    example: { url: "https://agents.example.com" },
    answer: { ...agent, status: 201 },
    handle: ({ verbs, body }) =>
      "url" in body ? verbs.registerAgent(body.url, body.credentials) : verbs.registerApp(body),
  }),
  route({
    method: "post",
    path: "/api/v1/agents/preview",
    tag: "Agents",
    summary: "Look at the agent behind a URL as registering would make it, without registering it",
    body: byUrl,
    example: { url: "https://agents.example.com" },
    answer: agent,
    handle: ({ verbs, body }) => verbs.previewAgent(body.url, body.credentials),
  }),
  route({
    method: "get",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "One agent",
    answer: agent,
    handle: ({ verbs, params }) => verbs.agent(params.name),
  }),
  route({
    method: "patch",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "Switch an agent on or off for yourself",
    body: z.strictObject({ enabled: z.boolean() }),
    example: { enabled: false },
    answer: agent,
    handle: ({ verbs, params, body }) => verbs.setAgentEnabled(params.name, body.enabled),
  }),
  route({
    method: "delete",
    path: "/api/v1/agents/{name}",
    tag: "Agents",
    summary: "Forget an agent that you registered",
    answer: {
      status: 200,
      description: "It is forgotten",
      schema: z.object({ name: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ verbs, params }) => verbs.removeAgent(params.name),
  }),
  route({
    method: "post",
    path: "/api/v1/agents/{name}/execute",
    tag: "Agents",
    summary: "Ask an agent for one thing, without a conversation",
    body: executeSchema,
    example: { action: "What is 17 * 23?" },
    answer: { status: 200, description: "What came of it", schema: executedSchema },
    handle: ({ verbs, params, body, request }) => verbs.execute(params.name, body, request.signal),
  }),
];
