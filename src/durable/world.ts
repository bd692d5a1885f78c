import type { Ports } from "../core/ports.ts";
import { disabledAgents, remoteAgents } from "../directory/agents.ts";
import { createAgents } from "../dispatch/agents.ts";
import type { Env } from "../env.ts";
import { createModel } from "../models/model.ts";
import type { Settings } from "../settings.ts";

/** The real things behind the core's ports, as one user sees them. */
export function worldOf(env: Env, settings: Settings, userId: string): Pick<Ports, "model" | "agents" | "report"> {
  return {
    model: createModel(settings),
    agents: createAgents({
      bindings: env,
      remote: () => remoteAgents(env.DB, userId),
      disabled: () => disabledAgents(env.DB, userId),
      settings,
    }),
    report: (thrown) => console.error("Unexpected failure", thrown),
  };
}
