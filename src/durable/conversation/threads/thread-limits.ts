// Computes what one thread may spend.

import type { ThreadLimits } from "../../../core/models/budget.ts";
import type { Settings } from "../../../settings.ts";
import type { InstanceStart } from "../instance-start.ts";

/** Questions of an instance stay open for 30 days: nobody may be present. */
const INSTANCE_QUESTION_SECONDS = 30 * 86_400;

/**
 * Returns the number of messages that a thread counts as: that of the agent listeners of an instance, at least 1; 1 if
 * `start` is null (a message or schedule run).
 */
export function computeLimitFactor(start: InstanceStart | null): number {
  return Math.max(1, start?.template.listeners.filter(({ listener_type }) => listener_type === "agent").length ?? 1);
}

/**
 * Returns the limits of a thread; `start` is null unless it executes an instance. Model calls and tokens are multiplied
 * by `computeLimitFactor`, and questions of an instance stay open for 30 days.
 */
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
