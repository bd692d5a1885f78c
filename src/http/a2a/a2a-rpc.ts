// The JSON-RPC binding of A2A.
//
// Order of the checks of a request: identity, media type, body size and JSON, version, agent, shape of the parameters,
// method. The first failed check determines the response. The id of the request is echoed as soon as it is known.

import { A2A_ERROR_CODE, ContentTypeNotSupportedError, JsonRpcRequestMalformedError } from "@a2a-js/sdk/errors";
import { detectA2AVersion } from "../../a2a/a2a-version.ts";
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
import { formatEnglish } from "../../language/messages.ts";
import { Fault, parseNamedValue } from "../../protocol/wire/fault.ts";
import { Failure } from "../../protocol/wire/message-error.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { getSettings } from "../../settings.ts";
import { getCommandSizeLimit, hasJsonContentType, readTextBody } from "../request-body.ts";
import { authenticate } from "../authenticate.ts";
import { respondWithKeepalive } from "../keepalive-json.ts";
import { A2ASystemError, toA2AError } from "./a2a-errors.ts";
import { createLegacyHandler, rejectFileParts, runMethod, openMethodStream } from "./a2a-methods.ts";
import { createResponseOptions, openA2ARequest, type A2AHttpContext, type OpenedRequest } from "./a2a-request.ts";

/**
 * Handles one JSON-RPC request. Rejects only if the caller is not authenticated; the error handler of the app then
 * responds with 401.
 */
export async function handleRpcRequest(context: A2AHttpContext): Promise<Response> {
  const request = context.req.raw;
  let id: RpcRequest["id"] = null;
  try {
    const settings = getSettings(context.env);
    const identity = await authenticate(request, settings);
    if (!hasJsonContentType(request))
      return toErrorResponse(new ContentTypeNotSupportedError(formatEnglish("http.jsonRequired")), null, 415);
    const rpc = parseRpcRequest(await readTextBody(request, getCommandSizeLimit(settings)));
    id = rpc.id;
    if ("error" in rpc) throw rpc.error;
    const dialect = detectA2AVersion(request, rpc.method);
    const opened = await openA2ARequest(context, identity, context.req.param("agent"), dialect);
    validateParams(rpc.method, rpc.params);
    return await (dialect === "1.0" ? runRpc(opened, rpc) : runLegacyRpc(opened, rpc));
  } catch (thrown) {
    return toErrorResponse(thrown, id);
  }
}

/** Runs a method of 1.0 and responds with JSON or with an event stream. */
async function runRpc({ context, headers, disconnect }: OpenedRequest, { id, method, params }: RpcRequest) {
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
async function runLegacyRpc({ context, headers, disconnect }: OpenedRequest, rpc: RpcRequest): Promise<Response> {
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
  return createResponseOptions(disconnect, (error) => createRpcError(error, id));
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
