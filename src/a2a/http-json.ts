// HTTP+JSON of A2A 1.0 (section 11 of the specification): the method that a request calls, its parameters, and the body
// of its errors. The methods, parameters and results are those of JSON-RPC.

import {
  A2AError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
  type RestErrorBody,
} from "@a2a-js/sdk/errors";
import { formatAgentMessage } from "../language/agent-messages.ts";
import { parseNamedParams } from "./json-rpc.ts";

type HttpVerb = "GET" | "POST" | "DELETE";

/** A route: its verb, the path below the base URL, and the method. Groups of the path are parameters. */
type MethodRoute = readonly [verb: HttpVerb, path: RegExp, method: string];

const CONFIGS = /^\/tasks\/(?<taskId>[^/]+)\/pushNotificationConfigs$/;
const CONFIG = /^\/tasks\/(?<taskId>[^/]+)\/pushNotificationConfigs\/(?<id>[^/]+)$/;
const SUBSCRIPTION = /^\/tasks\/(?<id>[^/:]+):subscribe$/;
export const METHOD_ROUTES: readonly MethodRoute[] = [
  ["POST", /^\/message:send$/, "SendMessage"],
  ["POST", /^\/message:stream$/, "SendStreamingMessage"],
  ["GET", /^\/tasks$/, "ListTasks"],
  ["GET", /^\/tasks\/(?<id>[^/:]+)$/, "GetTask"],
  ["POST", /^\/tasks\/(?<id>[^/:]+):cancel$/, "CancelTask"],
  // The text of the specification requires POST, the protocol definition GET.
  ["POST", SUBSCRIPTION, "SubscribeToTask"],
  ["GET", SUBSCRIPTION, "SubscribeToTask"],
  ["POST", CONFIGS, "CreateTaskPushNotificationConfig"],
  ["GET", CONFIGS, "ListTaskPushNotificationConfigs"],
  ["GET", CONFIG, "GetTaskPushNotificationConfig"],
  ["DELETE", CONFIG, "DeleteTaskPushNotificationConfig"],
  ["GET", /^\/extendedAgentCard$/, "GetExtendedAgentCard"],
];

/** The method at a path, or the verbs of the path if it has another verb. */
export type HttpMethodMatch =
  | { readonly method: string; readonly pathParams: Readonly<Record<string, string>> }
  | { readonly allowed: readonly HttpVerb[] };

/** Finds the method of a request. `path` is decoded and begins below the base URL. Undefined for an unknown path. */
export function findHttpMethod(verb: string, path: string): HttpMethodMatch | undefined {
  const matches = METHOD_ROUTES.flatMap(([routeVerb, pattern, method]) => {
    const found = pattern.exec(path);
    return found === null ? [] : [{ verb: routeVerb, method, pathParams: { ...found.groups } }];
  });
  if (matches.length === 0) return undefined;
  return matches.find((match) => match.verb === verb) ?? { allowed: matches.map((match) => match.verb) };
}

/** Returns the parameters in a query. Their values are texts, except for Booleans. */
export function parseQueryParams(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const booleans = new Map([
    ["true", true],
    ["false", false],
  ]);
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, name === "includeArtifacts" ? (booleans.get(value) ?? value) : value]),
  );
}

/** Returns the parameters in a body; an empty body has none. Throws a `RequestMalformedError` if it is not a JSON object. */
export function parseBodyParams(text: string): Readonly<Record<string, unknown>> {
  if (text === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new RequestMalformedError({ message: formatAgentMessage("en", "a2a.invalidJson"), cause });
  }
  return parseNamedParams(body);
}

/** The names of `google.rpc.Code` for statuses that no error of A2A has. */
const SYSTEM_STATUS_NAMES: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
};

/** Returns the body of an error, in the JSON of `google.rpc.Status`. By default, the status is that of the error. */
export function createHttpError(thrown: unknown, status: number = restStatusFor(thrown)): RestErrorBody {
  const { error } = toRestErrorBody(thrown, status);
  const name = error.status === "UNKNOWN" ? (SYSTEM_STATUS_NAMES[status] ?? error.status) : error.status;
  return { error: { ...error, status: name, details: thrown instanceof A2AError ? error.details : [] } };
}

const A2A_JSON = "application/a2a+json";

/**
 * Returns the media type of a response: the one of A2A if the client accepts it by name, otherwise JSON, which clients
 * of 1.0.0 expect.
 */
export function selectMediaType({ headers }: Request): string {
  return (headers.get("accept") ?? "").toLowerCase().includes(A2A_JSON) ? A2A_JSON : "application/json";
}
