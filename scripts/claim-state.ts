// One server at a time for a folder of storage: of two, each would take itself for the only one, and run everything that
// is due. Whoever holds it answers on a socket, which goes with its process however that ends.

import { createHash } from "node:crypto";
import { realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that has been stopped in its tracks does not answer, and has the folder. */
const PATIENCE_MS = 2_000;
/** One that is ending lets go of the folder within this. */
const ENDING_MS = 10_000;

/** Throws when another server at work has the folder; waits for one that is ending. `url` is where this one will be. */
export async function claimState(state: string, url: string): Promise<Server> {
  const door = doorOf(realpathSync(state));
  const deadline = Date.now() + ENDING_MS;
  for (let holder = await askAt(door); holder !== null; holder = await askAt(door)) {
    if (Date.now() < deadline && !(await isThere(holder))) {
      await sleep(100);
      continue;
    }
    throw new Error(
      `${holder} works on ${state} already. Stop it, or give this one a port and a folder of its own: ` +
        "PORT=8788 ORRERY_STATE=.wrangler/other npm start",
    );
  }
  rmSync(door, { force: true });
  const server = createServer((asking) => asking.on("error", () => {}).end(url));
  // Where there can be no such socket, the server works all the same.
  await new Promise<void>((done) => server.once("error", () => done()).listen(door, done));
  return server.unref();
}

/** Not in the folder itself: the names of sockets may hardly be longer than a hundred characters. */
function doorOf(state: string): string {
  const name = `orrery-${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Null when nobody is there, whether or not somebody was. */
function askAt(door: string): Promise<string | null> {
  return new Promise((answer) => {
    let said = "";
    const asking = connect(door)
      .on("data", (chunk) => (said += chunk.toString()))
      .on("error", () => answer(null))
      .on("close", () => answer(said === "" ? "Another server" : said));
    asking.setTimeout(PATIENCE_MS, () => asking.destroy());
  });
}

async function isThere(url: string): Promise<boolean> {
  return fetch(url, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    () => true,
    () => false,
  );
}
