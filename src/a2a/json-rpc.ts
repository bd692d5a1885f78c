// JSON-RPC 2.0 as A2A uses it: one request and one response, or a stream of responses. Batches are rejected.

import { StreamResponse } from "@a2a-js/sdk";
import { formatAgentMessage } from "../language/agent-messages.ts";
import {
  A2A_ERROR_CODE,
  JsonRpcRequestMalformedError,
  RequestMalformedError,
  toJsonRpcError,
} from "@a2a-js/sdk/errors";

/** A valid request envelope. `params` is not validated yet. */
export type RpcRequest = Readonly<Record<string, unknown>> & {
  readonly method: string;
  readonly id: string | number | null;
  readonly params?: unknown;
};

/** A request, or the error of an invalid one. `id` is null if the body has no valid id. */
export type ParsedRpcRequest = RpcRequest | { readonly id: RpcRequest["id"]; readonly error: Error };

/** Parses the body of a request. Does not throw: an invalid body yields `error`, to be sent as the response. */
export function parseRpcRequest(text: string): ParsedRpcRequest {
  const body = parseRpcJson(text);
  if (body instanceof Error) return { id: null, error: body };
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const bodyId = isObject && "id" in body ? body.id : null;
  const id = isRpcId(bodyId) ? bodyId : null;
  const isRequest = isObject && "jsonrpc" in body && body.jsonrpc === "2.0" && "method" in body && isRpcId(bodyId);
  if (!isRequest || typeof body.method !== "string")
    return { id, error: createInvalidRequestError(formatAgentMessage("en", "a2a.invalidRequest")) };
  return { ...body, method: body.method, id };
}

/** Creates the error for an invalid request (code -32600). */
export function createInvalidRequestError(message: string): Error {
  return new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.INVALID_REQUEST });
}

/** Creates the error for an unknown method (code -32601). */
export function createUnknownMethodError(): Error {
  return new JsonRpcRequestMalformedError({
    message: formatAgentMessage("en", "a2a.unknownMethod"),
    envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND,
  });
}

/** Returns the parameters as an object. Throws `RequestMalformedError` for positional parameters and other values. */
export function parseNamedParams(params: unknown): Readonly<Record<string, unknown>> {
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new RequestMalformedError(formatAgentMessage("en", "a2a.invalidParams"));
  return params as Record<string, unknown>;
}

/** Creates the response with the result of the request `id`. */
export function createRpcResult(id: RpcRequest["id"], result: unknown): unknown {
  return { jsonrpc: "2.0", id, result };
}

/** Creates the response with an error. `thrown` may be any thrown value; the SDK maps it to a code and a message. */
export function createRpcError(thrown: unknown, id: RpcRequest["id"]): unknown {
  return { jsonrpc: "2.0", id, error: toJsonRpcError(thrown) };
}

/** Returns a function that encodes each event of a stream as a JSON-RPC response to the request `id`. */
export function createResponseEncoder(id: RpcRequest["id"]): (response: StreamResponse) => unknown {
  return (response) => createRpcResult(id, StreamResponse.toJSON(response));
}

function isRpcId(id: unknown): id is RpcRequest["id"] {
  return id === null || typeof id === "string" || Number.isInteger(id);
}

/** Parses JSON. Returns a parse error (code -32700) instead of throwing. */
function parseRpcJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return new JsonRpcRequestMalformedError({
      message: formatAgentMessage("en", "a2a.invalidJson"),
      envelopeCode: A2A_ERROR_CODE.PARSE_ERROR,
      cause,
    });
  }
}
