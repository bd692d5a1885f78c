// Defines routes as values. The same value registers the handler and describes it in /openapi.json, so the two cannot
// differ.
//
// Per request, the order is: check the origin, authenticate, validate the query, read and validate the body, run the
// handler. A request that fails a step does not reach the next one.

import type { Context, Hono } from "hono";
import * as z from "zod";
import type { Env } from "../env.ts";
import { largestIn } from "../protocol/commands.ts";
import { Fault, parseWith, type FaultCode } from "../protocol/fault.ts";
import { settingsOf, type Settings } from "../settings.ts";
import { capOf, readJson } from "./body.ts";
import { identityOf, type Identity } from "./identity.ts";
import { checkOrigin } from "./origins.ts";
import { verbsOf, type Verbs } from "./verbs.ts";

/** The environment type of the Hono application. */
export type App = { Bindings: Env };

/** The parameters of a path by their names in braces. */
type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & Params<Rest>
  : unknown;

/** The validated input of a handler. */
export type Call<Query, Body, Path extends string = string> = {
  readonly request: Request;
  readonly params: Params<Path>;
  readonly query: Query;
  readonly body: Body;
  readonly verbs: Verbs;
  readonly identity: Identity;
  readonly settings: Settings;
  readonly env: Env;
};

/** The success response. `schema` is null if it has no body. */
export type Answer = {
  readonly status: number;
  readonly description: string;
  readonly schema: z.ZodType | null;
  /** The media type; JSON by default. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: object;
};

/** An error format other than problem details. */
export type Refusing = {
  /** The name of the response component in the description. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
};

/** The description of a route, without its handler. */
export type Described = {
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
  readonly answer: Answer;
  /** True if `Accept: text/event-stream` selects a stream. */
  readonly streams: boolean;
  /** Describes the stream if it does not consist of the frames of a thread. */
  readonly stream?: { readonly description: string; readonly example: string };
  readonly refusing?: Refusing;
  /** True if the route needs no token. */
  readonly isPublic?: boolean;
};

/** A route with its handler. */
export type Route = Described & { readonly run: (context: Context<App>) => Promise<Response> };

type Definition<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> = Pick<
  Route,
  "method" | "tag" | "summary" | "headers" | "example" | "uploads" | "answer"
> & {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** The code for a body that does not match the schema; `invalid_request` by default. */
  readonly refusal?: FaultCode;
  /** The maximum bytes of the body; by default the limit of a message. */
  readonly mostBytes?: number;
  readonly streams?: boolean;
  readonly handle: (call: Call<z.infer<Query>, z.infer<Body>, Path>) => Promise<Response | object>;
};

/** Below this prefix, unknown query parameters are refused, because ignoring them would hide mistakes of the caller. */
const OWN = "/api/v1/";
const NONE = z.strictObject({});

/** Defines a route. The result of `handle` is sent as JSON with the status of `answer`, unless it is a `Response`. */
export function route<
  Path extends string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodUndefined,
>(definition: Definition<Path, Query, Body>): Route {
  const { query = null, body = null, refusal, mostBytes, streams = false, handle, ...rest } = definition;
  const known = query ?? (rest.path.startsWith(OWN) ? NONE : null);
  const largest = body instanceof z.ZodObject && "message" in body.shape ? largestIn : undefined;
  const run = async (context: Context<App>): Promise<Response> => {
    const request = context.req.raw;
    const settings = settingsOf(context.env);
    // A browser asks for permission (CORS preflight) before a foreign page sends JSON. Other POST requests are sent
    // without it.
    if (rest.method === "post" && body === null) checkOrigin(request, settings);
    const identity = await identityOf(request, settings);
    const call = {
      request,
      params: context.req.param() as Params<Path>,
      query: (known === null ? {} : parseWith(known, parametersOf(request))) as z.infer<Query>,
      body: (body === null
        ? undefined
        : parseWith(body, await readJson(request, mostBytes ?? capOf(settings), largest), refusal)) as z.infer<Body>,
      verbs: verbsOf(context.env, settings, identity.userId),
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
function parametersOf(request: Request): Record<string, string> {
  const given = [...new URL(request.url).searchParams];
  const names = given.map(([name]) => name);
  const field = names.find((name, place) => names.indexOf(name) < place);
  if (field !== undefined) throw new Fault("invalid_request", `${field}: must be given once`, { field });
  return Object.fromEntries(given);
}

/**
 * Registers routes and, for each path, a handler that refuses all other methods. Paths that end in a fixed segment or
 * extension come before paths that end in a parameter, because Hono uses the first match.
 */
export function register(app: Hono<App>, routes: readonly Route[]): void {
  const byPath = [...Map.groupBy(routes, ({ path }) => path)];
  for (const [path, group] of byPath.toSorted(([a], [b]) => openness(a) - openness(b))) {
    const pattern = patternOf(path);
    for (const { method, run } of group) app.on(method.toUpperCase(), pattern, run);
    const allowed = group.map(({ method }) => method.toUpperCase());
    refuseOthers(app, pattern, allowed);
  }
}

/** Refuses all methods but the allowed ones with 405. `hint` is appended to the message. */
export function refuseOthers(app: Hono<App>, pattern: string, allowed: readonly string[], hint = ""): void {
  app.all(pattern, (context) => {
    context.header("allow", allowed.join(", "));
    throw new Fault("method_not_allowed", `Use ${allowed.join(" or ")} here${hint}.`);
  });
}

/** Returns 1 for a path that ends in a parameter, otherwise 0. */
const openness = (path: string): number => (/\/\{\w+\}$/.test(path) ? 1 : 0);

/** Converts a path to the syntax of Hono. An extension after a parameter becomes part of the parameter's value. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, ending = "") =>
    ending === "" ? `:${name}` : `:${name}{[^/]+\\${ending as string}}`,
  );
}

/** A boolean in a query string. */
export const trueOrFalse = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .pipe(z.boolean());

/** Returns the schema of an integer in a query string, with its bounds and default. */
export function wholeNumber(fallback: number, { min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback);
}
