// The real engine, inside the Workers runtime.

import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { check, type Program } from "../../src/sandbox/check.ts";
import { loaderSandbox } from "../../src/sandbox/loader.ts";
import type { Json, Outcome } from "../../src/sandbox/sandbox.ts";

const sandbox = loaderSandbox((env as { LOADER: WorkerLoader }).LOADER);

function program(source: string, parameters: readonly string[] = []): Program {
  const verdict = check(source, parameters);
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return verdict.program;
}

function run(source: string, args: Record<string, Json> = {}, signal = new AbortController().signal): Promise<Outcome> {
  return sandbox.run({ program: program(source, Object.keys(args)), args, tenant: "t", signal });
}

test("a call returns the value and how long it took", async () => {
  const outcome = await run("function run({ a, b }) { return a * b; }", { a: 678, b: 8776 });
  expect(outcome).toEqual({ kind: "returned", value: 5950128, ms: expect.any(Number) as number });
});

test("an error comes back with its line", async () => {
  expect(await run("function run() {\n  throw new RangeError('no such day');\n}")).toEqual({
    kind: "failed",
    reason: "threw",
    message: "RangeError: no such day (line 2)",
  });
});

test("an endless loop ends", async () => {
  expect(await run("function run() { for (;;); }")).toMatchObject({ kind: "failed", reason: "exhausted" });
});

test("a result that is too large is refused", async () => {
  expect(await run("function run() { return 'x'.repeat(70000); }")).toMatchObject({
    kind: "failed",
    reason: "too_large",
  });
});

test("without the binding every call is refused with what to configure", async () => {
  const call = { program: program("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
  await expect(loaderSandbox(undefined).run(call)).rejects.toMatchObject({ code: "unavailable", message: /LOADER/ });
});

test("an aborted call rejects with the reason", async () => {
  const reason = new Error("enough");
  await expect(run("() => 1", {}, AbortSignal.abort(reason))).rejects.toBe(reason);
});
