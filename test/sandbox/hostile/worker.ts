// A Worker next to the runtime in the same process: runs a posted program as the toolsmith does.

import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import { createLoaderSandbox } from "../../../src/sandbox/worker-loader.ts";
import type { SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { CANARY } from "./hostile-program.ts";

Object.assign(globalThis, { [CANARY]: CANARY });

export type HostileRunResult = {
  /** Issues of the check; the program runs nevertheless. */
  readonly refused: string | null;
  /** Null if the rewriter rejects the program too. */
  readonly outcome: SandboxOutcome | null;
  /** Wall-clock time in ms. */
  readonly ms: number;
};

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  async fetch(request: Request, env: { LOADER: WorkerLoader }): Promise<Response> {
    const { program, refused } = compileHostile(await request.text());
    const startedAt = Date.now();
    const call = { args: { text: CANARY.slice(0, 3) }, tenant: "t", signal: new AbortController().signal };
    const outcome = program === null ? null : await createLoaderSandbox(env.LOADER).run({ ...call, program });
    return Response.json({ refused, outcome, ms: Date.now() - startedAt } satisfies HostileRunResult);
  },
};

function compileHostile(code: string): { program: SandboxProgram | null; refused: string | null } {
  const verdict = checkProgram(code, ["given"]);
  if (verdict.ok) return { program: verdict.program, refused: null };
  const refused = verdict.issues.map(({ message }) => message).join("; ");
  try {
    return { program: createUncheckedProgram(code, ["given"]), refused };
  } catch {
    return { program: null, refused };
  }
}
