// npm start: runs the whole system on this machine, without an account, a key or network access.

import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { buildAssets } from "./assets.ts";
import { claimState } from "./claim-state.ts";
import { readLocalSettings, writeVars } from "./local-settings.ts";
import { applyMigrations } from "./migrations.ts";
import { loadSealingKey, makePrivateFolder } from "./private-files.ts";
import { stopProcessTree } from "./process-tree.ts";
import { CrashLog, serve, startServer } from "./server.ts";
import { ROOT } from "./tools.ts";
import { formatWelcome } from "./welcome.ts";

const HOST = "127.0.0.1";
const STOP_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;

try {
  process.exitCode = await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const local = readLocalSettings(process.env);
  const state = resolve(ROOT, local.state);
  makeFolder(state);
  const stateLock = await claimState(state, `http://localhost:${local.port}`);
  await claimPort(local.port);
  const stop = listenForStop();
  await Promise.all([applyMigrations(state, stop), buildAssets()]);
  if (stop.aborted) return 0;

  const varsFile = join(state, `settings-${local.port}.env`);
  writeVars(varsFile, { SEALING_KEY: loadSealingKey(state), ...local.vars });
  const crashes = new CrashLog();
  let server = startServer(local, state, varsFile);
  stop.addEventListener("abort", () => server.kill("SIGTERM"));
  const onReady = (health: unknown): void => {
    console.log(formatWelcome(local, health));
    scheduleCronTrigger(local.port);
  };
  const onRestart = (): void => console.error("The Workers runtime crashed. The server was restarted.");
  try {
    for (let isRestart = false; ; isRestart = true) {
      const options = { crashes, isRestart, onReady: isRestart ? onRestart : onReady };
      const end = await serve(server, local.port, options).catch((thrown: unknown) => {
        if (stop.aborted) return "ended";
        throw thrown;
      });
      if (stop.aborted) return 0;
      if (end === "ended") throw new Error("The server stopped unexpectedly. Restart it with: npm start");
      await stopProcessTree(server, 0);
      if (stop.aborted) return 0;
      server = startServer(local, state, varsFile);
    }
  } finally {
    await stopProcessTree(server, STOP_TIMEOUT_MS);
    rmSync(varsFile, { force: true });
    stateLock.close();
  }
}

function makeFolder(state: string): void {
  try {
    makePrivateFolder(state);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    const reason = isFile ? "a file with this name exists" : (code ?? String(thrown));
    throw new Error(`Wrong settings:\n  ORRERY_STATE: the folder ${state} cannot be created: ${reason}`, {
      cause: thrown,
    });
  }
}

/** Throws if another process listens on the port. */
async function claimPort(port: number): Promise<void> {
  for (const host of [HOST, "::1"]) {
    const code = await new Promise<string | undefined>((done) => {
      const probe = createServer();
      probe.once("error", (error: NodeJS.ErrnoException) => done(error.code));
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (code === "EACCES")
      throw new Error(`Port ${port} requires elevated privileges. Choose another port: PORT=8787 npm start`);
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is already in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
      );
    }
  }
}

/** Fires the cron trigger every minute, because nothing else does locally. The server itself logs failures. */
function scheduleCronTrigger(port: number): void {
  const fire = () => {
    scheduleCronTrigger(port);
    fetch(`http://${HOST}:${port}/cdn-cgi/local/scheduled`)
      .then((response) => response.text())
      .catch(() => undefined);
  };
  setTimeout(fire, MINUTE_MS - (Date.now() % MINUTE_MS)).unref();
}

/** Returns a signal that aborts on a signal of the system, or when the parent process has ended. */
function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const parent = Number(process.env["ORRERY_PARENT"]);
  setInterval(() => {
    if (parent !== process.ppid && !Number.isNaN(parent)) stop.abort();
  }, 500).unref();
  return stop.signal;
}
