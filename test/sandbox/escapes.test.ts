// The escape programs in the real engine: even without the check they reach nothing and end soon.

import { expect, test } from "vitest";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../src/sandbox/check-program.ts";
import { ESCAPES } from "./escape-programs.ts";
import { reduceSteps } from "./reduce-steps.ts";
import { ORDINARY } from "./ordinary-programs.ts";
import type { EscapeProgram } from "./programs/escape-program.ts";
import { runSource, runProgram } from "./support.ts";
import { pickByLength } from "../support/run-length.ts";

const MAX_MS = 2_000;

/** All other programs run with reduced steps. */
const WITH_ALL_STEPS = new Set(ESCAPES.filter((_, index) => index % pickByLength(32, 1) === 0));

// Retry, since the machine may be busy.
test.each(ESCAPES)("$name reaches nothing and ends soon", { retry: 2 }, async (escape) => {
  const unchecked = compileEscape(escape);
  if (unchecked === null) return;
  const isReduced = escape.ends === "exhausted" && !WITH_ALL_STEPS.has(escape);
  const program = isReduced ? reduceSteps(unchecked) : unchecked;
  const startedAt = Date.now();
  const outcome = await runProgram(program);
  expect(JSON.stringify(outcome)).not.toContain("leaked");
  if (escape.ends !== "harmless") expect(outcome).toMatchObject({ kind: "failed", reason: escape.ends });
  expect(Date.now() - startedAt).toBeLessThan(MAX_MS);
});

/** Compiles a program, without the check where the check rejects it. Returns null if the rewriter rejects it too. */
function compileEscape({ code }: EscapeProgram): SandboxProgram | null {
  const verdict = checkProgram(code, []);
  if (verdict.ok) return verdict.program;
  try {
    return createUncheckedProgram(code, []);
  } catch {
    return null;
  }
}

test("the isolate exposes no global of the host", async () => {
  const names =
    "fetch WebSocket caches crypto process Buffer navigator performance scheduler setTimeout queueMicrotask";
  const more = "eval Function Proxy Reflect Symbol WebAssembly Promise ArrayBuffer Uint8Array globalThis self Response";
  const all =
    `${names} ${more} console_ addEventListener Cloudflare WeakRef Atomics structuredClone URL TextEncoder`.split(" ");
  const code = `return [${all.map((name) => `typeof ${name}`).join(", ")}];`;
  expect(await runProgram(createUncheckedProgram(code, []))).toMatchObject({ value: all.map(() => "undefined") });
});

test("nothing is kept between calls, tenants or programs", async () => {
  const code = `let count = 0;
    const seen = /x/g;
    function run() {
      count += 1;
      const found = seen.test("axa");
      try { Array["proto" + "type"].left = count; } catch {}
      try { Math.left = count; } catch {}
      try { console.left = count; } catch {}
      return [count, found, seen.lastIndex, [].left ?? null, Math.left ?? null, console.left ?? null];
    }`;
  for (const tenant of ["one", "one", "two"])
    expect(await runSource(code, {}, tenant)).toMatchObject({ value: [1, true, 2, null, null, null] });
  expect(await runSource("() => [[].left ?? null, Math.left ?? null]", {}, "one")).toMatchObject({
    value: [null, null],
  });
});

test("concurrent calls do not see each other", async () => {
  const code = "let n = 0; function run({ i }) { for (let k = 0; k < 1000; k++) n += i; return n; }";
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, i) => runSource(code, { i }, `tenant-${i % 3}`)));
  expect(outcomes.map((outcome) => outcome.kind === "returned" && outcome.value)).toEqual(
    outcomes.map((_, i) => 1_000 * i),
  );
});

test("code that outlives its call has no budget", async () => {
  const code = `(async () => { await null; for (;;); })(); return "begun";`;
  const startedAt = Date.now();
  expect(await runProgram(createUncheckedProgram(code, []))).toMatchObject({ kind: "returned", value: "begun" });
  expect(Date.now() - startedAt).toBeLessThan(MAX_MS);
});

test.each(ORDINARY.filter((_, index) => index % pickByLength(2, 1) === 0))(
  "$name returns the expected value",
  async ({ code, args, gives }) => {
    expect(await runSource(code, args)).toMatchObject({ kind: "returned", value: gives });
  },
);
