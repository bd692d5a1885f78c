import { env } from "cloudflare:test";
import { check, type Program } from "../../src/sandbox/check.ts";
import { loaderSandbox } from "../../src/sandbox/loader.ts";
import type { Json, Outcome } from "../../src/sandbox/sandbox.ts";

export const sandbox = loaderSandbox((env as { LOADER?: WorkerLoader }).LOADER);

export function program(source: string, parameters: readonly string[] = []): Program {
  const verdict = check(source, parameters);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.program;
}

/** Checks and runs in the real engine. */
export function run(source: string, args: Readonly<Record<string, Json>> = {}, tenant = "t"): Promise<Outcome> {
  return runProgram(program(source, Object.keys(args)), args, tenant);
}

export function runProgram(given: Program, args: Readonly<Record<string, Json>> = {}, tenant = "t"): Promise<Outcome> {
  return sandbox.run({ program: given, args, tenant, signal: new AbortController().signal });
}
