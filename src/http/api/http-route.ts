// HTTP routes: their description, their derivation from operations, and their registration. The same value registers
// the handler and describes it in /openapi.json, so the two cannot differ.
//
// Per request, the order is: check the origin (only of POST requests without a JSON body), authenticate, validate the
// query, read and validate the body, run the operation. A request that fails a step does not reach the next one.

import type { Context, Hono } from "hono";
import * as z from "zod";
import type { Env } from "../../env.ts";
import { createMessage, type MessageKey } from "../../language/messages.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import type { Endpoint } from "../../protocol/api/endpoint.ts";
import { commandIdSchema, findOversizedField } from "../../protocol/wire/commands.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { authenticate } from "../authenticate.ts";
import { checkOrigin } from "../check-origin.ts";
import { readIdempotencyKey } from "../command-id.ts";
import { getCommandSizeLimit, readJsonBody } from "../request-body.ts";
import { acceptsEventStream } from "../sse.ts";
import type { AnyOperation, Caller, HttpBinding, OperationInput } from "./operation.ts";

/** The environment type of the Hono application. */
export type HonoEnv = { Bindings: Env };

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
  readonly method: Endpoint["method"];
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
  /** Bodies that are not JSON: schema and example by media type. */
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

/** Below this prefix, unknown query parameters are refused, because ignoring them would hide mistakes of the caller. */
const API_PREFIX = "/api/v1/";
/** The header of commands whose body may contain their id. */
const COMMAND_HEADERS = {
  "idempotency-key": "Same as `id` in the body: a repeated command with the same id is executed once.",
};

/** Authenticates a request and returns its user as the caller of operations. */
export async function authenticateCaller({ env, req }: Context<HonoEnv>): Promise<Caller> {
  const settings = getSettings(env);
  return { env, settings, ...(await authenticate(req.raw, settings)), signal: req.raw.signal };
}

/**
 * Derives the route of an operation. A result that is not a `Response` is sent as JSON. A query that the endpoint does
 * not describe is refused below /api/v1/, and ignored elsewhere.
 */
export function buildRoute(operation: AnyOperation, http: HttpBinding<Endpoint>): HttpRoute {
  const { endpoint, run, respond, stream } = operation;
  const { method, path, query = null, output } = endpoint;
  const { tag, summary, status = 200, answer, type, example, upload, streams = false } = http;
  const body = upload === undefined ? getJsonBodySchema(endpoint) : null;
  const headers = http.headers ?? (endpoint.isCommand === true ? COMMAND_HEADERS : undefined);
  const readInput = createInputReader(endpoint, http, body);
  return {
    method,
    path,
    tag,
    summary,
    query,
    body,
    streams,
    answer: { status, description: answer, schema: output, ...(type === undefined ? {} : { type }) },
    ...(headers === undefined ? {} : { headers }),
    ...(example === undefined ? {} : { example }),
    ...(upload === undefined ? {} : { uploads: upload.formats }),
    async run(context) {
      const request = context.req.raw;
      // A browser asks for permission (CORS preflight) before a foreign page sends JSON. Other POST requests are sent
      // without it.
      if (method === "post" && body === null) checkOrigin(request, getSettings(context.env));
      const caller = await authenticateCaller(context);
      const input = await readInput(context, caller);
      if (stream !== undefined && acceptsEventStream(request)) return stream({ request, caller, input });
      const result = await run(caller, input);
      const response = respond === undefined ? result : await respond(result, { request, caller, input });
      return response instanceof Response ? response : Response.json(response, { status });
    },
  };
}

/** Returns the schema of the JSON body, in which a command may have an `id`; null without a body. */
function getJsonBodySchema({ body, isCommand }: Endpoint): z.ZodType | null {
  const isNamed = isCommand === true && body instanceof z.ZodObject;
  return isNamed ? body.extend({ id: commandIdSchema.optional() }) : (body ?? null);
}

/** Returns the function that reads and validates the input of a request. */
function createInputReader(
  { path, query, isCommand, refusal }: Endpoint,
  { upload, maxBytes }: HttpBinding<Endpoint>,
  bodySchema: z.ZodType | null,
): (context: Context<HonoEnv>, caller: Caller) => Promise<OperationInput<Endpoint>> {
  const ownQuery = query ?? (path.startsWith(API_PREFIX) ? z.strictObject({}) : null);
  const querySchema = ownQuery === null ? null : toQueryStringSchema(ownQuery);
  const findField = bodySchema instanceof z.ZodObject && "message" in bodySchema.shape ? findOversizedField : undefined;
  const readBody = async (request: Request, caller: Caller): Promise<unknown> => {
    if (upload !== undefined) return upload.read(request);
    if (bodySchema === null) return undefined;
    const json = await readJsonBody(request, maxBytes ?? getCommandSizeLimit(caller.settings), findField);
    const body = parseOrThrow(bodySchema, json, refusal);
    // These bodies may have any members. A value that is nested more deeply than RPC allows must not be passed on.
    if (refusal !== undefined) parseOrThrow(z.record(z.string(), jsonValueSchema), body, refusal);
    return body;
  };
  return async (context, caller) => {
    const request = context.req.raw;
    const parsedQuery = querySchema === null ? {} : parseOrThrow(querySchema, readQuery(request));
    const body = await readBody(request, caller);
    const input = { ...readPathParams(context, path), query: parsedQuery };
    if (isCommand !== true) return { ...input, body } as OperationInput<Endpoint>;
    const { id, ...command } = (body ?? {}) as { readonly id?: string };
    return { ...input, body: command, commandId: id ?? readIdempotencyKey(request) } as OperationInput<Endpoint>;
  };
}

/** Returns the path parameters. The value of a parameter before an extension does not contain the extension. */
function readPathParams(context: Context<HonoEnv>, path: string): Record<string, string> {
  const [, ending = ""] = /\}(\.\w+)$/.exec(path) ?? [];
  const params = Object.entries(context.req.param() as Record<string, string>);
  return Object.fromEntries(
    params.map(([name, value]) => [name, ending === "" ? value : value.slice(0, -ending.length)]),
  );
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

/** Returns the schema that parses the strings of a URL to a query. Its numbers are non-negative integers. */
function toQueryStringSchema(query: z.ZodObject): z.ZodType {
  const members = Object.entries(query.shape).map(([name, member]) => [name, toStringSchema(member as z.ZodType)]);
  return z.strictObject(Object.fromEntries(members) as Record<string, z.ZodType>);
}

function toStringSchema(member: z.ZodType): z.ZodType {
  if (member instanceof z.ZodOptional) return toStringSchema(member.unwrap() as z.ZodType).optional();
  if (member instanceof z.ZodDefault)
    return toStringSchema(member.unwrap() as z.ZodType).default(member.def.defaultValue);
  if (member instanceof z.ZodBoolean)
    return z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .pipe(member);
  if (!(member instanceof z.ZodNumber)) return member;
  const { minValue, maxValue } = member;
  return z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${minValue} to ${maxValue}`)
    .transform(Number)
    .pipe(member);
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
