// Checks and runs the code of listeners: `checkProgram` is the policy, a Worker Loader isolate the sandbox.

import type { CodeRunner } from "../../core/ports.ts";
import { createMessage } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { checkProgram } from "../../sandbox/check-program.ts";
import type { ProgramIssue } from "../../sandbox/policy-violations.ts";
import { createLoaderSandbox } from "../../sandbox/worker-loader.ts";
import type { SandboxValue } from "../../sandbox/sandbox.ts";

/** The properties of the single argument of a listener's function. */
const PARAMETERS = ["tasks", "values"];

/** Returns the problems of a listener's code as one text for its author; null if the code may run. */
export function findCodeProblem(code: string): string | null {
  const verdict = checkProgram(code, PARAMETERS);
  if (verdict.ok) return null;
  const words = formatIssues(verdict.issues);
  return words.includes("Syntax error") ? `${words}. ${EXPECTED_SHAPE}` : words;
}

const EXPECTED_SHAPE =
  "It has to be JavaScript: a function ({ tasks, values }) => ({ … }) whose result the output names as {{result.x}}. " +
  "Without a code_snippet the listener only makes its output.";

function formatIssues(issues: readonly ProgramIssue[]): string {
  return issues.map(({ message, line }) => `line ${line}: ${message}`).join("; ");
}

/**
 * Returns the runner for listener code of one tenant. The code is checked again before each run, because the policy may
 * have changed since it was stored. Without a loader every run fails with a message that names the setting.
 */
export function createCodeRunner(loader: WorkerLoader | undefined, tenant: string): CodeRunner {
  const sandbox = createLoaderSandbox(loader);
  return {
    async run(code, input, signal) {
      const verdict = checkProgram(code, PARAMETERS);
      if (!verdict.ok) return { kind: "failed", message: formatIssues(verdict.issues) };
      try {
        const args = input as Readonly<Record<string, SandboxValue>>;
        const outcome = await sandbox.run({ program: verdict.program, args, tenant, signal });
        return outcome.kind === "returned" ? outcome : { kind: "failed", message: outcome.message };
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof Fault)) return { kind: "failed", message: createMessage("internal") };
        return { kind: "failed", message: thrown.text ?? thrown.message };
      }
    },
  };
}
