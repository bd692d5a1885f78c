// A line to a server that breaks: connections are reset after a while, in the middle of whatever they carry.

import { connect, createServer, type Socket } from "node:net";
import { listen } from "./net.ts";

export type FrailLine = {
  readonly url: string;
  /** Resets every connection that is open now. */
  breakAll(): void;
  /** From now on nothing is reset by itself. */
  mend(): void;
  close(): Promise<void>;
};

/** How long a connection holds: until it has carried so many bytes from the server, or for so long. */
export type Life = { readonly bytes: number; readonly ms: number };

/** `lifeOf` is asked once per connection; null lets it live. */
export async function frailLineTo(url: string, lifeOf: () => Life | null): Promise<FrailLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isMended = false;
  const snap = (near: Socket): void => {
    if (!open.delete(near)) return;
    near.resetAndDestroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const { bytes, ms } = (isMended ? null : lifeOf()) ?? { bytes: Infinity, ms: Infinity };
    let left = bytes;
    const timer = ms === Infinity ? undefined : setTimeout(() => isMended || snap(near), ms);
    open.add(near);
    near
      .on("error", () => {})
      .on("close", () => {
        clearTimeout(timer);
        open.delete(near);
        far.destroy();
      });
    far.on("error", () => {}).on("close", () => near.destroy());
    near.pipe(far);
    far.on("data", (piece: Buffer) => {
      // What is sent before the reset may arrive in part, or not at all: as on a real line.
      near.write(isMended ? piece : piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0 && !isMended) snap(near);
    });
  });
  const nearPort = await listen(server);
  return {
    url: `http://127.0.0.1:${nearPort}`,
    breakAll: () => [...open].forEach(snap),
    mend: () => (isMended = true),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const near of open) near.destroy();
      }),
  };
}
