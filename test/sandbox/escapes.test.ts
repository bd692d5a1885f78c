// The escape programs in the real engine: whatever the check would say, they get nothing, and soon.

import { expect, test } from "vitest";
import { checkProgram, createUncheckedProgram, type SandboxProgram } from "../../src/sandbox/check-program.ts";
import { ESCAPES } from "./escapes.ts";
import { hurried } from "./hurried.ts";
import { ORDINARY } from "./ordinary.ts";
import type { Escape } from "./programs/escape.ts";
import { run, runProgram } from "./support.ts";

const MOST_MS = 2_000;

/** The others find most of their steps spent; test/e2e/toolsmith-hostile.test.ts can run all of them with all steps. */
const WITH_ALL_STEPS = new Set(ESCAPES.filter((_, at) => at % 8 === 0));

// Once more on a machine that has other things to do.
test.each(ESCAPES)("$name gets nothing, and soon", { retry: 2 }, async (escape) => {
  const written = programOf(escape);
  if (written === null) return;
  const isHurried = escape.ends === "exhausted" && !WITH_ALL_STEPS.has(escape);
  const program = isHurried ? hurried(written) : written;
  const began = Date.now();
  const outcome = await runProgram(program);
  expect(JSON.stringify(outcome)).not.toContain("leaked");
  if (escape.ends !== "harmless") expect(outcome).toMatchObject({ kind: "failed", reason: escape.ends });
  expect(Date.now() - began).toBeLessThan(MOST_MS);
});

/** Without the check where the check refuses it. Null if the rewriter refuses it as well. */
function programOf({ code }: Escape): SandboxProgram | null {
  const verdict = checkProgram(code, []);
  if (verdict.ok) return verdict.program;
  try {
    return createUncheckedProgram(code, []);
  } catch {
    return null;
  }
}

test("there is nothing left of the host to find, wherever one looks", async () => {
  const names =
    "fetch WebSocket caches crypto process Buffer navigator performance scheduler setTimeout queueMicrotask";
  const more = "eval Function Proxy Reflect Symbol WebAssembly Promise ArrayBuffer Uint8Array globalThis self Response";
  const all =
    `${names} ${more} console_ addEventListener Cloudflare WeakRef Atomics structuredClone URL TextEncoder`.split(" ");
  const code = `return [${all.map((name) => `typeof ${name}`).join(", ")}];`;
  expect(await runProgram(createUncheckedProgram(code, []))).toMatchObject({ value: all.map(() => "undefined") });
});

test("nothing stays from one call to the next, nor reaches another tenant or another code", async () => {
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
    expect(await run(code, {}, tenant)).toMatchObject({ value: [1, true, 2, null, null, null] });
  expect(await run("() => [[].left ?? null, Math.left ?? null]", {}, "one")).toMatchObject({ value: [null, null] });
});

test("calls side by side do not see each other", async () => {
  const code = "let n = 0; function run({ i }) { for (let k = 0; k < 1000; k++) n += i; return n; }";
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, i) => run(code, { i }, `tenant-${i % 3}`)));
  expect(outcomes.map((outcome) => outcome.kind === "returned" && outcome.value)).toEqual(
    outcomes.map((_, i) => 1_000 * i),
  );
});

test("what outlives a call finds no budget", async () => {
  const code = `(async () => { await null; for (;;); })(); return "begun";`;
  const began = Date.now();
  expect(await runProgram(createUncheckedProgram(code, []))).toMatchObject({ kind: "returned", value: "begun" });
  expect(Date.now() - began).toBeLessThan(MOST_MS);
});

test.each(ORDINARY.filter((_, at) => at % 6 === 0))(
  "$name runs as it does elsewhere",
  async ({ code, args, gives }) => {
    expect(await run(code, args)).toMatchObject({ kind: "returned", value: gives });
  },
);
