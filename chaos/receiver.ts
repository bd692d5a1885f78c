// The receiver of push notifications. It confirms slowly, and rejects the first attempt of every third notification.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { readBody, listen } from "../test/support/net.ts";

/** A confirmed notification. All attempts of a notification have the same id. */
export type Notified = { readonly id: string; readonly body: string };

export type Receiver = {
  /** The base URL. Any path may be appended. */
  readonly url: string;
  /** Returns the confirmed notifications of a path in order, including repetitions. Others do not count as received. */
  confirmed(path: string): readonly Notified[];
  close(): void;
};

/** Long enough for the sender to be killed before the confirmation. */
const CONFIRM_MS = 15;
const OUT_OF_ORDER = 3;

export async function startReceiver(): Promise<Receiver> {
  const known = new Set<string>();
  const confirmed = new Map<string, Notified[]>();
  const server = createServer((request, response) => {
    void readBody(request).then(
      async (body) => {
        const id = String(request.headers["webhook-id"]);
        const isNew = !known.has(id);
        known.add(id);
        await sleep(CONFIRM_MS);
        if (isNew && known.size % OUT_OF_ORDER === 0) return response.writeHead(503).end();
        // A sender that was killed meanwhile cannot know that the notification arrived.
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
