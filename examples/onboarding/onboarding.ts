// Five systems of a company as MCP servers, each with its own storage. The agents and the workflow are configuration
// (`config.json`).

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { WorkerEntrypoint } from "cloudflare:workers";
import type { SystemCall, SystemApi } from "./system.ts";
import { SYSTEMS, getTools, type ToolData, type SystemName } from "./tools.ts";

export { System } from "./system.ts";

type Env = { readonly SYSTEM: DurableObjectNamespace };

/** Casts the stub: TypeScript cannot resolve the RPC types of recursive JSON values. */
function getSystem(env: Env, name: SystemName): SystemApi {
  return env.SYSTEM.getByName(name) as unknown as SystemApi;
}

/** The `_meta` key that identifies repeated calls. */
const IDEMPOTENCY_KEY = "orrery/idempotency-key";

function handleMcpRequest(name: SystemName, env: Env, request: Request): Promise<Response> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name, version: "1.0.0" });
    for (const [tool, { description, parameters, isReading }] of Object.entries(getTools(name))) {
      const annotations = { readOnlyHint: isReading, destructiveHint: false };
      server.registerTool(tool, { description, inputSchema: parameters, annotations }, async (args, context) => {
        const key = context.mcpReq._meta?.[IDEMPOTENCY_KEY];
        try {
          const result = await getSystem(env, name).call(
            tool,
            args as ToolData,
            typeof key === "string" ? key : undefined,
          );
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

function createEntrypoint(name: SystemName) {
  return class extends WorkerEntrypoint<Env> {
    override fetch(request: Request): Promise<Response> {
      return handleMcpRequest(name, this.env, request);
    }
  };
}

export const Hr = createEntrypoint("hr");
export const Access = createEntrypoint("access");
export const It = createEntrypoint("it");
export const Inventory = createEntrypoint("inventory");
export const Email = createEntrypoint("email");

const SYSTEM_NAMES = Object.keys(SYSTEMS) as SystemName[];

async function listCalls(env: Env): Promise<SystemCall[]> {
  const calls = await Promise.all(SYSTEM_NAMES.map((name) => getSystem(env, name).calls()));
  return calls.flat().toSorted((a, b) => a.at - b.at);
}

/** Serves each system at its name, and routes for tests: listing calls, simulating failures and deleting records. */
export default {
  async fetch(request, env): Promise<Response> {
    const [, segment = "", second, third] = new URL(request.url).pathname.split("/").map(decodeURIComponent);
    if (segment === "calls" && request.method === "GET") return Response.json(await listCalls(env));
    const name = SYSTEM_NAMES.find((candidate) => candidate === segment);
    if (name === undefined) return new Response("System not found.", { status: 404 });
    const system = getSystem(env, name);
    if (second === "failures" && request.method === "POST") {
      const failures = (await request.json()) as Record<string, number>;
      await Promise.all(Object.entries(failures).map(([tool, times]) => system.fail(tool, times)));
      return Response.json({ failures });
    }
    if (second === "records" && third !== undefined && request.method === "DELETE") {
      return Response.json({ deleted: await system.forget(third) });
    }
    return handleMcpRequest(name, env, request);
  },
} satisfies ExportedHandler<Env>;
