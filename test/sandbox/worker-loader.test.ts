// The real engine in the Workers runtime.

import { expect, test } from "vitest";
import { createLoaderSandbox } from "../../src/sandbox/worker-loader.ts";
import { compileProgram, runSource, sandbox } from "./support.ts";

test("a call returns its value and its duration", async () => {
  const outcome = await runSource("function run({ a, b }) { return a * b; }", { a: 678, b: 8776 });
  expect(outcome).toEqual({ kind: "returned", value: 5950128, ms: expect.any(Number) as number });
});

test("an error is reported with its line", async () => {
  expect(await runSource("function run() {\n  throw new RangeError('no such day');\n}")).toEqual({
    kind: "failed",
    reason: "threw",
    message: "RangeError: no such day (line 2)",
  });
});

test("an endless loop is stopped", async () => {
  expect(await runSource("function run() { for (;;); }")).toMatchObject({ kind: "failed", reason: "exhausted" });
});

test("an oversized result is rejected", async () => {
  expect(await runSource("function run() { return 'x'.repeat(70000); }")).toMatchObject({
    kind: "failed",
    reason: "too_large",
  });
});

test("without the binding every call fails with the setting to configure", async () => {
  const call = { program: compileProgram("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
  await expect(createLoaderSandbox(undefined).run(call)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("LOADER") as string,
  });
});

/** Creates a loader whose calls all fail with an error of the platform. */
function createFailingLoader(message: string): WorkerLoader {
  const run = () => Promise.reject(new Error(message));
  return { load: () => ({ getEntrypoint: () => ({ run }) }) } as unknown as WorkerLoader;
}

test.each(["Worker exceeded CPU time limit.", "Worker has exceeded memory limit.", "Worker exceeded resource limits"])(
  "the platform error %j is attributed to the code",
  async (message) => {
    const call = { program: compileProgram("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
    const outcome = await createLoaderSandbox(createFailingLoader(message)).run(call);
    expect(outcome).toMatchObject({ kind: "failed", reason: "exhausted" });
  },
);

test.each(["Dynamic worker rate limit reached", "Subrequest depth limit exceeded", "You exceeded your quota"])(
  "the platform error %j is not attributed to the code",
  async (message) => {
    const call = { program: compileProgram("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
    await expect(createLoaderSandbox(createFailingLoader(message)).run(call)).rejects.toMatchObject({
      code: "unavailable",
    });
  },
);

test("an aborted call rejects with the reason", async () => {
  const reason = new Error("enough");
  const call = { program: compileProgram("() => 1"), args: {}, tenant: "t" };
  await expect(sandbox.run({ ...call, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const running = sandbox.run({ ...call, signal: stop.signal });
  stop.abort(reason);
  await expect(running).rejects.toBe(reason);
});
