// HTTP routes: their description and their registration. The same value registers the handler and describes it in
// /openapi.json, so the two cannot differ.

import type { Context, Hono } from "hono";
import type * as z from "zod";
import type { Env } from "../../env.ts";
import { createMessage, type MessageKey } from "../../language/messages.ts";
import type { Endpoint } from "../../protocol/api/endpoint.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { getSettings } from "../../settings.ts";
import { authenticate } from "../authenticate.ts";
import type { Caller } from "./operation.ts";

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

/** Authenticates a request and returns its user as the caller of operations. */
export async function authenticateCaller({ env, req }: Context<HonoEnv>): Promise<Caller> {
  const settings = getSettings(env);
  return { env, settings, ...(await authenticate(req.raw, settings)), signal: req.raw.signal };
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
