import { randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Listens on a port of the loopback address, by default on a free one, and says which. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, port);
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Below the ports that systems give to connections: until it is used, one of those would take it now and then. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await isFree(port)) return port;
  }
}

/** What a request brings; rejects when whoever sends it dies before its end. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}
