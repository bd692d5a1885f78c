// The tools of an MCP server as a toolbox. The connection is opened for each run and closed with it.

import { Client } from "@modelcontextprotocol/client";
import { objectionTo } from "../../protocol/address.ts";
import type { McpServer } from "../../protocol/app.ts";
import { Fault } from "../../protocol/fault.ts";
import { redacted } from "../../protocol/redact.ts";
import type { Settings } from "../../settings.ts";
import { RunFailed } from "./failure.ts";
import { McpTransport, type Caller, type Place } from "./mcp-transport.ts";
import { namedApart, toolOf, type Called, type Listed } from "./mcp-tool.ts";
import type { Toolbox, Within } from "./toolbox.ts";

const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
/** Maximum time of the handshake and of each page of the tool list. */
const LIST_MS = 10_000;
const MAX_TOOLS = 200;
const MAX_PAGES = 20;
/** Maximum characters of a tool's input schema as JSON. Tools with a larger schema are left out. */
const MAX_SCHEMA_CHARS = 65_536;

/**
 * Returns a toolbox with the tools of the MCP server behind a service binding `MCP_…` or at a URL; with `only`, just
 * these tools. Opening it fails the run if the server cannot be reached or has no tool of such a name. Tools with
 * `destructiveHint` ask for approval; tools with `readOnlyHint` may run in a read-only request.
 */
export function mcpTools(server: McpServer, { only }: { readonly only?: readonly string[] | undefined } = {}): Toolbox {
  return {
    async open(within) {
      const line = await connect(server, within);
      try {
        const listed = chosen(await line.list(), only);
        return { tools: namedApart(listed.map((each) => toolOf(each, line.call))), close: line.close };
      } catch (thrown) {
        line.close();
        throw thrown;
      }
    },
  };
}

type Line = {
  list(): Promise<readonly Listed[]>;
  readonly call: (called: Called) => ReturnType<Client["callTool"]>;
  readonly close: () => void;
};

/**
 * Connects to the server and negotiates the protocol version. Throws `RunFailed` with the reason if the server cannot
 * be used, and a `Fault` if it must not be called. The connection closes when the signal aborts.
 */
async function connect(server: McpServer, { env, signal, ...within }: Within): Promise<Line> {
  const settings = within.settings();
  const transport = new McpTransport(placeOf(server, env, settings));
  const client = new Client(
    { name: "orrery", version: "1.0.0" },
    {
      supportedProtocolVersions: VERSIONS,
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      // A model reads the results, so they need not match the promised output schema.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  );
  const explained = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      signal.throwIfAborted();
      const why =
        transport.trouble ?? (isTimeout(cause) ? "it did not answer in time" : "it does not speak MCP as we do");
      throw new RunFailed(`The MCP server of this agent cannot be used: ${why}.`, "tool_failed", cause);
    }
  };
  // Until the versions are negotiated, the client does not have its transport yet.
  const close = () => {
    signal.removeEventListener("abort", close);
    (client.transport === undefined ? transport : client).close().catch(() => undefined);
  };
  signal.addEventListener("abort", close, { once: true });
  const options = { signal, timeout: LIST_MS };
  try {
    await explained(client.connect(transport, options));
  } catch (thrown) {
    close();
    throw thrown;
  }
  // All attempts of a silent tool must end before the agent itself counts as silent.
  const timeout = Math.ceil(settings.AGENT_IDLE_SECONDS * 300);
  return {
    list: () => explained(listed(client, options)),
    call: ({ tool, arguments: args, key, signal: during }) =>
      client.callTool(
        { name: tool.name, arguments: { ...args }, _meta: { "orrery/idempotency-key": key } },
        { signal: during, timeout, toolDefinition: { ...tool, outputSchema: undefined } },
      ),
    close,
  };
}

async function listed(client: Client, options: { signal: AbortSignal; timeout: number }): Promise<readonly Listed[]> {
  const tools: Listed[] = [];
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

/** Returns the selected tools. Throws a `Fault` that names all missing tools. */
function chosen(tools: readonly Listed[], only: readonly string[] | undefined): readonly Listed[] {
  if (only === undefined) return tools;
  const missing = only.filter((name) => !tools.some((tool) => tool.name === name));
  if (missing.length === 0) return tools.filter(({ name }) => only.includes(name));
  const known = tools.map(({ name }) => name).join(", ");
  throw new Fault("unprocessable", `The MCP server has no tool ${missing.join(", ")}. It has: ${known}.`, {
    field: "tools",
  });
}

/**
 * Creates the endpoint. Throws `RunFailed` for a missing binding and a `Fault` for a forbidden address or invalid
 * headers.
 */
function placeOf(server: McpServer, env: Within["env"], settings: Settings): Place {
  const maxBytes = settings.AGENT_MAX_BYTES;
  if ("binding" in server) {
    const caller = env[server.binding];
    if (!isCaller(caller)) throw new RunFailed(`This deployment has no binding ${server.binding}.`, "tool_failed");
    return { caller, url: "https://mcp.server/mcp", headers: {}, maxBytes };
  }
  const { url, headers = {} } = server;
  const objection = objectionTo(new URL(url), { allowPrivate: settings.ALLOW_PRIVATE_AGENTS });
  if (objection !== undefined)
    throw new Fault("invalid_request", `The MCP server must not be called: ${objection}`, { field: "mcp.url" });
  if (!areHeaders(headers))
    throw new Fault("invalid_request", "mcp.headers: these are no HTTP headers", { field: "mcp.headers" });
  return { caller: discreet(headers), url, headers, maxBytes };
}

const SECRET = /auth|key|token|secret|cookie/i;

/**
 * Creates a fetcher that redacts the secret header values in answers, so that they reach neither a model nor a log.
 */
function discreet(headers: Readonly<Record<string, string>>): Caller {
  const secrets = Object.entries(headers).flatMap(([name, value]) =>
    SECRET.test(name) ? [value.replace(/^(?:bearer|basic|token) +/i, "")] : [],
  );
  return { fetch: async (url, init) => secrets.reduce(redacted, await fetch(url, init)) };
}

function areHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) instanceof Headers;
  } catch {
    return false;
  }
}

function isCaller(value: unknown): value is Caller {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "REQUEST_TIMEOUT";
}
