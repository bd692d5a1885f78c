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
import { callMcpTool, isMcpToolName, describeMcpTools, type McpCallContext } from "./mcp-tools.ts";

const SERVER = { name: "orrery", title: "Orrery", version: "0.1.0" };
const CAPABILITIES = { tools: {} };
const INSTRUCTIONS =
  "Orrery carries out requests with several agents. Call ask with the person's words; a conversation_id goes on with a conversation.";

/** Cache hints of results: they are the same for all users and change only with a deployment. */
const CACHE_HINTS = { ttlMs: 300_000, cacheScope: "public" };

/** Runs a request and returns its result. Rejects with an `RpcError` for an unknown method or tool. */
export async function runMethod(request: McpRequest, caller: McpCallContext): Promise<object> {
  return request.version === undefined ? runHandshakeMethod(request, caller) : runStatelessMethod(request, caller);
}

/** Runs a request of a version with a handshake. The server stores nothing about the handshake. */
async function runHandshakeMethod({ method, params }: McpRequest, caller: McpCallContext): Promise<object> {
  switch (method) {
    case "initialize": {
      const requestedVersion = HANDSHAKE_VERSIONS.find((version) => version === params["protocolVersion"]);
      const protocolVersion = requestedVersion ?? HANDSHAKE_VERSIONS[0];
      return { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER, instructions: INSTRUCTIONS };
    }
    case "ping":
      return {};
    case "tools/list":
      return { tools: describeMcpTools() };
    case "tools/call":
      return callNamedTool(params, caller);
    default:
      throw new RpcError(RPC_CODES.method, formatEnglish("mcp.unknownMethod", { method }));
  }
}

/** Runs a request of the stateless version. Unknown methods have the HTTP status 404. */
async function runStatelessMethod({ method, params }: McpRequest, caller: McpCallContext): Promise<object> {
  const completeResult = (result: object) => ({ resultType: "complete", _meta: { [SERVER_KEY]: SERVER }, ...result });
  switch (method) {
    case "server/discover": {
      const supportedVersions = PROTOCOL_VERSIONS;
      return completeResult({
        ...CACHE_HINTS,
        supportedVersions,
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
      });
    }
    case "tools/list":
      return completeResult({ ...CACHE_HINTS, tools: describeMcpTools() });
    case "tools/call":
      return completeResult(await callNamedTool(params, caller));
    default:
      throw new RpcError(RPC_CODES.method, formatEnglish("mcp.unknownMethod", { method }), { status: 404 });
  }
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
