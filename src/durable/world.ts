// Creates the core's ports for one conversation: model, agents, sandbox, error reports and the count of schedules.
//
// The directory may be down: the agents then are those of the last successful read, and schedules elsewhere count as 0.

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

/** The time to wait for the directory's count of schedules. */
const COUNT_MS = 5_000;

/** `own` returns the number of schedules of this conversation, which the directory may not know yet. */
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

/** The ports that do not depend on the thread. */
export type World = Pick<Ports, "model" | "agents" | "code" | "report" | "schedules">;

/** Reports the error and counts 0: a failing directory must not prevent schedules. */
function unknown(thrown: unknown): number {
  report(thrown);
  return 0;
}

/** Creates access to all agents of a user: built in, registered by URL, apps, and released workflows. */
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

/** Returns the released workflows of a user as agents. */
async function releasedPlans(db: D1Database, userId: string): Promise<readonly HostedAgent[]> {
  return (await releasedTemplates(db, userId)).map((card) => ({ card, source: "plan", enabled: true }));
}

/** Returns a function that calls `ask` and, if it fails, returns the last successful result (at first `first`). */
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
