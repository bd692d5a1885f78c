// The tools of an MCP server as a toolbox. The connection is opened for each run and closed with it.

import { Client } from "@modelcontextprotocol/client";
import { findUrlProblem } from "../../../lib/public-url.ts";
import type { McpServer } from "../../../protocol/agents/app-config.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault, Failure } from "../../../protocol/wire/message-error.ts";
import { redactSecret } from "../../../lib/redact-secret.ts";
import type { Settings } from "../../../settings.ts";
import { McpTransport, type McpFetcher, type McpEndpoint } from "./mcp-transport.ts";
import { makeNamesUnique, createMcpTool, type McpToolCall, type ListedMcpTool } from "./mcp-tool.ts";
import type { Toolbox, ToolboxContext } from "../tools/toolbox.ts";

const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
/** Maximum time of the handshake and of each page of the tool list. */
const LIST_TIMEOUT_MS = 10_000;
const MAX_TOOLS = 200;
const MAX_PAGES = 20;
/** Maximum characters of a tool's input schema as JSON. Tools with a larger schema are left out. */
const MAX_SCHEMA_CHARS = 65_536;

/**
 * Returns a toolbox with the tools of the MCP server behind a service binding `MCP_…` or at a URL (at most 200); with
 * `only`, just these. `open` connects. It rejects with a `Failure` (`tool_failed`) if the server cannot be used, and
 * with a `Fault` for a forbidden address or header (`invalid_request`) or a missing tool (`unprocessable`). Tools with
 * `destructiveHint` ask for approval; those with `readOnlyHint` may run in a read-only request.
 */
export function mcpTools(server: McpServer, { only }: { readonly only?: readonly string[] | undefined } = {}): Toolbox {
  return {
    async open(toolboxContext) {
      const connection = await connectToServer(server, toolboxContext);
      try {
        const listedTools = selectTools(await connection.list(), only);
        return {
          tools: makeNamesUnique(listedTools.map((each) => createMcpTool(each, connection.call))),
          close: connection.close,
        };
      } catch (thrown) {
        connection.close();
        throw thrown;
      }
    },
  };
}

type McpConnection = {
  list(): Promise<readonly ListedMcpTool[]>;
  readonly call: (called: McpToolCall) => ReturnType<Client["callTool"]>;
  readonly close: () => void;
};

/**
 * Connects to the server and negotiates the protocol version. Throws a `Failure` (`tool_failed`) with the reason if the
 * server cannot be used, and a `Fault` if it must not be called. The connection closes when the signal aborts.
 */
async function connectToServer(
  server: McpServer,
  { env, signal, ...toolboxContext }: ToolboxContext,
): Promise<McpConnection> {
  const settings = toolboxContext.settings();
  const transport = new McpTransport(resolveEndpoint(server, env, settings));
  const client = new Client(
    { name: "orrery", version: "1.0.0" },
    {
      supportedProtocolVersions: PROTOCOL_VERSIONS,
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      // A model reads the results, so they need not match the promised output schema.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const withFailureReason = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      signal.throwIfAborted();
      const unknown = createMessage(isTimeout(cause) ? "mcpServer.timedOut" : "mcpServer.unsupported");
      const message = createMessage("mcpServer.serverUnusable", { reason: transport.failureReason ?? unknown });
      throw new Failure("tool_failed", message, { cause });
    }
  };
  // Until the versions are negotiated, the client does not have its transport yet.
  const close = () => {
    signal.removeEventListener("abort", close);
    (client.transport === undefined ? transport : client).close().catch(() => undefined);
  };
  signal.addEventListener("abort", close, { once: true });
  const options = { signal, timeout: LIST_TIMEOUT_MS };
  try {
    await withFailureReason(client.connect(transport, options));
  } catch (thrown) {
    close();
    throw thrown;
  }
  // All attempts of a silent tool must end before the agent itself counts as silent.
  const timeout = Math.ceil(settings.AGENT_IDLE_SECONDS * 300);
  return {
    list: () => withFailureReason(listTools(client, options)),
    call: (called) => callTool(client, transport, called, timeout),
    close,
  };
}

