import { randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Listens on a port of the loopback address, by default a free one. Returns the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, port);
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/**
 * Returns a free port below the ephemeral range: the system could assign an ephemeral port to a connection before it is
 * used.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await isPortFree(port)) return port;
  }
}

/** Reads the body as text. Rejects if the client disconnects before its end. */
export async function readBody(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}
