// JSON-RPC 2.0 as A2A uses it: one request in, one answer or a stream of them out. Batches are refused.

import { StreamResponse } from "@a2a-js/sdk";
import {
  A2A_ERROR_CODE,
  JsonRpcRequestMalformedError,
  RequestMalformedError,
  toJsonRpcError,
} from "@a2a-js/sdk/errors";

export type Rpc = Readonly<Record<string, unknown>> & {
  readonly method: string;
  readonly id: string | number | null;
  readonly params?: unknown;
};

/** A request, or what is wrong with it; with its id as far as it can be read. */
export type ReadRpc = Rpc | { readonly id: Rpc["id"]; readonly error: Error };

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

export function malformed(message: string): Error {
  return new JsonRpcRequestMalformedError({ message, envelopeCode: A2A_ERROR_CODE.INVALID_REQUEST });
}

export function unknownMethod(): Error {
  return new JsonRpcRequestMalformedError({
    message: "There is no such method.",
    envelopeCode: A2A_ERROR_CODE.METHOD_NOT_FOUND,
  });
}

/** The parameters by their names. Throws for anything else. */
export function namedParams(params: unknown): Readonly<Record<string, unknown>> {
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new RequestMalformedError("Invalid method parameters.");
  return params as Record<string, unknown>;
}

export function rpcResult(id: Rpc["id"], result: unknown): unknown {
  return { jsonrpc: "2.0", id, result };
}

export function rpcError(thrown: unknown, id: Rpc["id"]): unknown {
  return { jsonrpc: "2.0", id, error: toJsonRpcError(thrown) };
}

/** Words the events of a stream as answers to one request. */
export function envelope(id: Rpc["id"]): (response: StreamResponse) => unknown {
  return (response) => rpcResult(id, StreamResponse.toJSON(response));
}

function isId(id: unknown): id is Rpc["id"] {
  return id === null || typeof id === "string" || Number.isInteger(id);
}

/** The value, or the error that says that there is none. */
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
