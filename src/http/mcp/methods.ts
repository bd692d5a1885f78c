// Dispatches the methods of MCP. Versions with a handshake and the stateless version have different methods and result
// envelopes.

import {
  CAPABILITIES_KEY,
  CODES,
  HANDSHAKE_VERSIONS,
  RpcError,
  SERVER_KEY,
  VERSIONS,
  type Params,
  type Request,
} from "./message.ts";
import { callTool, isTool, toolList, type Caller } from "./tools.ts";

const SERVER = { name: "orrery", title: "Orrery", version: "0.1.0" };
const CAPABILITIES = { tools: {} };
const INSTRUCTIONS =
  "Orrery carries out requests with several agents. Call ask with the person's words; a conversation_id goes on with a conversation.";

/** Cache hints of results: they are the same for all users and change only with a deployment. */
const CACHING = { ttlMs: 300_000, cacheScope: "public" };

/** Runs a request and returns its result. Throws an `RpcError` for an unknown method or tool. */
export async function resultOf(request: Request, caller: Caller): Promise<object> {
  return request.version === undefined ? handshakeResult(request, caller) : statelessResult(request, caller);
}

/** Runs a request of a version with a handshake. The server stores nothing about the handshake. */
async function handshakeResult({ method, params }: Request, caller: Caller): Promise<object> {
  switch (method) {
    case "initialize": {
      const asked = HANDSHAKE_VERSIONS.find((version) => version === params["protocolVersion"]);
      const protocolVersion = asked ?? HANDSHAKE_VERSIONS[0];
      return { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER, instructions: INSTRUCTIONS };
    }
    case "ping":
      return {};
    case "tools/list":
      return { tools: toolList() };
    case "tools/call":
      return call(params, caller);
    default:
      throw new RpcError(CODES.method, `There is no method ${method}.`);
  }
}

/** Runs a request of the stateless version. Unknown methods have the HTTP status 404. */
async function statelessResult({ method, params }: Request, caller: Caller): Promise<object> {
  const complete = (result: object) => ({ resultType: "complete", _meta: { [SERVER_KEY]: SERVER }, ...result });
  switch (method) {
    case "server/discover": {
      const supportedVersions = VERSIONS;
      return complete({ ...CACHING, supportedVersions, capabilities: CAPABILITIES, instructions: INSTRUCTIONS });
    }
    case "tools/list":
      return complete({ ...CACHING, tools: toolList() });
    case "tools/call":
      return complete(await call(params, caller));
    default:
      throw new RpcError(CODES.method, `There is no method ${method}.`, { status: 404 });
  }
}

/** Calls the tool that the parameters name. */
function call(params: Params, caller: Caller): Promise<object> {
  const { name } = params;
  if (isTool(name)) return callTool(name, params, caller);
  throw new RpcError(CODES.params, `There is no tool ${JSON.stringify(name)?.slice(0, 128) ?? "without a name"}.`);
}

/** True if the request declares support for form elicitation. An empty declaration means form support. */
export function canElicit({ version, params }: Request): boolean {
  const elicitation = version === undefined ? undefined : params._meta?.[CAPABILITIES_KEY]?.["elicitation"];
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
