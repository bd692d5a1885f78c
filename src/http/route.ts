// A route is a value: what registers it also describes it, so code and openapi.json cannot differ.

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

export type App = { Bindings: Env };

/** What stands in the places of a path that are in braces. */
type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & Params<Rest>
  : unknown;

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

export type Answer = {
  readonly status: number;
  readonly description: string;
  readonly schema: z.ZodType | null;
  /** Its media type when it is no JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: object;
};

/** How it is refused, where that is not by problem details. */
export type Refusing = {
  /** Under which it stands in the description. */
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
};

/** All that is told of a place where something is answered. */
export type Described = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly query: z.ZodObject | null;
  /** Headers that mean something here, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: z.ZodType | null;
  /** A body to try. */
  readonly example?: object;
  /** Bodies that `handle` reads by itself: their media types, with what is in them and one to try. */
  readonly uploads?: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  readonly answer: Answer;
  /** True when `Accept: text/event-stream` streams instead. */
  readonly streams: boolean;
  /** What is streamed, where that is not the frames of a thread. */
  readonly stream?: { readonly description: string; readonly example: string };
  readonly refusing?: Refusing;
  /** True when it asks for no token. */
  readonly isPublic?: boolean;
};

export type Route = Described & { readonly run: (context: Context<App>) => Promise<Response> };

type Definition<Path extends string, Query extends z.ZodObject, Body extends z.ZodType> = Pick<
  Route,
  "method" | "tag" | "summary" | "headers" | "example" | "uploads" | "answer"
> & {
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** What a body that does not fit is answered with, where clients expect something else than 400. */
  readonly refusal?: FaultCode;
  /** Of a body that may be larger, or has to be smaller, than that of a message. */
  readonly mostBytes?: number;
  readonly streams?: boolean;
  readonly handle: (call: Call<z.infer<Query>, z.infer<Body>, Path>) => Promise<Response | object>;
};

/** Below it, a parameter that a call does not know is refused: it would do nothing, and its sender not know why. */
const OWN = "/api/v1/";
const NONE = z.strictObject({});

/** Defines a route. What `handle` returns is sent as JSON with the answer's status, unless it is a response already. */
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
    // Before a foreign page sends JSON its browser asks us, and before it sends anything else by POST it does not.
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

/** Throws where a parameter comes twice: one of the two would do nothing. */
function parametersOf(request: Request): Record<string, string> {
  const given = [...new URL(request.url).searchParams];
  const names = given.map(([name]) => name);
  const field = names.find((name, place) => names.indexOf(name) < place);
  if (field !== undefined) throw new Fault("invalid_request", `${field}: must be given once`, { field });
  return Object.fromEntries(given);
}

/**
 * Registers routes, and for every path the refusal of the methods it does not have. A path that says its last part
 * goes before one that takes any: `sample` and `x.csv` are no ids.
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

/** Refuses the methods that a place does not have; `hint` may say what is where instead. */
export function refuseOthers(app: Hono<App>, pattern: string, allowed: readonly string[], hint = ""): void {
  app.all(pattern, (context) => {
    context.header("allow", allowed.join(", "));
    throw new Fault("method_not_allowed", `Use ${allowed.join(" or ")} here${hint}.`);
  });
}

const openness = (path: string): number => (/\/\{\w+\}$/.test(path) ? 1 : 0);

/** As Hono writes paths. What follows a parameter is part of its value. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, ending = "") =>
    ending === "" ? `:${name}` : `:${name}{[^/]+\\${ending as string}}`,
  );
}

/** Yes or no in a query string. */
export const trueOrFalse = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .pipe(z.boolean());

/** A whole number in a query string. */
export function wholeNumber(fallback: number, { min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,16}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback);
}
