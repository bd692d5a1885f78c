// The isolate in a Node context, for tests that do not need the real engine. A context is not a security boundary;
// here it only has to behave like one.

import { createContext, Script } from "node:vm";
import { ISOLATE } from "../../../src/sandbox/isolate.gen.ts";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import type { ToolModule } from "../../../src/sandbox/isolate/main.ts";
import type { SandboxValue, SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { getCpuMs } from "../../support/cpu-time.ts";

/** A module as source text, or its export. */
type RunModule = (module: string | ToolModule, args: string) => string;

/** Wrapped in a function like a module: names on the global object of a context are much slower. */
const isolateScript = new Script(
  `(()=>{"use strict";${ISOLATE.replace(/export\s*\{(\w+) as run\};?$/, "return $1;")}})()`,
  {
    filename: "isolate.js",
  },
);

/**
 * The clock uses the CPU time of this thread, so that other load on the machine does not consume the time of a call.
 */
const clockScript = new Script("(now) => { Date.now = now; }");
const startedAt = Date.now();
const now = (): number => startedAt + Math.floor(getCpuMs());

/** Creates a fresh isolate. It returns JSON, as in the engine. */
export function createIsolate(): RunModule {
  const context = createContext({ btoa, atob });
  (clockScript.runInContext(context) as (time: typeof now) => void)(now);
  const run = isolateScript.runInContext(context) as (tool: unknown, args: string) => string;
  return (module, args) => {
    if (typeof module === "function") return run(module, args);
    const tool: unknown = new Script(module.replace("export default ", ""), { filename: "tool.js" }).runInContext(
      context,
    );
    return run(tool, args);
  };
}

export function runProgram(program: SandboxProgram, args: Readonly<Record<string, SandboxValue>>): SandboxOutcome {
  return JSON.parse(createIsolate()(program.module, JSON.stringify(args))) as SandboxOutcome;
}

/** Checks and runs a program. Returns the issues if the check rejects it. */
export function runChecked(source: string, args: Readonly<Record<string, SandboxValue>> = {}): unknown {
  const verdict = checkProgram(source, Object.keys(args));
  if (!verdict.ok) return { issues: verdict.issues.map(({ line, message }) => `${line}: ${message}`) };
  const outcome = runProgram(verdict.program, args);
  return outcome.kind === "returned" ? outcome.value : { [outcome.reason]: outcome.message };
}

/** Runs a program without the check. */
export function runUnchecked(source: string, args: Readonly<Record<string, SandboxValue>> = {}): unknown {
  const outcome = runProgram(createUncheckedProgram(source, Object.keys(args)), args);
  return outcome.kind === "returned" ? outcome.value : { [outcome.reason]: outcome.message };
}
