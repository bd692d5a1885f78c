// Entrypoints of Workers for agents. Settings and model are created once per environment, on first use; the known
// tasks live as long as the isolate.

import { WorkerEntrypoint } from "cloudflare:workers";
import { createModel } from "../../models/model.ts";
import { readSettings, type Settings } from "../../settings.ts";
import type { AgentDefinition, Model } from "./agent.ts";
import { answer } from "./answer.ts";
import { Runs } from "./runs.ts";

type Variables = Readonly<Record<string, unknown>>;
type Tools = { readonly settings: Settings; readonly model: Model };

const tools = new WeakMap<Variables, Tools>();

/**
 * Returns the entrypoint class of an agent: `export const Clock = serveAgent({ card, async *run() { … } })`. It
 * speaks A2A to a service binding and, as the default export, over HTTP.
 */
export function serveAgent(agent: AgentDefinition) {
  return serveAgents(async () => agent);
}

/**
 * Returns the entrypoint class of several agents. `find` selects the agent by the request; null is answered with 404.
 */
export function serveAgents(find: (request: Request, env: Variables) => Promise<AgentDefinition | null>) {
  const runs = new Runs();
  return class extends WorkerEntrypoint<Variables> {
    override async fetch(request: Request): Promise<Response> {
      const { env, ctx } = this;
      const agent = await find(request, env);
      if (agent === null) return new Response(null, { status: 404 });
      return answer(agent, request, {
        runs,
        waitUntil: (work) => ctx.waitUntil(work),
        context: (message, signal) => ({
          env,
          message,
          signal,
          get settings() {
            return toolsOf(env).settings;
          },
          get model() {
            return toolsOf(env).model;
          },
        }),
      });
    }
  };
}

function toolsOf(env: Variables): Tools {
  const known = tools.get(env);
  if (known !== undefined) return known;
  const settings = readSettings(env);
  const made = { settings, model: createModel(settings) };
  tools.set(env, made);
  return made;
}
