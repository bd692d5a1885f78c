import type { Agents, Ports } from "../core/ports.ts";
import { readRegistry, type Registry } from "../directory/agents.ts";
import { releasedTemplates } from "../directory/plan-templates.ts";
import { countSchedulesOutside } from "../directory/schedules.ts";
import { createAgents, type HostedAgent } from "../dispatch/agents.ts";
import type { Env } from "../env.ts";
import { createModel } from "../models/model.ts";
import { within } from "../protocol/within.ts";
import type { Settings } from "../settings.ts";
import type { ConversationName } from "./api.ts";
import { codeOf } from "./code.ts";

/** Longest wait of a thread for the schedules that the directory knows. */
const COUNT_MS = 5_000;

/** The real things behind the core's ports, as one conversation sees them; `own` counts its schedules. */
export function worldOf(
  env: Env,
  settings: Settings,
  { userId, conversationId }: ConversationName,
  own: () => number,
): World {
  const most = settings.MAX_SCHEDULES;
  return {
    model: createModel(settings),
    agents: agentsOf(env, settings, userId),
    code: codeOf(env.LOADER, userId),
    report,
    schedules: async () => {
      const others = await within(COUNT_MS, countSchedulesOutside(env.DB, userId, conversationId)).catch(unknown);
      return { used: others + own(), most };
    },
  };
}

export type World = Pick<Ports, "model" | "agents" | "code" | "report" | "schedules">;

/** A directory that is down keeps nobody from a schedule. */
function unknown(thrown: unknown): number {
  report(thrown);
  return 0;
}

/** The agents of the deployment and those that a user has registered. */
export function agentsOf(env: Env, settings: Settings, userId: string): Agents {
  const registry = lastKnown<Registry>(() => readRegistry(env.DB, userId), NOTHING);
  const plans = lastKnown(() => releasedPlans(env.DB, userId), []);
  return createAgents({
    bindings: env,
    userId,
    hosted: async () => {
      const [{ apps }, released] = await Promise.all([registry(), plans()]);
      return [...apps, ...released];
    },
    remote: async () => (await registry()).remote,
    disabled: async () => (await registry()).disabled,
    settings,
    report,
  });
}

function report(thrown: unknown): void {
  console.error("Unexpected failure", thrown);
}

const NOTHING: Registry = { remote: [], apps: [], disabled: new Set() };

/** Released templates are agents. */
async function releasedPlans(db: D1Database, userId: string): Promise<readonly HostedAgent[]> {
  return (await releasedTemplates(db, userId)).map((card) => ({ card, source: "plan", enabled: true }));
}

/** Asks, and goes by the last answer when there is none: a directory that is down stops no conversation. */
function lastKnown<T>(ask: () => Promise<T>, first: T): () => Promise<T> {
  let known = first;
  return async () => {
    try {
      known = await ask();
    } catch (thrown) {
      report(thrown);
    }
    return known;
  };
}
