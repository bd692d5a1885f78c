// The HTTP server of an agent: its card, and A2A 1.0 and 0.3 over JSON-RPC. It keeps no state of its own; tasks live
// in `AgentTaskRuns`. Every error of a call becomes a JSON-RPC error with the id of the request.

import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { ServerCallContext } from "@a2a-js/sdk/server";
import {
  createCardResponse,
  getEndpointUrl,
  detectCardReaderVersion,
  toA2ACard,
  type A2ACard,
} from "../../../a2a/a2a-card.ts";
import { buildExtensionHeaders, detectA2AVersion } from "../../../a2a/a2a-version.ts";
import {
  createResponseEncoder,
  createInvalidRequestError,
  createRpcError,
  parseRpcRequest,
  createRpcResult,
  type ParsedRpcRequest,
  type RpcRequest,
  parseNamedParams,
  createUnknownMethodError,
} from "../../../a2a/json-rpc.ts";
import { validateParams } from "../../../a2a/validate-params.ts";
import { batchSingly, createStreamResponse, type StreamHandlers } from "../../../a2a/sse-response.ts";
import { agentCardSchema } from "../../../protocol/agents/agent.ts";
import type { AgentDefinition } from "../agent.ts";
import {
  createTaskHandler,
  streamTask,
  type TaskHandlerContext,
  cancelTask,
  getRun,
  rejectPushNotifications,
  rejectUnsupported,
  sendMessage,
  throwNotSubscribable,
} from "./task-handler.ts";
import { CancelTaskRequest, GetTaskRequest, SendMessageRequest, Task } from "@a2a-js/sdk";

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
    // We do not use the SDK's handler here: it passes events on one by one, and each costs several promises.
    if (rpc.method === "SendStreamingMessage")
      return await createStreamResponse(
        streamTask(ctx, parseMessageParams(rpc.params)),
        { ...streamOptions, encodeEvent: createResponseEncoder(id) },
        headers,
      );
    if (dialect === "0.3") return await handleLegacyCall(ctx, rpc, streamOptions, headers);
    return Response.json(createRpcResult(id, await callUnaryMethod(ctx, rpc.method, rpc.params)), { headers });
  } catch (thrown) {
    return Response.json(createRpcError(thrown, id));
  }
}

/** Handles an A2A 0.3 call. The SDK translates it to the 1.0 methods of the task handler. */
async function handleLegacyCall(
  ctx: TaskHandlerContext,
  rpc: RpcRequest,
  streamOptions: Omit<StreamHandlers<unknown>, "encodeEvent">,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const transport = new LegacyJsonRpcTransportHandler(createTaskHandler(ctx));
  const response = await transport.handle({ ...rpc }, new ServerCallContext({ requestedVersion: "0.3" }));
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
 * Calls a method and returns its result as JSON. Rejects with an A2A error of the SDK if the method fails, is unknown
 * or is not offered by agents of the kit, or if `params` are not an object.
 */
async function callUnaryMethod(ctx: TaskHandlerContext, method: string, params: unknown): Promise<unknown> {
  switch (method) {
    case "SendMessage":
      return { task: Task.toJSON(await sendMessage(ctx, parseMessageParams(params))) };
    case "GetTask":
      return Task.toJSON(getRun(ctx.runs, GetTaskRequest.fromJSON(parseNamedParams(params)).id).snapshot());
    case "CancelTask":
      return Task.toJSON(cancelTask(ctx, CancelTaskRequest.fromJSON(parseNamedParams(params))));
    case "SubscribeToTask":
      return throwNotSubscribable();
    case "ListTasks":
    case "GetExtendedAgentCard":
      return rejectUnsupported();
    case "CreateTaskPushNotificationConfig":
    case "GetTaskPushNotificationConfig":
    case "ListTaskPushNotificationConfigs":
    case "DeleteTaskPushNotificationConfig":
      return rejectPushNotifications();
    default:
      throw createUnknownMethodError();
  }
}

/**
 * Parses the parameters of `SendMessage` and `SendStreamingMessage`. Throws `RequestMalformedError` if they are not an
 * object. The message in them may be missing or incomplete.
 */
export function parseMessageParams(params: unknown): SendMessageRequest {
  return SendMessageRequest.fromJSON(parseNamedParams(params));
}
