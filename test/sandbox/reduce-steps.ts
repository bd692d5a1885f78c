import type { SandboxProgram } from "../../src/sandbox/check-program.ts";
import { LIMITS } from "../../src/sandbox/sandbox-limits.ts";

/** Divisor of the step budget for programs that run with reduced steps. */
export const STEP_DIVISOR = 8;

/** Reduces the step budget of a program, so that a program without end stops sooner by the same limits. */
export function reduceSteps(program: SandboxProgram, divisor = STEP_DIVISOR): SandboxProgram {
  const spent = LIMITS.steps * (1 - 1 / divisor);
  const module = program.module.replace('{"use strict";', `{"use strict";$g_budget.left-=${spent};$g_more();`);
  return { ...program, module };
}
