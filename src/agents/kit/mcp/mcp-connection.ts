// The connection to an MCP server: the negotiation of the version, the list of tools, and calls.
//
// A connection owns one session at a time. A server may forget a session; the next attempt of the call then opens
// another one. Each step is limited, so that a silent server ends in a reason before its agent counts as silent.

import { Client, ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { createMessage, type Message } from "../../../language/messages.ts";
import { toSingleLine } from "../../../lib/single-line.ts";
import { raceAbort } from "../../../lib/with-timeout.ts";
import { Failure } from "../../../protocol/wire/message-error.ts";
import { readToolList, toolPageSchema, type McpToolList } from "./mcp-tool-list.ts";
import type { McpToolCall } from "./mcp-tool.ts";
import { McpTransport, type McpEndpoint } from "./mcp-transport.ts";

const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
/** Maximum time in ms of the handshake and the list of tools together. */
const MAX_OPEN_MS = 12_000;
/** The shares of the silence timeout of an agent that opening and one attempt of a call may take. */
const SILENCE_SHARES = { open: 0.9, attempt: 0.3 };
/** The maximum length of an error in the server's own words. */
const MAX_REASON_CHARS = 500;

/** An open connection. `list` is called at most once. */
export type McpConnection = {
  list(): Promise<McpToolList>;
  readonly call: (called: McpToolCall) => ReturnType<Client["callTool"]>;
  readonly close: () => void;
};

type McpSession = { readonly client: Client; readonly transport: McpTransport; readonly close: () => void };

/**
 * Connects to the server and negotiates the protocol version. `list` and this function throw a `Failure`
 * (`tool_failed`) with the reason if the server cannot be used; they share one time limit. The connection closes when
 * the signal aborts.
 */
export async function connectToServer(
  endpoint: McpEndpoint,
  signal: AbortSignal,
  silenceSeconds: number,
): Promise<McpConnection> {
  const attemptMs = Math.ceil(silenceSeconds * 1_000 * SILENCE_SHARES.attempt);
  const openMs = Math.min(MAX_OPEN_MS, silenceSeconds * 1_000 * SILENCE_SHARES.open);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(openMs)]);
  let session = await openSession(endpoint, signal, deadline);
  return {
    list: () =>
      readToolList((cursor) => {
        const params = cursor === undefined ? {} : { cursor };
        const request = session.client.request({ method: "tools/list", params }, toolPageSchema, { signal: deadline });
        return withReason(session.transport, signal, deadline, request);
      }),
    async call(called) {
      if (session.transport.hasExpired) {
        session.close();
        const limit = AbortSignal.any([called.signal, AbortSignal.timeout(attemptMs)]);
        session = await openSession(endpoint, signal, limit);
      }
      return callTool(session, called, attemptMs);
    },
    close: () => session.close(),
  };
}

/** Opens a session until `deadline`. It closes when `signal` aborts. */
async function openSession(endpoint: McpEndpoint, signal: AbortSignal, deadline: AbortSignal): Promise<McpSession> {
  const transport = new McpTransport(endpoint);
  const client = createClient();
  // Until the versions are negotiated, the client does not have its transport yet.
  const close = () => {
    signal.removeEventListener("abort", close);
    (client.transport === undefined ? transport : client).close().catch(() => undefined);
  };
  signal.addEventListener("abort", close, { once: true });
  try {
    await withReason(transport, signal, deadline, client.connect(transport, { signal: deadline }));
  } catch (thrown) {
    close();
    throw thrown;
  }
  return { client, transport, close };
}

function createClient(): Client {
  return new Client(
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
}

/** Settles like `work`; an error becomes a `Failure` (`tool_failed`) with its reason, or the abort reason of `signal`. */
async function withReason<T>(
  transport: McpTransport,
  signal: AbortSignal,
  deadline: AbortSignal,
  work: Promise<T>,
): Promise<T> {
  try {
    // The client does not end its negotiation when the signal aborts.
    return await raceAbort(deadline, work);
  } catch (cause) {
    signal.throwIfAborted();
    const known = deadline.aborted ? createMessage("mcpServer.timedOut") : findReason(cause, transport);
    const reason = known ?? createMessage("mcpServer.unsupported");
    throw new Failure("tool_failed", createMessage("mcpServer.serverUnusable", { reason }), { cause });
  }
}

/**
 * Calls a tool. Throws a `Failure` (`tool_failed`) if the reason of the failure is known, else the error of the client.
 */
async function callTool(
  { client, transport }: McpSession,
  { tool, arguments: args, key, signal }: McpToolCall,
  timeout: number,
): ReturnType<Client["callTool"]> {
  const params = { name: tool.name, arguments: { ...args }, _meta: { "orrery/idempotency-key": key } };
  const toolDefinition = { ...tool, outputSchema: undefined };
  try {
    return await client.callTool(params, { signal, timeout, toolDefinition });
  } catch (cause) {
    const reason = findReason(cause, transport);
    throw reason === undefined ? cause : new Failure("tool_failed", reason, { cause });
  }
}

/** Returns the reason of a failed request, for people; undefined if it is not known. */
function findReason(thrown: unknown, { failureReason }: McpTransport): Message | undefined {
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
    return createMessage("mcpServer.timedOut");
  if (failureReason !== undefined) return failureReason;
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.InvalidResult)
    return createMessage("mcpServer.invalidResponse");
  if (!(thrown instanceof ProtocolError)) return undefined;
  return createMessage("mcpServer.reportedError", { words: toSingleLine(thrown.message, MAX_REASON_CHARS) });
}
