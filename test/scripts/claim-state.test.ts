import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claimState } from "../../scripts/claim-state.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "orrery-claim-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

test("a folder of storage has one server, and the next may take it once that is gone", async () => {
  const first = await claimState(state, "http://localhost:1");
  await expect(claimState(state, "http://localhost:2")).rejects.toThrow(
    `http://localhost:1 works on ${state} already.`,
  );
  await new Promise((done) => first.close(done));
  (await claimState(state, "http://localhost:2")).close();
});

test("a server that was killed leaves its folder to the next", async () => {
  const script = `import { claimState } from ${JSON.stringify(join(import.meta.dirname, "../../scripts/claim-state.ts"))};
    (await claimState(${JSON.stringify(state)}, "http://localhost:1")).ref(); console.log("held");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((held) => child.stdout.once("data", held));
  await expect(claimState(state, "http://localhost:2")).rejects.toThrow("already");
  const ended = new Promise((done) => child.once("close", done));
  child.kill("SIGKILL");
  await ended;
  (await claimState(state, "http://localhost:2")).close();
});
