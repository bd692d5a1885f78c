// The MCP test double of the agent kit, served on a loopback URL.

import { createServer } from "node:http";
import { serveCurrentMcp, createMcpDouble, type McpDouble } from "../agents/fixtures/mcp-double.ts";
import { readBody, listen } from "./net.ts";

export type McpServer = McpDouble & { readonly url: string; close(): Promise<void> };

export async function startMcpServer(answer: typeof serveCurrentMcp = serveCurrentMcp): Promise<McpServer> {
  const double = createMcpDouble(answer);
  const server = createServer((incoming, outgoing) => {
    const relay = async () => {
      const text = await readBody(incoming);
      const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as [string, string]] : [],
      );
      const body = text === "" ? {} : { body: text };
      const init = { method: incoming.method ?? "GET", headers, ...body };
      const response = await double.fetch(`http://127.0.0.1${incoming.url ?? "/"}`, init);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    };
    relay().catch(() => outgoing.destroy());
  });
  const port = await listen(server);
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
