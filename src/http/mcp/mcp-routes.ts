// The MCP interface over HTTP (Streamable HTTP transport): one POST per message or batch, and its response.
//
// Per request, the order is: check the origin, authenticate, parse the body, check the headers, run the method. If the
// client disconnects, the signal of the call aborts; the work of a thread continues. The only state between two requests
// is the thread of a running call (`call-cancellation.ts`). `initialize` creates the id of a session, which has no other
// purpose and is not stored.

import { Hono, type Context } from "hono";
import { formatEnglish } from "../../language/messages.ts";
import { FAULT_STATUS, toFault, type FaultCode } from "../../protocol/wire/fault.ts";
import { getSettings } from "../../settings.ts";
import { getCommandSizeLimit, readJsonBody } from "../request-body.ts";
import { authenticate } from "../authenticate.ts";
import { respondWithKeepalive } from "../keepalive-json.ts";
import { checkOrigin } from "../check-origin.ts";
import type { HonoEnv } from "../api/http-route.ts";
import { acceptsEventStream } from "../sse.ts";
import { createOperations, type Operations } from "../api/operations.ts";
import { cancelCall, createCallRecord, getCallSession, SESSION_HEADER, type CallSession } from "./call-cancellation.ts";
import { checkHeaders, checkVersion } from "./mcp-headers.ts";
import {
  RPC_CODES,
  createErrorBody,
  parseMcpMessage,
  RpcError,
  type McpId,
  type McpMessage,
  type McpRequest,
} from "./mcp-message.ts";
import { canElicit, runMethod } from "./mcp-methods.ts";
import { streamMcpResponse } from "./mcp-stream.ts";
import { isLongRunning, type McpCallContext } from "./mcp-tools.ts";
import { challengeRefusal } from "./protected-resource.ts";

/** Maximum messages of a batch. Only version 2025-03-26 and earlier have batches. */
const MAX_BATCH_MESSAGES = 16;

/** Registers the interface at /mcp. Methods other than POST are answered with 405; errors have the form of JSON-RPC. */
export function mountMcp(app: Hono<HonoEnv>): void {
  const mcp = new Hono<HonoEnv>();
  mcp.use(challengeRefusal);
  mcp.post("/", handlePost);
  mcp.all("/", () => {
    const body = createErrorBody(null, RPC_CODES.refused, formatEnglish("mcp.postRequired"));
    return Response.json(body, { status: 405, headers: { allow: "POST" } });
  });
  mcp.onError((thrown) => toMcpErrorResponse(thrown));
  app.route("/mcp", mcp);
}

/** Handles a POST. Notifications and responses are acknowledged with 202. */
async function handlePost({ req, env }: Context<HonoEnv>): Promise<Response> {
  const request = req.raw;
  const settings = getSettings(env);
  checkOrigin(request, settings);
  const { userId, expiresAt } = await authenticate(request, settings);
  const operations = createOperations({ env, settings, userId, expiresAt });
  const client: McpClient = { operations, calls: getCallSession(env, operations, request.headers) };
  const body = await readJsonBody(request, getCommandSizeLimit(settings)).catch((thrown: unknown) => {
    const fault = toFault(thrown);
    if (fault.code !== "invalid_request") throw fault;
    throw new RpcError(RPC_CODES.parse, fault.message, { status: 400 });
  });
  if (Array.isArray(body)) return handleBatch(body, client, request.headers);
  const message = parseMcpMessage(body);
  switch (message.kind) {
    case "cancelled":
      checkVersion(request.headers);
      if (client.calls !== null) await cancelCall(client.calls, message.params);
      return new Response(null, { status: 202 });
    case "other":
      checkVersion(request.headers);
      return new Response(null, { status: 202 });
    case "malformed":
      return Response.json(createErrorBody(message.id, message.code, message.reason), { status: 400 });
    case "request":
      return handleSingle(message.request, client, request);
  }
}

/** The user of a request, and the session of the client; null if it has none. */
type McpClient = { readonly operations: Operations; readonly calls: CallSession | null };

/**
 * Runs one request. A long call is streamed if the client accepts it; otherwise white space keeps the connection open.
 */
async function handleSingle(message: McpRequest, client: McpClient, request: globalThis.Request): Promise<Response> {
  try {
    checkHeaders(message, request.headers);
    if (acceptsEventStream(request) && message.method === "tools/call" && isLongRunning(message.params["name"])) {
      return streamMcpResponse(
        (reportProgress, signal) => answerRequest(message, client, signal, reportProgress),
        message,
      );
    }
    const abortController = new AbortController();
    const response = runRequest(message, client, abortController.signal).then((result) => ({
      jsonrpc: "2.0",
      id: message.id,
      result,
    }));
    // Awaited inside `try`, so that a failure within the first interval becomes an error response with its status.
    const answer = await respondWithKeepalive(response, {
      onDisconnect: () => abortController.abort(),
      encodeError: (thrown) => toMcpErrorBody(message.id, thrown),
    });
    if (message.method === "initialize") answer.headers.set(SESSION_HEADER, crypto.randomUUID());
    return answer;
  } catch (thrown) {
    return toMcpErrorResponse(thrown, message.id);
  }
}

