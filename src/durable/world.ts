import type { Ports } from "../core/ports.ts";
import { readRegistry, type Registry } from "../directory/agents.ts";
import { createAgents } from "../dispatch/agents.ts";
import type { Env } from "../env.ts";
import { createModel } from "../models/model.ts";
import type { Settings } from "../settings.ts";

/** The real things behind the core's ports, as one user sees them. */
export function worldOf(env: Env, settings: Settings, userId: string): Pick<Ports, "model" | "agents" | "report"> {
  const report = (thrown: unknown): void => console.error("Unexpected failure", thrown);
  const registry = lastKnown(() => readRegistry(env.DB, userId), report);
  return {
    model: createModel(settings),
    agents: createAgents({
      bindings: env,
      remote: async () => (await registry()).remote,
      disabled: async () => (await registry()).disabled,
      settings,
      report,
    }),
    report,
  };
}

/** Asks, and goes by the last answer when there is none: a directory that is down stops no conversation. */
function lastKnown(ask: () => Promise<Registry>, report: (thrown: unknown) => void): () => Promise<Registry> {
  let known: Registry = { remote: [], disabled: new Set() };
  return async () => {
    try {
      known = await ask();
    } catch (thrown) {
      report(thrown);
    }
    return known;
  };
}
