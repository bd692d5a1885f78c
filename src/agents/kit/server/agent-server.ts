// The HTTP server of an agent: its card, and A2A 1.0 and 0.3 over JSON-RPC. It keeps no state of its own; tasks live
// in `AgentTaskRuns`. Every error of a call becomes a JSON-RPC error with the id of the request.

import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { JsonRpcTransportHandler, ServerCallContext } from "@a2a-js/sdk/server";
import {
  createCardResponse,
  getEndpointUrl,
  detectCardReaderVersion,
  toA2ACard,
  type A2ACard,
} from "../../../a2a/a2a-card.ts";
import { buildExtensionHeaders, detectA2AVersion, type A2AVersion } from "../../../a2a/a2a-version.ts";
import {
  createResponseEncoder,
  createInvalidRequestError,
  createRpcError,
  parseRpcRequest,
  type ParsedRpcRequest,
  type RpcRequest,
  parseNamedParams,
} from "../../../a2a/json-rpc.ts";
import { validateParams } from "../../../a2a/validate-params.ts";
import { batchSingly, createStreamResponse, type StreamHandlers } from "../../../a2a/sse-response.ts";
import { agentCardSchema } from "../../../protocol/agents/agent.ts";
import type { AgentDefinition } from "../agent.ts";
import { createTaskHandler, streamTask, type TaskHandlerContext } from "./task-handler.ts";
import { SendMessageRequest } from "@a2a-js/sdk";

/** Maximum bytes of one request: a query and the results of the tasks before it. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** The dependencies that the entrypoint passes for each request. */
export type AgentServerDeps = Pick<TaskHandlerContext, "runs" | "context" | "waitUntil">;

/**
 * Handles one HTTP request to an agent, which may be mounted under any prefix. GET and HEAD return the card if the path
 * ends with `/.well-known/agent-card.json`, else 404. POST, at any path, is a JSON-RPC call: an error of the call is a
 * JSON-RPC error with status 200, and `SendStreamingMessage` returns an event stream. Other methods get 405.
 */
export async function handleAgentRequest(
  agent: AgentDefinition,
  request: Request,
  deps: AgentServerDeps,
): Promise<Response> {
  if (request.method === "GET" || request.method === "HEAD")
    return respondWithCard(createA2ACard(agent, request), request);
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST" } });
  let id: RpcRequest["id"] = null;
  try {
    const rpc = await readRpcRequest(request);
    id = rpc.id;
    if ("error" in rpc) throw rpc.error;
    validateParams(rpc.method, rpc.params);
    const dialect = detectA2AVersion(request, rpc.method);
    const disconnected = new AbortController();
    const ctx = { ...deps, agent, a2aCard: () => createA2ACard(agent, request), disconnectSignal: disconnected.signal };
    const headers = buildExtensionHeaders(request);
    const onDisconnect = () => disconnected.abort(new Error("The reader has gone."));
    const streamOptions = { onDisconnect, encodeError: (thrown: unknown) => createRpcError(thrown, id) };
    // The SDK's handler would pass the events on one by one, and each costs several promises.
    if (rpc.method === "SendStreamingMessage")
      return await createStreamResponse(
        streamTask(ctx, parseMessageParams(rpc.params)),
        { ...streamOptions, encodeEvent: createResponseEncoder(id) },
        headers,
      );
    return await handleSdkCall(ctx, rpc, dialect, streamOptions, headers);
  } catch (thrown) {
    return Response.json(createRpcError(thrown, id));
  }
}

/** Handles a call with the handler of the SDK for its version. */
async function handleSdkCall(
  ctx: TaskHandlerContext,
  rpc: RpcRequest,
  dialect: A2AVersion,
  streamOptions: Omit<StreamHandlers<unknown>, "encodeEvent">,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const SdkHandler = dialect === "0.3" ? LegacyJsonRpcTransportHandler : JsonRpcTransportHandler;
  const sdk = new SdkHandler(createTaskHandler(ctx));
  const response = await sdk.handle({ ...rpc }, new ServerCallContext({ requestedVersion: dialect }));
  if (Symbol.asyncIterator in response)
    return createStreamResponse(batchSingly(response), { ...streamOptions, encodeEvent: (item) => item }, headers);
  return Response.json(response, { headers });
}

async function respondWithCard(card: A2ACard, request: Request): Promise<Response> {
  if (!new URL(request.url).pathname.endsWith("/.well-known/agent-card.json"))
    return new Response(null, { status: 404 });
  return createCardResponse(card, request, "public, max-age=300");
}

function createA2ACard(agent: AgentDefinition, request: Request): A2ACard {
  return toA2ACard(
    agentCardSchema.parse(agent.card),
    getEndpointUrl(request.url),
    {},
    detectCardReaderVersion(request),
  );
}

/**
 * Reads the body and parses the JSON-RPC request. Without a usable `content-length` it counts the bytes while
 * reading. Throws if the body exceeds `MAX_REQUEST_BYTES`.
 */
async function readRpcRequest(request: Request): Promise<ParsedRpcRequest> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) <= MAX_REQUEST_BYTES) return parseRpcRequest(await request.text());
  const utf8 = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as Iterable<Uint8Array> | ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > MAX_REQUEST_BYTES) throw createInvalidRequestError("The request is too large.");
    text += utf8.decode(chunk, { stream: true });
  }
  return parseRpcRequest(text + utf8.decode());
}

/**
 * Parses the parameters of `SendStreamingMessage`. Throws `RequestMalformedError` if they are not an object. The message
 * in them may be missing or incomplete.
 */
function parseMessageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(parseNamedParams(params));
}
