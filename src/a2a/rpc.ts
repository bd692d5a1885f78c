// JSON-RPC 2.0 as A2A uses it: one request and one response, or a stream of responses. Batches are rejected.

import { StreamResponse } from "@a2a-js/sdk";
import {
  A2A_ERROR_CODE,
  JsonRpcRequestMalformedError,
  RequestMalformedError,
  toJsonRpcError,
} from "@a2a-js/sdk/errors";

/** A valid request envelope. `params` is not validated yet. */
export type Rpc = Readonly<Record<string, unknown>> & {
  readonly method: string;
  readonly id: string | number | null;
  readonly params?: unknown;
};

/** A request, or the error of an invalid one. `id` is null if the body has no valid id. */
export type ReadRpc = Rpc | { readonly id: Rpc["id"]; readonly error: Error };

/** Parses the body of a request. Does not throw: an invalid body yields `error`, to be sent as the response. */
export function rpcIn(text: string): ReadRpc {
  const body = parseJson(text);
  if (body instanceof Error) return { id: null, error: body };
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const given = isObject && "id" in body ? body.id : null;
  const id = isId(given) ? given : null;
  const isRequest = isObject && "jsonrpc" in body && body.jsonrpc === "2.0" && "method" in body && isId(given);
  if (!isRequest || typeof body.method !== "string")
    return { id, error: malformed("The body must be one JSON-RPC 2.0 request.") };
  return { ...body, method: body.method, id };
}

/** Creates the error for an invalid request (code -32600). */
export function malformed(message: string): Error {
  return new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.INVALID_REQUEST });
}

/** Creates the error for an unknown method (code -32601). */
export function unknownMethod(): Error {
  return new JsonRpcRequestMalformedError({
    message: "There is no such method.",
    envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND,
  });
}

/** Returns the parameters as an object. Throws `RequestMalformedError` for positional parameters and other values. */
export function namedParams(params: unknown): Readonly<Record<string, unknown>> {
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new RequestMalformedError("Invalid method parameters.");
  return params as Record<string, unknown>;
}

/** Creates the response with the result of the request `id`. */
export function rpcResult(id: Rpc["id"], result: unknown): unknown {
  return { jsonrpc: "2.0", id, result };
}

/** Creates the response with an error. `thrown` may be any thrown value; the SDK maps it to a code and a message. */
export function rpcError(thrown: unknown, id: Rpc["id"]): unknown {
  return { jsonrpc: "2.0", id, error: toJsonRpcError(thrown) };
}

/** Returns a function that encodes each event of a stream as a JSON-RPC response to the request `id`. */
export function envelope(id: Rpc["id"]): (response: StreamResponse) => unknown {
  return (response) => rpcResult(id, StreamResponse.toJSON(response));
}

function isId(id: unknown): id is Rpc["id"] {
  return id === null || typeof id === "string" || Number.isInteger(id);
}

/** Parses JSON. Returns a parse error (code -32700) instead of throwing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    return new JsonRpcRequestMalformedError({
      message: "The body is not JSON.",
      envelopeCode: A2A_ERROR_CODE.PARSE_ERROR,
      cause,
    });
  }
}
