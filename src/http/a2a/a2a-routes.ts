// The HTTP routes of A2A: `/a2a` is the runtime, `/a2a/:agent` is one of its agents. Each path is registered with and
// without a trailing slash.
//
// Order of the checks of a JSON-RPC request: identity, media type, body size and JSON, version, agent, shape of the
// parameters, method. The first failed check determines the response. The id of the request is echoed as soon as it is
// known.

import { AGENT_CARD_PATH } from "@a2a-js/sdk";
import { A2A_ERROR_CODE, ContentTypeNotSupportedError, JsonRpcRequestMalformedError } from "@a2a-js/sdk/errors";
import type { Context, Hono } from "hono";
import { createCardResponse, detectCardReaderVersion } from "../../a2a/a2a-card.ts";
import { buildExtensionHeaders, detectA2AVersion } from "../../a2a/a2a-version.ts";
import {
  createResponseEncoder,
  createInvalidRequestError,
  createRpcError,
  parseRpcRequest,
  createRpcResult,
  type RpcRequest,
} from "../../a2a/json-rpc.ts";
import { validateParams } from "../../a2a/validate-params.ts";
import { batchSingly, createStreamResponse } from "../../a2a/sse-response.ts";
import type { Agent } from "../../protocol/agents/agent.ts";
import { formatEnglish } from "../../language/messages.ts";
import { Fault, parseNamedValue } from "../../protocol/wire/fault.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { getSettings, type Settings } from "../../settings.ts";
import { createMissingAgentFault, getEnabledAgent } from "../api/agents.ts";
import { getCommandSizeLimit, hasJsonContentType, readTextBody } from "../request-body.ts";
import { getAuthMode, authenticate } from "../authenticate.ts";
import { refuseOtherMethods, type HonoEnv } from "../api/http-route.ts";
import { respondWithKeepalive } from "../keepalive-json.ts";
import { HEARTBEAT_MS } from "../sse.ts";
import { createOperations } from "../api/operations.ts";
import { buildAgentCard } from "./agent-cards.ts";
import type { A2ARequestContext } from "./a2a-request-context.ts";
import { A2ASystemError, toA2AError } from "./a2a-errors.ts";
import { createLegacyHandler, rejectFileParts, runMethod, openMethodStream } from "./a2a-methods.ts";
import { Failure } from "../../protocol/wire/message-error.ts";

/** Registers the cards and the JSON-RPC endpoints. Other HTTP methods of these paths are answered with 405. */
export function mountA2A(app: Hono<HonoEnv>): void {
  for (const path of [`/${AGENT_CARD_PATH}`, `/a2a/${AGENT_CARD_PATH}`, `/a2a/:agent/${AGENT_CARD_PATH}`]) {
    for (const form of [path, `${path}/`]) {
      app.get(form, handleCardRequest);
      refuseOtherMethods(app, form, ["GET"]);
    }
  }
  for (const path of ["/a2a", "/a2a/", "/a2a/:agent", "/a2a/:agent/"]) {
    app.post(path, handleRpcRequest);
    refuseOtherMethods(app, path, ["POST"], "a2a.methodNotAllowed");
  }
}

type A2AHttpContext = Context<HonoEnv>;

/** Responds with a card. The card of an agent is cached per user if the request is authenticated. */
async function handleCardRequest(context: A2AHttpContext): Promise<Response> {
  const request = context.req.raw;
  const settings = getSettings(context.env);
  const isPersonal = request.headers.has("authorization") && getAuthMode(settings) !== "local";
  const name = context.req.param("agent");
  const agent = name === undefined ? null : await getVisibleAgent(context, settings, name);
  const { origin } = new URL(request.url);
  const cache = isPersonal && agent !== null ? "private, max-age=300" : "public, max-age=300";
  const card = buildAgentCard(agent, `${origin}${getAgentPath(name)}`, settings, detectCardReaderVersion(request));
  return createCardResponse(card, request, cache);
}

/** Returns the endpoint path of an agent, or of the runtime if `name` is undefined. */
function getAgentPath(name: string | undefined): string {
  return name === undefined ? "/a2a" : `/a2a/${encodeURIComponent(name)}`;
}

/**
 * Returns an enabled agent. Agents of the deployment are public; a user's own agents are visible to this user only
 * (U1).
 */
async function getVisibleAgent({ req, env }: A2AHttpContext, settings: Settings, name: string): Promise<Agent> {
  const isAnonymous = getAuthMode(settings) !== "local" && !req.raw.headers.has("authorization");
  const userId = isAnonymous ? "" : (await authenticate(req.raw, settings)).userId;
  const agent = await getEnabledAgent({ env, settings, userId, expiresAt: null }, name);
  if (isAnonymous && agent.source !== "binding") throw createMissingAgentFault();
  return agent;
}

/**
 * Handles one JSON-RPC request. Rejects only if the caller is not authenticated; the error handler of the app then
 * responds with 401.
 */
