// Somebody elsewhere who is notified: slow to confirm, and out of order at every third notification's first attempt.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, listen } from "../test/support/net.ts";

/** A notification as it came and was confirmed; its id is the same at every attempt. */
export type Notified = { readonly id: string; readonly body: string };

export type Receiver = {
  /** What may be followed by any path. */
  readonly url: string;
  /** What was confirmed below a path, in order, repetitions included: only then was it heard for sure. */
  confirmed(path: string): readonly Notified[];
  close(): void;
};

/** Long enough to die in. */
const CONFIRM_MS = 15;
const OUT_OF_ORDER = 3;

export async function startReceiver(): Promise<Receiver> {
  const known = new Set<string>();
  const confirmed = new Map<string, Notified[]>();
  const server = createServer((request, response) => {
    void bodyOf(request).then(
      async (body) => {
        const id = String(request.headers["webhook-id"]);
        const isNew = !known.has(id);
        known.add(id);
        await sleep(CONFIRM_MS);
        if (isNew && known.size % OUT_OF_ORDER === 0) return response.writeHead(503).end();
        // A sender that has died meanwhile cannot know that it came.
        if (response.destroyed) return response;
        const path = request.url ?? "";
        confirmed.set(path, [...(confirmed.get(path) ?? []), { id, body }]);
        return response.writeHead(204).end();
      },
      () => undefined,
    );
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    confirmed: (path) => confirmed.get(path) ?? [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
