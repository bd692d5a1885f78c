// Ensures that only one server uses a storage folder at a time. Two servers would each run everything that is due. The
// holder listens on a local socket, which the system closes when its process ends for any reason.

import { createHash } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A suspended server does not answer in time. It counts as the holder. */
const ANSWER_TIMEOUT_MS = 2_000;
/** A server that is shutting down releases the folder within this time. */
const RELEASE_TIMEOUT_MS = 10_000;

/** Claims the folder. Throws if a running server holds it; waits for one that shuts down. `url` is the URL of this server. */
export async function claimState(state: string, url: string): Promise<Server> {
  const socketPath = getSocketPath(realpathSync(state));
  const deadline = Date.now() + RELEASE_TIMEOUT_MS;
  for (let holder = await readHolder(socketPath); holder !== null; holder = await readHolder(socketPath)) {
    if (Date.now() < deadline && !(await isReachable(holder))) {
      await sleep(100);
      continue;
    }
    throw new Error(
      `${holder} already uses ${state}. Stop it, or start this server with another port and folder: ` +
        "PORT=8788 ORRERY_STATE=.wrangler/other npm start",
    );
  }
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => socket.on("error", () => {}).end(url));
  // Without support for such sockets, start without a claim.
  await new Promise<void>((done) => server.once("error", () => done()).listen(socketPath, done));
  return server.unref();
}

/** The socket is outside of the folder, because socket paths are limited to about a hundred characters. */
function getSocketPath(state: string): string {
  const name = `orrery-${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Resolves with the URL of the holder, or with null if no process listens on the socket. */
function readHolder(socketPath: string): Promise<string | null> {
  return new Promise((resolve) => {
    let reply = "";
    const socket = connect(socketPath)
      .on("data", (chunk) => (reply += chunk.toString()))
      .on("error", () => resolve(null))
      .on("close", () => resolve(reply === "" ? "Another server" : reply));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
  });
}

async function isReachable(url: string): Promise<boolean> {
  return fetch(url, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).then(
    () => true,
    () => false,
  );
}
