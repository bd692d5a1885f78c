// Runs a candidate in the sandbox.

import { MOST_LOST } from "../../directory/tool-trials.ts";
import type { Json } from "../../sandbox/sandbox.ts";
import type { Program } from "../../sandbox/check.ts";
import type { Bench } from "./bench.ts";
import { hashOf } from "./candidate.ts";
import { problemWith } from "../kit/json-schema.ts";
import type { Candidate } from "./state.ts";

/** Maximum characters of one result. All results of a request must fit several times into the output of an agent. */
const MOST_CHARS = 16_000;

/** The result as text and the run time, or the problem for the model. */
export type Executed =
  | { readonly ok: true; readonly result: string; readonly ms: number }
  | { readonly ok: false; readonly problem: string };

/**
 * Runs a candidate and validates its result against its schema. Rejects if the sandbox is missing or broken. `run`
 * identifies this execution and is the same after a crash: code that has repeatedly not returned is not run again.
 */
export async function execute(bench: Bench, candidate: Candidate, program: Program, run: string): Promise<Executed> {
  const { registry, sandbox, request, signal } = bench;
  const hash = await hashOf(candidate);
  if ((await registry.begin(hash, run)) >= MOST_LOST) {
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
    const wrong = candidate.returns === undefined ? null : problemWith(candidate.returns, value);
    if (wrong !== null) return { ok: false, problem: `The result is not what returns says. ${wrong}` };
    const result = asText(value);
    if (result.length > MOST_CHARS)
      return { ok: false, problem: `The result is longer than ${MOST_CHARS} characters. Return less.` };
    return { ok: true, result, ms };
  } finally {
    await registry.end(hash, run);
  }
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
