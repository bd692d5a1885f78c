// What a thread may spend.

import type { Limits } from "../core/budget.ts";
import type { Settings } from "../settings.ts";
import type { InstanceStart } from "./instance-start.ts";

/** What an instance asks may be for somebody who is away. */
const INSTANCE_QUESTION_SECONDS = 30 * 86_400;

/** As many messages as there are agents to be asked: so much an instance may use. */
export function shareOf(start: InstanceStart | null): number {
  return Math.max(1, start?.template.listeners.filter(({ listener_type }) => listener_type === "agent").length ?? 1);
}

export function limitsOf(settings: Settings, start: InstanceStart | null): Limits {
  const share = shareOf(start);
  return {
    maxModelCalls: settings.MAX_MODEL_CALLS * share,
    maxTokens: settings.MAX_TOKENS * share,
    maxTasks: settings.MAX_TASKS,
    maxConcurrentTasks: settings.MAX_CONCURRENT_TASKS,
    questionSeconds: start === null ? settings.QUESTION_SECONDS : INSTANCE_QUESTION_SECONDS,
    maxFailures: settings.MAX_SCHEDULE_FAILURES,
    maxFirings: settings.MAX_FIRINGS,
  };
}
