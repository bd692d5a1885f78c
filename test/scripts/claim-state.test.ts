import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { claimState } from "../../scripts/claim-state.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "orrery-claim-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

/** Starts a server. Resolves with its URL. */
async function startHttpServer(): Promise<string> {
  const server = createServer((_, response) => response.end()).listen(0);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test("claimState rejects a folder that a running server holds and accepts it after that server has closed", async () => {
  const url = await startHttpServer();
  const first = await claimState(state, url);
  await expect(claimState(state, "http://localhost:2")).rejects.toThrow(`${url} already uses ${state}.`);
  await new Promise((done) => first.close(done));
  (await claimState(state, "http://localhost:2")).close();
});

test("claimState waits for a holder that no longer responds", async () => {
  const first = await claimState(state, "http://localhost:1");
  setTimeout(() => first.close(), 500);
  const began = Date.now();
  (await claimState(state, "http://localhost:2")).close();
  expect(Date.now() - began).toBeGreaterThanOrEqual(490);
});

test("claimState accepts the folder of a killed server", async () => {
  const url = await startHttpServer();
  const script = `import { claimState } from ${JSON.stringify(join(import.meta.dirname, "../../scripts/claim-state.ts"))};
    (await claimState(${JSON.stringify(state)}, ${JSON.stringify(url)})).ref(); console.log("held");`;
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
