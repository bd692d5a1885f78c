// A proxy between the runtime and its directory. It forwards requests, or simulates a directory that is locked, is
// unreachable, or executes a request and loses the response.

import { createServer } from "node:http";
import { readBody, listen } from "../../test/support/net.ts";

const TROUBLES = ["locked", "cut", "lost"] as const;

export type Trouble = {
  /** Host and port for the requests of the binding. */
  readonly address: string;
  /** The share of requests that fail (0 to 1). A third of the failed requests is executed all the same. */
  share: number;
  /** The number of failed requests. */
  readonly failed: number;
  /** Resolves once `count` further requests have been answered. */
  answered(count: number): Promise<void>;
  close(): void;
};

const LOCKED = JSON.stringify({ success: false, error: "D1_ERROR: database is locked: SQLITE_BUSY" });

export async function startTrouble(directory: string, random: () => number): Promise<Trouble> {
  let failed = 0;
  let waiting = { left: 0, resolve: (): void => undefined };
  const note = (): void => {
    waiting.left -= 1;
    if (waiting.left === 0) waiting.resolve();
  };
  const server = createServer((request, response) => {
    const isBad = random() < trouble.share;
    const how = isBad ? TROUBLES[Math.floor(random() * TROUBLES.length)] : undefined;
    if (isBad) failed += 1;
    void readBody(request)
      .then(async (body) => {
        response.setHeader("content-type", "application/json");
        if (how === "locked") return response.end(LOCKED);
        if (how === "cut") return response.destroy();
        const answer = await fetch(`http://${directory}${request.url ?? ""}`, { method: "POST", body });
        const text = await answer.text();
        return how === "lost" ? response.destroy() : response.end(text, note);
      })
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  const trouble: Trouble = {
    address: `127.0.0.1:${port}`,
    share: 0,
    get failed() {
      return failed;
    },
    answered(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting = { left: count, resolve };
      return promise;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return trouble;
}