/**
 * Calls a tool. Throws a `Failure` (`tool_failed`) if the transport knows the reason of the failure, else the error of
 * the client.
 */
async function callTool(
  client: Client,
  transport: McpTransport,
  { tool, arguments: args, key, signal }: McpToolCall,
  timeout: number,
): ReturnType<Client["callTool"]> {
  const params = { name: tool.name, arguments: { ...args }, _meta: { "orrery/idempotency-key": key } };
  const toolDefinition = { ...tool, outputSchema: undefined };
  try {
    return await client.callTool(params, { signal, timeout, toolDefinition });
  } catch (cause) {
    const reason = isTimeout(cause) ? createMessage("mcpServer.timedOut") : transport.failureReason;
    throw reason === undefined ? cause : new Failure("tool_failed", reason, { cause });
  }
}

async function listTools(
  client: Client,
  options: { signal: AbortSignal; timeout: number },
): Promise<readonly ListedMcpTool[]> {
  const tools: ListedMcpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, options);
    tools.push(...answer.tools);
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) break;
    cursor = answer.nextCursor;
  }
  return tools.slice(0, MAX_TOOLS).filter(({ inputSchema }) => JSON.stringify(inputSchema).length <= MAX_SCHEMA_CHARS);
}

function selectTools(tools: readonly ListedMcpTool[], only: readonly string[] | undefined): readonly ListedMcpTool[] {
  if (only === undefined) return tools;
  const missing = only.filter((name) => !tools.some((tool) => tool.name === name));
  if (missing.length === 0) return tools.filter(({ name }) => only.includes(name));
  const available = tools.map(({ name }) => name);
  throw createFault("unprocessable", createMessage("mcpServer.toolsMissing", { missing, available }), {
    field: "tools",
  });
}

/**
 * Creates the endpoint. Throws a `Failure` (`tool_failed`) for a missing binding and a `Fault` for a forbidden address
 * or invalid headers.
 */
function resolveEndpoint(server: McpServer, env: ToolboxContext["env"], settings: Settings): McpEndpoint {
  const maxBytes = settings.AGENT_MAX_BYTES;
  if ("binding" in server) {
    const fetcher = env[server.binding];
    if (!isFetcher(fetcher))
      throw new Failure("tool_failed", createMessage("mcpServer.bindingMissing", { binding: server.binding }));
    return { fetcher, url: "https://mcp.server/mcp", headers: {}, maxBytes };
  }
  const { url, headers = {} } = server;
  const objection = findUrlProblem(new URL(url), { allowPrivate: settings.ALLOW_PRIVATE_AGENTS });
  if (objection !== undefined)
    throw createFault("invalid_request", createMessage("mcpServer.urlNotAllowed", { problem: objection }), {
      field: "mcp.url",
    });
  if (!areValidHeaders(headers))
    throw createFault("invalid_request", "mcpServer.invalidHeaders", { field: "mcp.headers" });
  return { fetcher: createRedactingFetcher(headers), url, headers, maxBytes };
}

const SECRET_HEADER = /auth|key|token|secret|cookie/i;

/**
 * Creates a fetcher that redacts the secret header values in answers, so that they reach neither a model nor a log.
 */
function createRedactingFetcher(headers: Readonly<Record<string, string>>): McpFetcher {
  const secrets = Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? [value.replace(/^(?:bearer|basic|token) +/i, "")] : [],
  );
  return { fetch: async (url, init) => secrets.reduce(redactSecret, await fetch(url, init)) };
}

function areValidHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers;
  } catch {
    return false;
  }
}

function isFetcher(value: unknown): value is McpFetcher {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "REQUEST_TIMEOUT";
}
