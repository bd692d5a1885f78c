// Computes what one thread may spend.

import type { ThreadLimits } from "../core/budget.ts";
import type { Settings } from "../settings.ts";
import type { InstanceStart } from "./instance-start.ts";

/** Questions of an instance stay open for 30 days: nobody may be present. */
const INSTANCE_QUESTION_SECONDS = 30 * 86_400;

/** Returns how many messages an instance counts as: its number of agent listeners, at least 1. 1 for a message. */
export function computeLimitFactor(start: InstanceStart | null): number {
  return Math.max(1, start?.template.listeners.filter(({ listener_type }) => listener_type === "agent").length ?? 1);
}

/** Returns the limits of a thread; `start` is null unless it executes an instance. */
export function computeThreadLimits(settings: Settings, start: InstanceStart | null): ThreadLimits {
  const factor = computeLimitFactor(start);
  return {
    maxModelCalls: settings.MAX_MODEL_CALLS * factor,
    maxTokens: settings.MAX_TOKENS * factor,
    maxTasks: settings.MAX_TASKS,
    maxConcurrentTasks: settings.MAX_CONCURRENT_TASKS,
    questionSeconds: start === null ? settings.QUESTION_SECONDS : INSTANCE_QUESTION_SECONDS,
    maxFailures: settings.MAX_SCHEDULE_FAILURES,
    maxFirings: settings.MAX_FIRINGS,
  };
}
