// The real engine, inside the Workers runtime.

import { expect, test } from "vitest";
import { createLoaderSandbox } from "../../src/sandbox/worker-loader.ts";
import { program, run, sandbox } from "./support.ts";

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
  await expect(createLoaderSandbox(undefined).run(call)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("LOADER") as string,
  });
});

/** Whose every call ends in an error of the platform. */
function loaderThatSays(message: string): WorkerLoader {
  const run = () => Promise.reject(new Error(message));
  return { load: () => ({ getEntrypoint: () => ({ run }) }) } as unknown as WorkerLoader;
}

test.each(["Worker exceeded CPU time limit.", "Worker has exceeded memory limit.", "Worker exceeded resource limits"])(
  "%j is the fault of the code",
  async (message) => {
    const call = { program: program("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
    const outcome = await createLoaderSandbox(loaderThatSays(message)).run(call);
    expect(outcome).toMatchObject({ kind: "failed", reason: "exhausted" });
  },
);

test.each(["Dynamic worker rate limit reached", "Subrequest depth limit exceeded", "You exceeded your quota"])(
  "%j is not the fault of the code",
  async (message) => {
    const call = { program: program("() => 1"), args: {}, tenant: "t", signal: new AbortController().signal };
    await expect(createLoaderSandbox(loaderThatSays(message)).run(call)).rejects.toMatchObject({ code: "unavailable" });
  },
);

test("an aborted call rejects with the reason", async () => {
  const reason = new Error("enough");
  const call = { program: program("() => 1"), args: {}, tenant: "t" };
  await expect(sandbox.run({ ...call, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const stop = new AbortController();
  const running = sandbox.run({ ...call, signal: stop.signal });
  stop.abort(reason);
  await expect(running).rejects.toBe(reason);
});
