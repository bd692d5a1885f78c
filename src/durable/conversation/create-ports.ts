// Creates the core's ports for one conversation: model, agents, sandbox, error reports and the person's schedules.
//
// The directory may be down: agents and profile then are those of the last successful read.

import type { AgentRunner, CodeRunner } from "../../core/ports.ts";
import { openDirectory } from "../../directory/open-directory.ts";
import { readRegistry, type AgentRegistry } from "../../directory/agent-directory.ts";
import { readProfile } from "../../directory/profile-directory.ts";
import { listReleasedTemplates } from "../../directory/template-directory.ts";
import { createDispatcher, type HostedAgent } from "../../dispatch/dispatcher.ts";
import type { Env } from "../../env.ts";
import { createModel } from "../../models/create-model.ts";
import type { Profile } from "../../protocol/agents/profile.ts";
import type { Settings } from "../../settings.ts";
import type { ConversationKey } from "../conversation-api.ts";
import { createPersonSchedules, type OwnSchedules } from "./person-schedules.ts";
import type { BasePorts } from "./threads/thread-run.ts";

/**
 * Creates the ports that do not depend on the thread. `ownSchedules` are those of this conversation, which the directory
 * may not know yet.
 */
export function createBasePorts(
  env: Env,
  settings: Settings,
  key: ConversationKey,
  ownSchedules: OwnSchedules,
): BasePorts {
  const { userId } = key;
  return {
    model: createModel(settings, env),
    agents: createUserAgents(env, settings, userId),
    code: createDeferredCodeRunner(env.LOADER, userId),
    report: reportFailure,
    profile: withLastResult<Profile>(() => readProfile(openDirectory(env.DB), userId), {}),
    schedules: createPersonSchedules(env, key, settings.MAX_SCHEDULES, ownSchedules, reportFailure),
  };
}

/** Creates the runner of listener code. The first run loads the parser, which most conversations never need. */
function createDeferredCodeRunner(loader: WorkerLoader | undefined, userId: string): CodeRunner {
  return {
    async run(code, input, signal) {
      const { createCodeRunner } = await import("./listener-code.ts");
      return createCodeRunner(loader, userId).run(code, input, signal);
    },
  };
}

/**
 * Creates access to all agents of a user: built in, registered by URL, apps, and released workflows. While the
 * directory fails, the agents of its last successful read are used.
 */
export function createUserAgents(env: Env, settings: Settings, userId: string): AgentRunner {
  const registry = withLastResult<AgentRegistry>(() => readRegistry(openDirectory(env.DB), userId), EMPTY_REGISTRY);
  const plans = withLastResult(() => listReleasedWorkflows(openDirectory(env.DB), userId), []);
  return createDispatcher({
    bindings: env,
    userId,
    hosted: async () => {
      const [{ apps }, released] = await Promise.all([registry(), plans()]);
      return [...apps, ...released];
    },
    remote: async () => (await registry()).remote,
    disabled: async () => (await registry()).disabled,
    settings,
    report: reportFailure,
  });
}

function reportFailure(thrown: unknown): void {
  console.error("Unexpected failure", thrown);
}

const EMPTY_REGISTRY: AgentRegistry = { remote: [], apps: [], disabled: new Set() };

async function listReleasedWorkflows(db: D1Database, userId: string): Promise<readonly HostedAgent[]> {
  return (await listReleasedTemplates(db, userId)).map((card) => ({ card, source: "plan", enabled: true }));
}

/**
 * Returns a function that calls `load` and, if that fails, reports the error and returns the last result (at first
 * `initial`).
 */
function withLastResult<T>(load: () => Promise<T>, initial: T): () => Promise<T> {
  let last = initial;
  return async () => {
    try {
      last = await load();
    } catch (thrown) {
      reportFailure(thrown);
    }
    return last;
  };
}
