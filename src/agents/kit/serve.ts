// Entrypoints of Workers for agents. Settings and model are created once per environment, on first use; the known
// tasks live as long as the isolate.

import { WorkerEntrypoint } from "cloudflare:workers";
import { createModel } from "../../models/create-model.ts";
import { parseSettings, type Settings } from "../../settings.ts";
import type { AgentDefinition, AgentModel } from "./agent.ts";
import { handleAgentRequest } from "./server/agent-server.ts";
import { AgentTaskRuns } from "./server/agent-task-runs.ts";

type AgentEnv = Readonly<Record<string, unknown>>;
type EnvResources = { readonly settings: Settings; readonly model: AgentModel };

const resourcesByEnv = new WeakMap<AgentEnv, EnvResources>();

/**
 * Returns the entrypoint class of an agent: `export const Clock = serveAgent({ card, async *run() { … } })`. Its
 * `fetch` serves A2A to a service binding or, as the default export, over HTTP.
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
        context: (message, signal) => ({
          env,
          message,
          signal,
          get settings() {
            return getResources(env).settings;
          },
          get model() {
            return getResources(env).model;
          },
        }),
      });
    }
  };
}

function getResources(env: AgentEnv): EnvResources {
  const existing = resourcesByEnv.get(env);
  if (existing !== undefined) return existing;
  const settings = parseSettings(env);
  const resources = { settings, model: createModel(settings, env) };
  resourcesByEnv.set(env, resources);
  return resources;
}
