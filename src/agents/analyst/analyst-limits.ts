// The resource limits of the analyst.

import type { AgentLimits } from "../kit/agent-limits.ts";

/** Limits for handling one message, from routing to the finished page. */
export const ANALYST_LIMITS: AgentLimits = {
  modelCalls: 45,
  toolCalls: 200,
  tokens: 300_000,
  seconds: 240,
  resultChars: 0,
};