async function handleRpcRequest(context: A2AHttpContext): Promise<Response> {
  const request = context.req.raw;
  let id: RpcRequest["id"] = null;
  try {
    const settings = getSettings(context.env);
    const { userId, expiresAt } = await authenticate(request, settings);
    if (!hasJsonContentType(request))
      return toErrorResponse(new ContentTypeNotSupportedError(formatEnglish("http.jsonRequired")), null, 415);
    const rpc = parseRpcRequest(await readTextBody(request, getCommandSizeLimit(settings)));
    id = rpc.id;
    if ("error" in rpc) throw rpc.error;
    const dialect = detectA2AVersion(request, rpc.method);
    const operations = createOperations({ env: context.env, settings, userId, expiresAt });
    const name = context.req.param("agent");
    const agent = name === undefined ? null : await operations.getEnabledAgent(name).catch(rethrowAsMissingAgent);
    validateParams(rpc.method, rpc.params);
    const headers = buildExtensionHeaders(request);
    const disconnect = new AbortController();
    const url = `${new URL(request.url).origin}${getAgentPath(name)}`;
    const usesExtension = Object.keys(headers).length > 0;
    const a2aContext = {
      operations,
      settings,
      agent,
      dialect,
      usesExtension,
      disconnectSignal: disconnect.signal,
      expiresAt,
      url,
    };
    return await (dialect === "1.0"
      ? runRpc(a2aContext, rpc, headers, disconnect)
      : runLegacyRpc(a2aContext, rpc, headers, disconnect));
  } catch (thrown) {
    return toErrorResponse(thrown, id);
  }
}

type A2AResponseHeaders = Readonly<Record<string, string>>;

/** Runs a method of 1.0 and responds with JSON or with an event stream. */
async function runRpc(
  context: A2ARequestContext,
  { id, method, params }: RpcRequest,
  headers: A2AResponseHeaders,
  disconnect: AbortController,
) {
  const portions = openMethodStream(context, method, params);
  if (portions === undefined) {
    const answered = runMethod(context, method, params).then((result) => createRpcResult(id, result));
    return respondWithKeepalive(answered, { headers, ...createStreamOptions(id, disconnect) });
  }
  return createStreamResponse(
    portions,
    { encodeEvent: createResponseEncoder(id), ...createStreamOptions(id, disconnect) },
    headers,
  );
}

/** Runs a method of 0.3 through the SDK. */
async function runLegacyRpc(
  context: A2ARequestContext,
  rpc: RpcRequest,
  headers: A2AResponseHeaders,
  disconnect: AbortController,
): Promise<Response> {
  // Check the nesting first: the SDK is recursive.
  parseNamedValue("params", jsonValueSchema, rpc.params ?? {});
  if (rpc.method === "message/send" || rpc.method === "message/stream") rejectFileParts(rpc.params);
  // Loaded with the first request of 0.3: most clients speak 1.0.
  const [{ LegacyJsonRpcTransportHandler }, { ServerCallContext }] = await Promise.all([
    import("@a2a-js/sdk/compat/v0_3/server"),
    import("@a2a-js/sdk/server"),
  ]);
  const wire = new LegacyJsonRpcTransportHandler(createLegacyHandler(context));
  const handled = wire.handle({ ...rpc }, new ServerCallContext({ requestedVersion: "0.3" }));
  const isStreamed = rpc.method === "message/stream" || rpc.method === "tasks/resubscribe";
  if (!isStreamed) return respondWithKeepalive(handled, { headers, ...createStreamOptions(rpc.id, disconnect) });
  const answered = await handled;
  if (!(Symbol.asyncIterator in answered)) return Response.json(answered, { headers });
  return createStreamResponse(
    batchSingly(answered),
    { encodeEvent: markQuestionFinal, ...createStreamOptions(rpc.id, disconnect) },
    headers,
  );
}

/**
 * Marks a status update that asks a question as the last event of its stream, as 0.3 requires. The SDK marks only ended
 * tasks.
 */
function markQuestionFinal<T>(sent: T): T {
  const { result } = sent as { result?: { kind?: string; status?: { state?: string } } };
  if (result?.kind !== "status-update" || result.status?.state !== "input-required") return sent;
  return { ...sent, result: { ...result, final: true } };
}

/** Returns the response options of one request. `onDisconnect` is called when the client disconnects. */
function createStreamOptions(id: RpcRequest["id"], disconnect: AbortController) {
  const onDisconnect = () => disconnect.abort(new Error("The client disconnected."));
  const encodeError = (thrown: unknown) => createRpcError(toA2AError(thrown), id);
  return { onDisconnect, encodeError, heartbeatMs: HEARTBEAT_MS };
}

/** Rethrows not-found faults as failures of the agent, so that they respond with HTTP 404. */
function rethrowAsMissingAgent(thrown: unknown): never {
  if (thrown instanceof Fault && thrown.code === "not_found") throw new Failure("agent_unreachable", thrown.message);
  throw thrown;
}

/**
 * Returns the error response. A2A errors have HTTP status 200 like results; `usual` replaces it. Missing agents and
 * system errors have their own HTTP status. Rethrows unauthorized faults.
 */
function toErrorResponse(thrown: unknown, id: RpcRequest["id"], usual = 200): Response {
  if (thrown instanceof Fault && thrown.code === "unauthorized") throw thrown;
  if (thrown instanceof Failure) {
    const { message } = thrown;
    const error = new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND });
    return Response.json(createRpcError(error, id), { status: 404 });
  }
  const isTooLarge = thrown instanceof Fault && thrown.code === "too_large" && id === null;
  const error = isTooLarge ? createInvalidRequestError(formatEnglish("a2a.requestTooLarge")) : toA2AError(thrown);
  const status = error instanceof A2ASystemError && error.status !== 500 ? error.status : usual;
  const retryAfter = error instanceof A2ASystemError ? error.retryAfter : undefined;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return Response.json(createRpcError(error, id), { status, headers });
}