/** Runs the messages of a batch concurrently. The response contains their results in the order of the requests. */
async function handleBatch(values: readonly unknown[], client: McpClient, headers: Headers): Promise<Response> {
  checkVersion(headers);
  if (values.length === 0 || values.length > MAX_BATCH_MESSAGES) {
    throw new RpcError(RPC_CODES.request, formatEnglish("mcp.batchSize", { max: MAX_BATCH_MESSAGES }), { status: 400 });
  }
  const parsed = values.map(parseMcpMessage);
  for (const message of parsed)
    if (message.kind === "cancelled" && client.calls !== null) await cancelCall(client.calls, message.params);
  const messages = parsed.filter((message) => message.kind === "request" || message.kind === "malformed");
  if (messages.length === 0) return new Response(null, { status: 202 });
  const abortController = new AbortController();
  const responses = Promise.all(messages.map((message) => answerBatchMessage(message, client, abortController.signal)));
  return respondWithKeepalive(responses, {
    onDisconnect: () => abortController.abort(),
    encodeError: (thrown) => toMcpErrorBody(null, thrown),
  });
}

/** A message that requires a response. */
type AnswerableMessage = Extract<McpMessage, { kind: "request" | "malformed" }>;

/** Runs one message of a batch. Never rejects. */
async function answerBatchMessage(message: AnswerableMessage, client: McpClient, signal: AbortSignal): Promise<object> {
  switch (message.kind) {
    case "malformed":
      return createErrorBody(message.id, message.code, message.reason);
    case "request": {
      const { request } = message;
      if (request.version !== undefined)
        return createErrorBody(request.id, RPC_CODES.request, formatEnglish("mcp.noBatches"));
      return answerRequest(request, client, signal);
    }
  }
}

/** Runs a request and returns its response or error response. Never rejects. */
async function answerRequest(
  request: McpRequest,
  client: McpClient,
  signal: AbortSignal,
  reportProgress?: McpCallContext["reportProgress"],
): Promise<object> {
  try {
    return { jsonrpc: "2.0", id: request.id, result: await runRequest(request, client, signal, reportProgress) };
  } catch (thrown) {
    return toMcpErrorBody(request.id, thrown);
  }
}

/** Runs a request and returns its result. Its thread can be cancelled meanwhile. */
async function runRequest(
  request: McpRequest,
  { operations, calls }: McpClient,
  signal: AbortSignal,
  reportProgress: McpCallContext["reportProgress"] = () => undefined,
): Promise<object> {
  const record = calls === null ? null : createCallRecord(calls, request.id);
  const { requestState: state, inputResponses: responses } = request.params;
  const hasAnswers = request.version !== undefined && state !== undefined;
  try {
    return await runMethod(request, {
      operations,
      signal,
      recordThread: async (thread) => record?.add(thread),
      reportProgress,
      canElicit: canElicit(request),
      answers: hasAnswers ? { state, responses } : null,
    });
  } finally {
    if (!signal.aborted) await record?.remove();
  }
}

/** Converts a thrown value to an error response. */
function toMcpErrorBody(id: McpId | null, thrown: unknown): object {
  const { code, message, data } = toMcpError(thrown);
  return createErrorBody(id, code, message, data);
}

/** Converts a thrown value to an HTTP response with an error of JSON-RPC. */
function toMcpErrorResponse(thrown: unknown, id: McpId | null = null): Response {
  const { code, message, data, status } = toMcpError(thrown);
  const headers = new Headers({ "content-type": "application/json" });
  const retryAfter = toFault(thrown).detail.retry_after;
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  return new Response(JSON.stringify(createErrorBody(id, code, message, data)), { status, headers });
}

/** Converts a thrown value to an error of JSON-RPC. The code of a fault is in `data.code`. */
function toMcpError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  const fault = toFault(thrown);
  if (fault.code === "internal") console.error("A request failed", fault.cause ?? thrown);
  const data = { code: fault.code };
  return new RpcError(toRpcCode(fault.code), fault.message, { status: FAULT_STATUS[fault.code], data });
}

function toRpcCode(code: FaultCode): number {
  if (code === "internal") return RPC_CODES.internal;
  return code === "invalid_request" ? RPC_CODES.params : RPC_CODES.refused;
}
