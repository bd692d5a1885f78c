// Defines routes as values. The same value registers the handler and describes it in /openapi.json, so the two cannot
// differ.
//
// Per request, the order is: check the origin (only of POST requests without a JSON body), authenticate, validate the
// query, read and validate the body, run the handler. A request that fails a step does not reach the next one.

import type { Context, Hono } from "hono";
import * as z from "zod";
import type { Env } from "../env.ts";
import type { PathParams } from "../protocol/api/endpoint.ts";
import { findOversizedField } from "../protocol/wire/commands.ts";
import { createMessage, type MessageKey } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import { parseOrThrow, type FaultCode } from "../protocol/wire/fault.ts";
import { getSettings, type Settings } from "../settings.ts";
import { getCommandSizeLimit, readJsonBody } from "./request-body.ts";
import { authenticate, type Identity } from "./authenticate.ts";
import { checkOrigin } from "./check-origin.ts";
import { createOperations, type Operations } from "./operations/operations.ts";

/** The environment type of the Hono application. */
export type HonoEnv = { Bindings: Env };

/** The validated input of a handler. */
export type RouteCall<Query, Body, Path extends string = string> = {
  readonly request: Request;
  readonly params: PathParams<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly operations: Operations;
  readonly identity: Identity;
  readonly settings: Settings;
  readonly env: Env;
};

/** The success response. `schema` is null if it has no body. */
export type RouteResponse = {
  readonly status: number;
  readonly description: string;
  readonly schema: z.core.$ZodType | null;
  /** The media type; JSON by default. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: object;
};

/** An error format other than problem details. */
export type ErrorFormat = {
  /** The name of the response component in the description. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.core.$ZodType;
  readonly example: object;
};

/** The description of a route, without its handler. */
export type RouteDescription = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The path with parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly query: z.ZodObject | null;
  /** Request headers that the route uses, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: z.ZodType | null;
  /** An example of the body. */
  readonly example?: object;
  /** Bodies that are not JSON and that the handler reads itself: schema and example by media type. */
  readonly uploads?: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  readonly answer: RouteResponse;
  /** True if `Accept: text/event-stream` selects a stream. */
  readonly streams: boolean;
  /** Describes the stream if it does not consist of the frames of a thread. */
  readonly stream?: { readonly description: string; readonly example: string };
  readonly errorFormat?: ErrorFormat;
  /** True if the route needs no token. */
  readonly isPublic?: boolean;
};

/** A route with its handler. */
export type HttpRoute = RouteDescription & { readonly run: (context: Context<HonoEnv>) => Promise<Response> };

type RouteDefinition<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> = Pick<
  HttpRoute,
  "method" | "tag" | "summary" | "headers" | "example" | "uploads" | "answer"
> & {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** The code for a body that does not match the schema; `invalid_request` by default. */
  readonly refusal?: FaultCode;
  /** The maximum bytes of the body; by default the limit of a message. */
  readonly maxBytes?: number;
  readonly streams?: boolean;
  readonly handle: (call: RouteCall<z.infer<Query>, z.infer<Body>, Path>) => Promise<Response | object>;
};

/** Below this prefix, unknown query parameters are refused, because ignoring them would hide mistakes of the caller. */
const API_PREFIX = "/api/v1/";
const EMPTY_QUERY = z.strictObject({});

/**
 * Defines a route that requires authentication. The result of `handle` is sent as JSON with the status of `answer`,
 * unless it is a `Response`. A query that `query` does not describe is refused below /api/v1/, and ignored elsewhere.
 */
export function defineRoute<
  Path extends string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<Path, Query, Body>): HttpRoute {
  const { query = null, body = null, refusal, maxBytes, streams = false, handle, ...rest } = definition;
  const querySchema = query ?? (rest.path.startsWith(API_PREFIX) ? EMPTY_QUERY : null);
  const findField = body instanceof z.ZodObject && "message" in body.shape ? findOversizedField : undefined;
  const run = async (context: Context<HonoEnv>): Promise<Response> => {
    const request = context.req.raw;
    const settings = getSettings(context.env);
    // A browser asks for permission (CORS preflight) before a foreign page sends JSON. Other POST requests are sent
    // without it.
    if (rest.method === "post" && body === null) checkOrigin(request, settings);
    const identity = await authenticate(request, settings);
    const call = {
      request,
      params: context.req.param() as PathParams<Path>,
      query: (querySchema === null ? {} : parseOrThrow(querySchema, readQuery(request))) as z.infer<Query>,
      body: (body === null
        ? undefined
        : parseOrThrow(
            body,
            await readJsonBody(request, maxBytes ?? getCommandSizeLimit(settings), findField),
            refusal,
          )) as z.infer<Body>,
      operations: createOperations(context.env, settings, identity.userId),
      identity,
      settings,
      env: context.env,
    };
    const result = await handle(call);
    return result instanceof Response ? result : Response.json(result, { status: definition.answer.status });
  };
  return { ...rest, query, body, streams, run };
}

/**
 * Returns the query parameters. Throws `invalid_request` if one is repeated, because only one of its values could be
 * used.
 */
function readQuery(request: Request): Record<string, string> {
  const entries = [...new URL(request.url).searchParams];
  const names = entries.map(([name]) => name);
  const field = names.find((name, index) => names.indexOf(name) < index);
  if (field !== undefined)
    throw createFault("invalid_request", createMessage("field.givenTwice", { field }), { field });
  return Object.fromEntries(entries);
}

/**
 * Registers routes and, for each path, a handler that refuses all other methods with 405. Paths that end in a fixed
 * segment or extension come before paths that end in a parameter, because Hono uses the first match.
 */
export function registerRoutes(app: Hono<HonoEnv>, routes: readonly HttpRoute[]): void {
  const byPath = [...Map.groupBy(routes, ({ path }) => path)];
  for (const [path, group] of byPath.toSorted(([a], [b]) => rankPath(a) - rankPath(b))) {
    const pattern = toHonoPattern(path);
    for (const { method, run } of group) app.on(method.toUpperCase(), pattern, run);
    const allowed = group.map(({ method }) => method.toUpperCase());
    refuseOtherMethods(app, pattern, allowed);
  }
}

/**
 * Registers a handler that refuses every method with 405 and `Allow`. Call it after the handlers of the allowed methods
 * are registered, as it would hide them. `key` is a message with the parameter `methods`.
 */
export function refuseOtherMethods(
  app: Hono<HonoEnv>,
  pattern: string,
  allowed: readonly string[],
  key: MessageKey = "http.methodNotAllowed",
): void {
  app.all(pattern, (context) => {
    context.header("allow", allowed.join(", "));
    throw createFault("method_not_allowed", createMessage(key, { methods: allowed }));
  });
}

/** Returns 1 for a path that ends in a parameter, otherwise 0. */
const rankPath = (path: string): number => (/\/\{\w+\}$/.test(path) ? 1 : 0);

/** Converts a path to the syntax of Hono. An extension after a parameter becomes part of the parameter's value. */
function toHonoPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, ending = "") =>
    ending === "" ? `:${name}` : `:${name}{[^/]+\\${ending as string}}`,
  );
}

/** A boolean in a query string: `true` or `false`. */
export const booleanParameter = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .pipe(z.boolean());

/** Returns the schema of a non-negative integer in a query string; `fallback` is the value of an absent parameter. */
export function createIntegerParameter(fallback: number, { min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback);
}
