// Five systems of a company as MCP servers, each with storage of its own. No agent and no plan is written here: they
// are configuration (`config.json`).

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Call, SystemCalls } from "./system.ts";
import { SYSTEMS, toolsOf, type Entry, type SystemName } from "./tools.ts";

export { System } from "./system.ts";

type Env = { readonly SYSTEM: DurableObjectNamespace };

/** Written out: the compiler loses itself in records of JSON that travel. */
function systemOf(env: Env, name: SystemName): SystemCalls {
  return env.SYSTEM.getByName(name) as unknown as SystemCalls;
}

/** What makes a repeated call the same call. */
const KEY = "orrery/idempotency-key";

function serve(name: SystemName, env: Env, request: Request): Promise<Response> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name, version: "1.0.0" });
    for (const [tool, { description, parameters, isReading }] of Object.entries(toolsOf(name))) {
      const annotations = { readOnlyHint: isReading, destructiveHint: false };
      server.registerTool(tool, { description, inputSchema: parameters, annotations }, async (args, context) => {
        const key = context.mcpReq._meta?.[KEY];
        try {
          const result = await systemOf(env, name).call(tool, args as Entry, typeof key === "string" ? key : undefined);
          return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
        } catch (thrown) {
          const text = thrown instanceof Error ? thrown.message : "The call failed.";
          return { content: [{ type: "text", text }], isError: true };
        }
      });
    }
    return server;
  });
  return handler.fetch(request);
}

function entrypoint(name: SystemName) {
  return class extends WorkerEntrypoint<Env> {
    override fetch(request: Request): Promise<Response> {
      return serve(name, this.env, request);
    }
  };
}

export const Hr = entrypoint("hr");
export const Access = entrypoint("access");
export const It = entrypoint("it");
export const Inventory = entrypoint("inventory");
export const Email = entrypoint("email");

const NAMES = Object.keys(SYSTEMS) as SystemName[];

async function callsOf(env: Env): Promise<Call[]> {
  const calls = await Promise.all(NAMES.map((name) => systemOf(env, name).calls()));
  return calls.flat().toSorted((a, b) => a.at - b.at);
}

/** Each system under its name, and what a rehearsal needs: the calls so far, systems out of order, records that vanish. */
export default {
  async fetch(request, env): Promise<Response> {
    const [, first = "", second, third] = new URL(request.url).pathname.split("/").map(decodeURIComponent);
    if (first === "calls" && request.method === "GET") return Response.json(await callsOf(env));
    const name = NAMES.find((known) => known === first);
    if (name === undefined) return new Response("There is no such system.", { status: 404 });
    const system = systemOf(env, name);
    if (second === "failures" && request.method === "POST") {
      const failures = (await request.json()) as Record<string, number>;
      await Promise.all(Object.entries(failures).map(([tool, times]) => system.fail(tool, times)));
      return Response.json({ failures });
    }
    if (second === "records" && third !== undefined && request.method === "DELETE") {
      return Response.json({ deleted: await system.forget(third) });
    }
    return serve(name, env, request);
  },
} satisfies ExportedHandler<Env>;
