// A TCP proxy that resets its connections after some time or bytes, in the middle of any message.

import { connect, createServer, type Socket } from "node:net";
import { listen } from "./net.ts";

export type UnreliableProxy = {
  readonly url: string;
  /** Resets all open connections. */
  resetAll(): void;
  /** Stops the automatic resets. */
  stopBreaking(): void;
  close(): Promise<void>;
};

/** The limits of a connection: bytes from the server, and time. The first one that is reached resets it. */
export type ConnectionLifetime = { readonly bytes: number; readonly ms: number };

/**
 * Starts a proxy to `url`. `getLifetime` is called once per connection; null means that the connection is not reset.
 */
export async function startUnreliableProxy(
  url: string,
  getLifetime: () => ConnectionLifetime | null,
): Promise<UnreliableProxy> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isStable = false;
  const reset = (client: Socket): void => {
    if (!open.delete(client)) return;
    client.resetAndDestroy();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const { bytes, ms } = (isStable ? null : getLifetime()) ?? { bytes: Infinity, ms: Infinity };
    let remaining = bytes;
    const timer = ms === Infinity ? undefined : setTimeout(() => isStable || reset(client), ms);
    open.add(client);
    client
      .on("error", () => {})
      .on("close", () => {
        clearTimeout(timer);
        open.delete(client);
        upstream.destroy();
      });
    upstream.on("error", () => {}).on("close", () => client.destroy());
    client.pipe(upstream);
    upstream.on("data", (piece: Buffer) => {
      // Data sent directly before the reset may arrive in part or not at all, as on a real network.
      client.write(isStable ? piece : piece.subarray(0, remaining));
      remaining -= piece.length;
      if (remaining <= 0 && !isStable) reset(client);
    });
  });
  const nearPort = await listen(server);
  return {
    url: `http://127.0.0.1:${nearPort}`,
    resetAll: () => [...open].forEach(reset),
    stopBreaking: () => (isStable = true),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of open) client.destroy();
      }),
  };
}
