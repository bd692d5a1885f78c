// The tools of an MCP server as a toolbox. The connection is opened for each run and closed with it.

import { findAddressProblem, type HostResolver } from "../../../lib/urls/address-problem.ts";
import type { McpServer } from "../../../protocol/agents/app-config.ts";
import { createMessage } from "../../../language/messages.ts";
import { createFault, Failure } from "../../../protocol/wire/message-error.ts";
import { redactSecret } from "../../../lib/redact-secret.ts";
import { resolveHost } from "../../../resolve-host.ts";
import type { Settings } from "../../../settings.ts";
import { connectToServer } from "./mcp-connection.ts";
import type { McpFetcher, McpEndpoint } from "./mcp-transport.ts";
import { createMcpTool } from "./mcp-tool.ts";
import type { McpToolList } from "./mcp-tool-list.ts";
import type { Toolbox, ToolboxContext } from "../tools/toolbox.ts";

/** Maximum number of available tools that the error of a missing tool names. */
const MAX_NAMED_TOOLS = 50;

type McpToolOptions = {
  /** The names of the tools; all tools of the server if absent. */
  readonly only?: readonly string[] | undefined;
  readonly resolve?: HostResolver;
};

/**
 * Returns a toolbox with the tools of the MCP server behind a service binding `MCP_…` or at a URL; with `only`, just
 * these. Its notes tell which tools cannot be used, except with `only`. `open` connects. It rejects with a `Failure` (`tool_failed`) if the server cannot be used, and
 * with a `Fault` for a forbidden address or header (`invalid_request`) or a missing tool (`unprocessable`). Tools with
 * `destructiveHint` ask for approval; those with `readOnlyHint` may run in a read-only request.
 */
export function mcpTools(server: McpServer, { only, resolve = resolveHost }: McpToolOptions = {}): Toolbox {
  return {
    async open({ env, signal, settings: getSettings }) {
      const settings = getSettings();
      const endpoint = await resolveEndpoint(server, env, settings, resolve);
      const connection = await connectToServer(endpoint, signal, settings.AGENT_IDLE_SECONDS);
      try {
        const { tools, notes } = selectTools(await connection.list(), only);
        return {
          tools: tools.map((each) => createMcpTool(each, connection.call)),
          notes,
          close: connection.close,
        };
      } catch (thrown) {
        connection.close();
        throw thrown;
      }
    },
  };
}

function selectTools(list: McpToolList, only: readonly string[] | undefined): McpToolList {
  if (only === undefined) return list;
  const { tools } = list;
  const missing = only.filter((name) => !tools.some((tool) => tool.name === name));
  if (missing.length === 0) return { tools: tools.filter(({ name }) => only.includes(name)), notes: [] };
  const available = tools.slice(0, MAX_NAMED_TOOLS).map(({ name }) => name);
  throw createFault("unprocessable", createMessage("mcpServer.toolsMissing", { missing, available }), {
    field: "tools",
  });
}

/**
 * Creates the endpoint. Throws a `Failure` (`tool_failed`) for a missing binding and a `Fault` for a forbidden address
 * or invalid headers.
 */
async function resolveEndpoint(
  server: McpServer,
  env: ToolboxContext["env"],
  settings: Settings,
  resolve: HostResolver,
): Promise<McpEndpoint> {
  const maxBytes = settings.AGENT_MAX_BYTES;
  if ("binding" in server) {
    const fetcher = env[server.binding];
    if (!isFetcher(fetcher))
      throw new Failure("tool_failed", createMessage("mcpServer.bindingMissing", { binding: server.binding }));
    return { fetcher, url: "https://mcp.server/mcp", headers: {}, maxBytes };
  }
  const { url, headers = {} } = server;
  const allowPrivate = settings.ALLOW_PRIVATE_AGENTS;
  const objection = await findAddressProblem(new URL(url), { allowPrivate, resolveHost: resolve });
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
