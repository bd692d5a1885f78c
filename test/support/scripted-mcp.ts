// An MCP server over HTTP that sends exactly what a test scripts, valid or not.
//
// Methods without a script behave: protocol version 2025-11-25, a session, and one tool `work`.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen, readBody } from "./net.ts";

/** One message to the server. `n` counts the earlier messages with the same method. */
export type McpMessage = {
  readonly id: unknown;
  readonly method: string;
  readonly params: { readonly name?: string; readonly cursor?: string; readonly arguments?: unknown };
  readonly headers: IncomingHttpHeaders;
  readonly n: number;
};

/** Returns a result, which is sent as JSON-RPC, or undefined if it has answered itself or never will. */
export type McpScript = (message: McpMessage, response: ServerResponse) => unknown;
export type McpScripts = Readonly<Record<string, McpScript>>;

export type ScriptedMcp = { readonly url: string; readonly messages: readonly McpMessage[]; close(): Promise<void> };

export const WORK_TOOL = { name: "work", description: "Does the work.", inputSchema: { type: "object" } };

const DEFAULT_SCRIPTS: McpScripts = {
  "server/discover": ({ id }, response) => sendJson(response, 200, createError(id, -32601, "Method not found")),
  initialize: (_, response) => {
    response.setHeader("mcp-session-id", "s1");
    return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
  },
  "notifications/initialized": (_, response) => void response.writeHead(202).end(),
  "notifications/cancelled": (_, response) => void response.writeHead(202).end(),
  DELETE: (_, response) => void response.writeHead(204).end(),
  "tools/list": () => ({ tools: [WORK_TOOL] }),
  "tools/call": () => ({ content: [{ type: "text", text: "worked" }] }),
};

export async function startScriptedMcp(scripts: McpScripts): Promise<ScriptedMcp> {
  const messages: McpMessage[] = [];
  const server = createServer((request, response) => {
    const answer = async () => {
      const text = await readBody(request);
      const {
        id,
        method = request.method ?? "",
        params = {},
      } = (text === "" ? {} : JSON.parse(text)) as Partial<McpMessage>;
      const n = messages.filter((message) => message.method === method).length;
      const message = { id, method, params, headers: request.headers, n };
      messages.push(message);
      const result = (scripts[method] ?? DEFAULT_SCRIPTS[method])?.(message, response);
      if (result !== undefined) sendJson(response, 200, { jsonrpc: "2.0", id, result });
    };
    answer().catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    messages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function createError(id: unknown, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendBody(response, typeof value === "string" ? value : JSON.stringify(value), "application/json", status);
}

export function sendBody(response: ServerResponse, body: string | Uint8Array, type: string, status = 200): void {
  response.writeHead(status, { "content-type": type });
  response.end(body);
}

/** Writes a piece every `everyMs` until the client disconnects. */
export async function drip(response: ServerResponse, type: string, piece: string, everyMs: number): Promise<void> {
  response.writeHead(200, { "content-type": type });
  while (!response.destroyed) {
    response.write(piece);
    await sleep(everyMs);
  }
}

/** Creates valid tools with the names `t0`, `t1`, … */
export function createTools(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({ name: `t${i}`, inputSchema: { type: "object" } }));
}
