// Entrypoints of Workers for agents. The known tasks live as long as the isolate.

import { WorkerEntrypoint } from "cloudflare:workers";
import type { AgentDefinition } from "./agent.ts";
import { handleAgentRequest } from "./server/agent-server.ts";
import { AgentTaskRuns } from "./server/agent-task-runs.ts";

type AgentEnv = Readonly<Record<string, unknown>>;

/**
 * Returns the entrypoint class of an agent: `export const Clock = serveAgent({ card, async *run() { … } })`. Its
 * `fetch` serves A2A to a service binding or, as the default export, over HTTP. An agent that needs a model is wrapped
 * by `withModel`.
 */
export function serveAgent(agent: AgentDefinition) {
  return serveAgents(async () => agent);
}

/**
 * Returns the entrypoint class of several agents, which share their known tasks. `findAgent` selects the agent of each
 * request; null is answered with 404, and its errors reject `fetch`.
 */
export function serveAgents(findAgent: (request: Request, env: AgentEnv) => Promise<AgentDefinition | null>) {
  const runs = new AgentTaskRuns();
  return class extends WorkerEntrypoint<AgentEnv> {
    override async fetch(request: Request): Promise<Response> {
      const { env, ctx } = this;
      const agent = await findAgent(request, env);
      if (agent === null) return new Response(null, { status: 404 });
      return handleAgentRequest(agent, request, {
        runs,
        waitUntil: (work) => ctx.waitUntil(work),
        context: (message, signal) => ({ env, message, signal }),
      });
    }
  };
}
