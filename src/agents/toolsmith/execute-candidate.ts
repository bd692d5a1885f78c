// Runs a candidate in the sandbox.

import { MAX_LOST_TRIALS } from "../../directory/tool-trials.ts";
import type { SandboxValue } from "../../sandbox/sandbox.ts";
import type { SandboxProgram } from "../../sandbox/check-program.ts";
import type { ToolsmithContext } from "./toolsmith-context.ts";
import { hashCandidate } from "./tool-candidate.ts";
import { findSchemaViolation } from "../kit/tools/json-schema.ts";
import type { ToolCandidate } from "./toolsmith-state.ts";

/** Maximum characters of one result. All results of a request must fit several times into the output of an agent. */
const MAX_RESULT_CHARS = 16_000;

/** The result as text (JSON unless it is a string) and the run time in ms, or the problem for the model. */
export type CandidateExecution =
  | { readonly ok: true; readonly result: string; readonly ms: number }
  | { readonly ok: false; readonly problem: string };

/**
 * Runs the `program` of a candidate and validates its result against its schema. Returns the problem if the code fails,
 * its result does not match or is too long, or this code was lost twice, in any run. Rejects only if the sandbox is
 * missing or broken, or the signal aborts. `runId` identifies this execution, the same after a crash, so that a
 * repeated run counts as lost.
 */
export async function executeCandidate(
  ctx: ToolsmithContext,
  candidate: ToolCandidate,
  program: SandboxProgram,
  runId: string,
): Promise<CandidateExecution> {
  const { registry, sandbox, request, signal } = ctx;
  const hash = await hashCandidate(candidate);
  if ((await registry.beginRun(hash, runId)) >= MAX_LOST_TRIALS) {
    return {
      ok: false,
      problem: "This code has twice not come back when it ran, so it is not run any more. Write it in another way.",
    };
  }
  try {
    const tenant = request.metadata.user_id ?? request.conversation_id;
    const outcome = await sandbox.run({ program, args: candidate.arguments, tenant, signal });
    if (outcome.kind === "failed") return { ok: false, problem: outcome.message };
    const { value, ms } = outcome;
    const problem = candidate.returns === undefined ? null : findSchemaViolation(candidate.returns, value);
    if (problem !== null) return { ok: false, problem: `The result is not what returns says. ${problem}` };
    const result = formatResult(value);
    if (result.length > MAX_RESULT_CHARS)
      return { ok: false, problem: `The result is longer than ${MAX_RESULT_CHARS} characters. Return less.` };
    return { ok: true, result, ms };
  } finally {
    await registry.endRun(hash, runId);
  }
}

function formatResult(value: SandboxValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
