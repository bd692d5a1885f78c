// Derives HTTP routes from operations.
//
// Per request, the order is: check the origin (only of POST requests without a JSON body), authenticate, validate the
// query, read and validate the body, run the operation. A request that fails a step does not reach the next one.

import type { Context } from "hono";
import * as z from "zod";
import { createMessage } from "../../language/messages.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import type { Endpoint } from "../../protocol/api/endpoint.ts";
import { commandIdSchema, findOversizedField } from "../../protocol/wire/commands.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { checkOrigin } from "../check-origin.ts";
import { readIdempotencyKey } from "../command-id.ts";
import { getCommandSizeLimit, readJsonBody } from "../request-body.ts";
import { acceptsEventStream } from "../sse.ts";
import { authenticateCaller, type HonoEnv, type HttpRoute } from "./http-route.ts";
import type { AnyOperation, Caller, HttpBinding, OperationInput } from "./operation.ts";

/** Below this prefix, unknown query parameters are refused, because ignoring them would hide mistakes of the caller. */
const API_PREFIX = "/api/v1/";
/** The header of commands whose body may contain their id. */
const COMMAND_HEADERS = {
  "idempotency-key":
    "Same as `id` in the body: a repeated command with the same id is executed once; another one is refused with 422.",
};

/** Derives the routes of the operations that have one. */
export function buildRoutes(operations: readonly (readonly [name: string, operation: AnyOperation])[]): HttpRoute[] {
  return operations.flatMap(([, operation]) =>
    operation.http === undefined ? [] : [buildRoute(operation, operation.http)],
  );
}

/**
 * Derives the route of an operation. A result that is not a `Response` is sent as JSON. A query that the endpoint does
 * not describe is refused below /api/v1/, and ignored elsewhere.
 */
function buildRoute(operation: AnyOperation, http: HttpBinding<Endpoint>): HttpRoute {
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
