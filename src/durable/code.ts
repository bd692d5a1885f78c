// Checks and runs the code of listeners: `sandbox/check` is the policy, a Worker Loader isolate the sandbox.

import type { Code } from "../core/ports.ts";
import { toFault } from "../protocol/fault.ts";
import { check } from "../sandbox/check.ts";
import type { Issue } from "../sandbox/inspect.ts";
import { loaderSandbox } from "../sandbox/loader.ts";
import type { Json } from "../sandbox/sandbox.ts";

/** The properties of the single argument of a listener's function. */
const PARAMETERS = ["tasks", "values"];

/** Returns the problems of a listener's code as one text for its author; null if the code may run. */
export function problemWithCode(code: string): string | null {
  const verdict = check(code, PARAMETERS);
  if (verdict.ok) return null;
  const words = wordsFor(verdict.issues);
  return words.includes("Syntax error") ? `${words}. ${SHAPE}` : words;
}

const SHAPE =
  "It has to be JavaScript: a function ({ tasks, values }) => ({ … }) whose result the output names as {{result.x}}. " +
  "Without a code_snippet the listener only makes its output.";

function wordsFor(issues: readonly Issue[]): string {
  return issues.map(({ message, line }) => `line ${line}: ${message}`).join("; ");
}

/**
 * Returns the runner for listener code of one tenant. Without a loader every run fails with a message that names the
 * setting. The code is checked again before each run, because the policy may have changed since it was stored.
 */
export function codeOf(loader: WorkerLoader | undefined, tenant: string): Code {
  const sandbox = loaderSandbox(loader);
  return {
    async run(code, input, signal) {
      const verdict = check(code, PARAMETERS);
      if (!verdict.ok) return { kind: "failed", message: wordsFor(verdict.issues) };
      try {
        const args = input as Readonly<Record<string, Json>>;
        const outcome = await sandbox.run({ program: verdict.program, args, tenant, signal });
        return outcome.kind === "returned" ? outcome : { kind: "failed", message: outcome.message };
      } catch (thrown) {
        signal.throwIfAborted();
        return { kind: "failed", message: toFault(thrown).message };
      }
    },
  };
}
