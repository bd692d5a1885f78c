// A line to a server that breaks: every connection is reset after some bytes have come from the server.

import { connect, createServer, type Socket } from "node:net";
import { listen } from "./net.ts";

export type FrailLine = {
  readonly url: string;
  /** How many connections were reset on purpose. */
  readonly breaks: number;
  /** Resets every connection that is open now. */
  breakAll(): void;
  /** From now on nothing is reset by itself. */
  mend(): void;
  close(): Promise<void>;
};

/** `bytesUntilBreak` is asked once per connection; Infinity lets it live. */
export async function frailLineTo(url: string, bytesUntilBreak: () => number): Promise<FrailLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let breaks = 0;
  let isMended = false;
  const snap = (near: Socket): void => {
    if (!open.delete(near)) return;
    breaks += 1;
    near.resetAndDestroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let left = isMended ? Infinity : bytesUntilBreak();
    open.add(near);
    near
      .on("error", () => {})
      .on("close", () => {
        open.delete(near);
        far.destroy();
      });
    far.on("error", () => {}).on("close", () => near.destroy());
    near.pipe(far);
    far.on("data", (bytes: Buffer) => {
      // What is sent before the reset may arrive in part, or not at all: as on a real line.
      near.write(isMended ? bytes : bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0 && !isMended) snap(near);
    });
  });
  const nearPort = await listen(server);
  return {
    url: `http://127.0.0.1:${nearPort}`,
    get breaks() {
      return breaks;
    },
    breakAll: () => [...open].forEach(snap),
    mend: () => (isMended = true),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const near of open) near.destroy();
      }),
  };
}
