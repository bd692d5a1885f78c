// The HTTP+JSON binding of A2A 1.0.
//
// Order of the checks of a request: identity, version, body size, media type, JSON, agent, shape of the parameters,
// method. The first failed check determines the response.

import { StreamResponse } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, restStatusFor } from "@a2a-js/sdk/errors";
import type { Next } from "hono";
import { parseRequestedVersion } from "../../a2a/a2a-version.ts";
import {
  createHttpError,
  findHttpMethod,
  parseBodyParams,
  parseQueryParams,
  selectMediaType,
  type HttpMethodMatch,
} from "../../a2a/http-json.ts";
import { createStreamResponse } from "../../a2a/sse-response.ts";
import { validateParams } from "../../a2a/validate-params.ts";
import { createMessage, formatEnglish } from "../../language/messages.ts";
import { Fault } from "../../protocol/wire/fault.ts";
import { createFault, Failure } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { authenticate } from "../authenticate.ts";
import { respondWithKeepalive } from "../keepalive-json.ts";
import { getCommandSizeLimit, hasJsonContentType, readTextBody } from "../request-body.ts";
import { A2ASystemError, toA2AError } from "./a2a-errors.ts";
import { openMethodStream, runMethod } from "./a2a-methods.ts";
import { createResponseOptions, openA2ARequest, type A2AHttpContext, type OpenedRequest } from "./a2a-request.ts";

/** A path below `/a2a`: the agent that it names, and the method of HTTP+JSON. */
type HttpTarget = { readonly agent: string | undefined; readonly match: HttpMethodMatch };

/**
 * Handles a request to a path of HTTP+JSON, and passes all others on. Rejects if the caller is not authenticated, or the
 * path does not have the HTTP method; the error handler of the app then responds.
 */
export async function handleHttpRequest(context: A2AHttpContext, next: Next): Promise<Response | void> {
  const target = findHttpTarget(context.req.method, new URL(context.req.url).pathname);
  if (target === undefined) return next();
  if ("method" in target.match) return callHttpMethod(context, target.agent, target.match);
  const methods = target.match.allowed;
  context.header("allow", methods.join(", "));
  throw createFault("method_not_allowed", createMessage("http.methodNotAllowed", { methods }));
}

/**
 * Finds the target of a path. Undefined for a path that HTTP+JSON does not have, and for a path with one segment and
 * another HTTP method, because it may be the JSON-RPC endpoint of an agent.
 *
 * A path that names an agent comes first. An agent may be called `tasks`, but no task of the runtime has the id `tasks`,
 * because ids of tasks contain a dot.
 */
function findHttpTarget(verb: string, pathname: string): HttpTarget | undefined {
  const path = decodePath(pathname)
    .replace(/^\/a2a/, "")
    .replace(/\/+$/, "");
  const [, agent, rest] = /^\/([^/]+)(\/.+)$/.exec(path) ?? [];
  const ofAgent = rest === undefined ? undefined : findHttpMethod(verb, rest);
  if (ofAgent !== undefined) return { agent, match: ofAgent };
  const match = findHttpMethod(verb, path);
  return match === undefined || (rest === undefined && "allowed" in match) ? undefined : { agent: undefined, match };
}

/** Decodes a path; an invalid encoding is kept, and then names nothing. */
function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

type HttpMethod = Extract<HttpMethodMatch, { readonly method: string }>;

async function callHttpMethod(
  context: A2AHttpContext,
  agent: string | undefined,
  { method, pathParams }: HttpMethod,
): Promise<Response> {
  const request = context.req.raw;
  const type = selectMediaType(request);
  try {
    const identity = await authenticate(request, getSettings(context.env));
    parseRequestedVersion(request, ["1.0"]);
    const params = { ...(await readHttpParams(context)), ...pathParams };
    const opened = await openA2ARequest(context, identity, agent, "1.0");
    validateParams(method, params);
    return await runHttpMethod(opened, method, params, type);
  } catch (thrown) {
    return toErrorResponse(thrown, type);
  }
}

/** Returns the parameters of a request besides those of its path: from the body of a POST, otherwise from the query. */
async function readHttpParams({ env, req }: A2AHttpContext): Promise<Readonly<Record<string, unknown>>> {
  if (req.method !== "POST") return parseQueryParams(new URL(req.url).searchParams);
  const text = await readTextBody(req.raw, getCommandSizeLimit(getSettings(env)));
  if (text !== "" && !hasJsonContentType(req.raw))
    throw new ContentTypeNotSupportedError(formatEnglish("http.jsonRequired"));
  return parseBodyParams(text);
}

/** Runs a method and responds with JSON or with an event stream. */
async function runHttpMethod(
  { context, headers, disconnect }: OpenedRequest,
  method: string,
  params: unknown,
  type: string,
): Promise<Response> {
  const options = createResponseOptions(disconnect, (error) => createHttpError(error, getStatus(error)));
  const portions = openMethodStream(context, method, params);
  if (portions !== undefined)
    return createStreamResponse(
      portions,
      { encodeEvent: (event) => StreamResponse.toJSON(event), ...options },
      headers,
    );
  const answered = runMethod(context, method, params);
  return respondWithKeepalive(answered, { ...options, headers: { ...headers, "content-type": type } });
}

/** Returns the HTTP status of an A2A error. */
function getStatus(error: Error): number {
  return error instanceof A2ASystemError ? error.status : restStatusFor(error);
}

/** Returns the response to an error. Missing agents and oversized bodies have their own status. Rethrows unauthorized faults. */
function toErrorResponse(thrown: unknown, type: string): Response {
  if (thrown instanceof Fault && thrown.code === "unauthorized") throw thrown;
  const isMissing = thrown instanceof Failure;
  const error = isMissing ? new Error(thrown.message) : toA2AError(thrown);
  const isTooLarge = thrown instanceof Fault && thrown.code === "too_large";
  const status = isMissing ? 404 : isTooLarge ? 413 : getStatus(error);
  const retryAfter = error instanceof A2ASystemError ? error.retryAfter : undefined;
  const headers = { "content-type": type, ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }) };
  return Response.json(createHttpError(error, status), { status, headers });
}
