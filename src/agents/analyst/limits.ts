import type { Limits } from "../kit/limits.ts";

/** For one message, from the router to the last word on the page. */
export const LIMITS: Limits = { modelCalls: 45, toolCalls: 200, tokens: 300_000, seconds: 240, resultChars: 0 };
