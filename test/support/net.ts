import type { IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Listens on a free port of the loopback address and says which. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What a request brings; rejects when whoever sends it dies before its end. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}
