// The isolate in a context of plain Node, for what does not need the real engine. A context is no safe place by
// itself; here it only has to behave like one.

import { createContext, Script } from "node:vm";
import { ISOLATE } from "../../../src/sandbox/isolate.gen.ts";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../../src/sandbox/check-program.ts";
import type { ToolModule } from "../../../src/sandbox/isolate/main.ts";
import type { SandboxValue, SandboxOutcome } from "../../../src/sandbox/sandbox.ts";
import { cpuMs } from "../../support/cpu-time.ts";

/** A module as text, or what it would export. */
type Run = (module: string | ToolModule, args: string) => string;

/** In a function, as a module is: names on the global object of a context are many times slower. */
const isolate = new Script(`(()=>{"use strict";${ISOLATE.replace(/export\s*\{(\w+) as run\};?$/, "return $1;")}})()`, {
  filename: "isolate.js",
});

/** Its clock goes on while this thread works: what else the machine has to do takes nothing of a call's time. */
const clock = new Script("(now) => { Date.now = now; }");
const began = Date.now();
const now = (): number => began + Math.floor(cpuMs());

/** A fresh isolate. What it answers is JSON, as the engine gets it. */
export function fresh(): Run {
  const context = createContext({ btoa, atob });
  (clock.runInContext(context) as (time: typeof now) => void)(now);
  const run = isolate.runInContext(context) as (tool: unknown, args: string) => string;
  return (module, args) => {
    if (typeof module === "function") return run(module, args);
    const tool: unknown = new Script(module.replace("export default ", ""), { filename: "tool.js" }).runInContext(
      context,
    );
    return run(tool, args);
  };
}

export function runProgram(program: SandboxProgram, args: Readonly<Record<string, SandboxValue>>): SandboxOutcome {
  return JSON.parse(fresh()(program.module, JSON.stringify(args))) as SandboxOutcome;
}

/** Checks and runs. What the check refuses comes back as its issues. */
export function play(source: string, args: Readonly<Record<string, SandboxValue>> = {}): unknown {
  const verdict = checkProgram(source, Object.keys(args));
  if (!verdict.ok) return { issues: verdict.issues.map(({ line, message }) => `${line}: ${message}`) };
  const outcome = runProgram(verdict.program, args);
  return outcome.kind === "returned" ? outcome.value : { [outcome.reason]: outcome.message };
}

/** Runs without asking the check. */
export function playUnchecked(source: string, args: Readonly<Record<string, SandboxValue>> = {}): unknown {
  const outcome = runProgram(createUncheckedProgram(source, Object.keys(args)), args);
  return outcome.kind === "returned" ? outcome.value : { [outcome.reason]: outcome.message };
}
