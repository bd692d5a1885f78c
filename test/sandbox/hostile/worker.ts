// Beside the runtime, in the same process: takes a program by POST and runs it as the toolsmith would.

import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import { createLoaderSandbox } from "../../../src/sandbox/worker-loader.ts";
import type { SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { CANARY } from "./generate.ts";

Object.assign(globalThis, { [CANARY]: CANARY });

export type Ran = {
  /** What the check says; it ran all the same. */
  readonly refused: string | null;
  /** Null where the rewriter refuses it as well. */
  readonly outcome: SandboxOutcome | null;
  /** Wall-clock time. */
  readonly ms: number;
};

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default {
  async fetch(request: Request, env: { LOADER: WorkerLoader }): Promise<Response> {
    const { program, refused } = programOf(await request.text());
    const began = Date.now();
    const call = { args: { text: CANARY.slice(0, 3) }, tenant: "t", signal: new AbortController().signal };
    const outcome = program === null ? null : await createLoaderSandbox(env.LOADER).run({ ...call, program });
    return Response.json({ refused, outcome, ms: Date.now() - began } satisfies Ran);
  },
};

function programOf(code: string): { program: SandboxProgram | null; refused: string | null } {
  const verdict = checkProgram(code, ["given"]);
  if (verdict.ok) return { program: verdict.program, refused: null };
  const refused = verdict.issues.map(({ message }) => message).join("; ");
  try {
    return { program: createUncheckedProgram(code, ["given"]), refused };
  } catch {
    return { program: null, refused };
  }
}
