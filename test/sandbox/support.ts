import { env } from "cloudflare:test";
import { checkProgram, type SandboxProgram } from "../../src/sandbox/check-program.ts";
import { createLoaderSandbox } from "../../src/sandbox/worker-loader.ts";
import type { SandboxValue, SandboxOutcome } from "../../src/sandbox/sandbox.ts";

export const sandbox = createLoaderSandbox((env as { LOADER?: WorkerLoader }).LOADER);

export function compileProgram(source: string, parameters: readonly string[] = []): SandboxProgram {
  const verdict = checkProgram(source, parameters);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.program;
}

/** Checks and runs a program in the real engine. */
export function runSource(
  source: string,
  args: Readonly<Record<string, SandboxValue>> = {},
  tenant = "t",
): Promise<SandboxOutcome> {
  return runProgram(compileProgram(source, Object.keys(args)), args, tenant);
}

export function runProgram(
  program: SandboxProgram,
  args: Readonly<Record<string, SandboxValue>> = {},
  tenant = "t",
): Promise<SandboxOutcome> {
  return sandbox.run({ program, args, tenant, signal: new AbortController().signal });
}
