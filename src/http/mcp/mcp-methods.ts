// Dispatches the methods of MCP. Versions with a handshake and the stateless version have different methods and result
// envelopes.

import {
  CAPABILITIES_KEY,
  RPC_CODES,
  HANDSHAKE_VERSIONS,
  RpcError,
  SERVER_KEY,
  PROTOCOL_VERSIONS,
  type McpParams,
  type McpRequest,
} from "./mcp-message.ts";
import { formatEnglish } from "../../language/messages.ts";
import { toFault } from "../../protocol/wire/fault.ts";
import { createCursorFault } from "../api/list-cursor.ts";
import type { Operations } from "../api/operations.ts";
import { getPrompt, listPrompts } from "./mcp-prompts.ts";
import { listResources } from "./resource-list.ts";
import { describeResourceTemplates, readResource } from "./mcp-resources.ts";
import { callMcpTool, isMcpToolName, describeMcpTools, type McpCallContext } from "./mcp-tools.ts";

const SERVER = { name: "orrery", title: "Orrery", version: "0.1.0" };
const CAPABILITIES = { tools: {}, resources: {}, prompts: {} };
const INSTRUCTIONS =
  "Orrery carries out requests with several agents. Call ask with the person's words; a conversation_id goes on with a conversation.";

/** Cache hints of results that are the same for all users and change only with a deployment. */
const PUBLIC_CACHE = { ttlMs: 300_000, cacheScope: "public" };
/** Cache hints of results that belong to the user and may change at any time. */
const PRIVATE_CACHE = { ttlMs: 0, cacheScope: "private" };

/** A method that all versions have. `cache`: the hints that the stateless version adds to its result. */
type SharedMethod = {
  readonly cache?: object;
  readonly run: (request: McpRequest, caller: McpCallContext) => Promise<object> | object;
};

/** The methods of all versions by name. */
export const SHARED_METHODS: Readonly<Record<string, SharedMethod>> = {
  "tools/list": { cache: PUBLIC_CACHE, run: () => ({ tools: describeMcpTools() }) },
  "tools/call": { run: ({ params }, caller) => callNamedTool(params, caller) },
  "resources/templates/list": {
    cache: PUBLIC_CACHE,
    run: () => ({ resourceTemplates: describeResourceTemplates() }),
  },
  "resources/list": {
    cache: PRIVATE_CACHE,
    run: ({ params }, { operations }) => listResources(operations, parseCursor(params)),
  },
  "resources/read": { cache: PRIVATE_CACHE, run: (request, { operations }) => readNamedResource(request, operations) },
  "prompts/list": {
    cache: PRIVATE_CACHE,
    run: ({ params }, { operations }) => listPrompts(operations, parseCursor(params)),
  },
  "prompts/get": { run: ({ params }, { operations }) => getPrompt(operations, params) },
};

/** Runs a request and returns its result. Rejects with an `RpcError` for an unknown method, tool or resource. */
export async function runMethod(request: McpRequest, caller: McpCallContext): Promise<object> {
  return request.version === undefined ? runHandshakeMethod(request, caller) : runStatelessMethod(request, caller);
}

/** Runs a request of a version with a handshake. The server stores nothing about the handshake. */
async function runHandshakeMethod(request: McpRequest, caller: McpCallContext): Promise<object> {
  const { method, params } = request;
  switch (method) {
    case "initialize": {
      const requestedVersion = HANDSHAKE_VERSIONS.find((version) => version === params["protocolVersion"]);
      const protocolVersion = requestedVersion ?? HANDSHAKE_VERSIONS[0];
      return { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER, instructions: INSTRUCTIONS };
    }
    case "ping":
      return {};
    default:
      return getSharedMethod(method, 200).run(request, caller);
  }
}

/** Runs a request of the stateless version. Unknown methods have the HTTP status 404. */
async function runStatelessMethod(request: McpRequest, caller: McpCallContext): Promise<object> {
  const { method } = request;
  const completeResult = (result: object) => ({ resultType: "complete", _meta: { [SERVER_KEY]: SERVER }, ...result });
  if (method === "server/discover") {
    const supportedVersions = PROTOCOL_VERSIONS;
    return completeResult({
      ...PUBLIC_CACHE,
      supportedVersions,
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
    });
  }
  const { cache, run } = getSharedMethod(method, 404);
  return completeResult({ ...cache, ...(await run(request, caller)) });
}

/** Returns a method. Throws an `RpcError` with this status for an unknown one. */
function getSharedMethod(method: string, unknownStatus: number): SharedMethod {
  const shared = Object.hasOwn(SHARED_METHODS, method) ? SHARED_METHODS[method] : undefined;
  if (shared !== undefined) return shared;
  throw new RpcError(RPC_CODES.method, formatEnglish("mcp.unknownMethod", { method }), { status: unknownStatus });
}

/** Returns the cursor of a list request; undefined for the first page. Throws `invalid_request` if it is no text. */
function parseCursor({ cursor }: McpParams): string | undefined {
  if (cursor === undefined || typeof cursor === "string") return cursor;
  throw createCursorFault();
}

/** Reads the resource that the parameters name. */
async function readNamedResource({ params, version }: McpRequest, operations: Operations): Promise<object> {
  const uri = typeof params["uri"] === "string" ? params["uri"].slice(0, 1_024) : "";
  const result = await readResource(operations, uri).catch((thrown: unknown) => {
    if (toFault(thrown).code === "not_found") return null;
    throw thrown;
  });
  if (result !== null) return result;
  const code = version === undefined ? RPC_CODES.resource : RPC_CODES.params;
  throw new RpcError(code, formatEnglish("mcp.unknownResource", { uri: uri.slice(0, 128) }), { data: { uri } });
}

/** Calls the tool that the parameters name. */
function callNamedTool(params: McpParams, caller: McpCallContext): Promise<object> {
  const { name } = params;
  if (isMcpToolName(name)) return callMcpTool(name, params, caller);
  const given = JSON.stringify(name)?.slice(0, 128);
  throw new RpcError(
    RPC_CODES.params,
    given === undefined ? formatEnglish("mcp.toolNameMissing") : formatEnglish("mcp.unknownTool", { name: given }),
  );
}

/**
 * True if the request declares support for form elicitation. An empty declaration means form support. Always false for
 * the handshake versions.
 */
export function canElicit({ version, params }: McpRequest): boolean {
  const elicitation = version === undefined ? undefined : params._meta?.[CAPABILITIES_KEY]?.["elicitation"];
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
