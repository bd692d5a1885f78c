// The code of listeners: read against the sandbox's policy, and run there.

import type { Code } from "../core/ports.ts";
import { toFault } from "../protocol/fault.ts";
import { check } from "../sandbox/check.ts";
import type { Issue } from "../sandbox/inspect.ts";
import { loaderSandbox } from "../sandbox/loader.ts";
import type { Json } from "../sandbox/sandbox.ts";

/** What a listener's function is called with. */
const PARAMETERS = ["tasks", "values"];

/** What is wrong with a listener's code; null when it may run. */
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

/** Without a loader all code fails, and says what to configure. `tenant` is whose code it is. */
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
