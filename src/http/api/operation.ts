// Operations as values: each is defined once, with its endpoint (`protocol/api`), its RPC signature and the function
// that carries it out. HTTP routes, the OpenAPI document and the RPC methods are derived from it.
//
// Input is validated once, at the border, by the schemas of the endpoint; ids are checked where they are used, because
// over RPC they may be any value. `run` throws a `Fault` for expected failures.

import type * as z from "zod";
import type { Env } from "../../env.ts";
import type { Endpoint, PathParams } from "../../protocol/api/endpoint.ts";
import type { Settings } from "../../settings.ts";

/** The user on whose behalf an operation runs. All data is addressed by this id, so no other user's is reached (U1). */
export type Caller = {
  readonly env: Env;
  readonly settings: Settings;
  readonly userId: string;
  /** The end of the authentication in epoch milliseconds; null if it does not expire. */
  readonly expiresAt: number | null;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal;
};

type Member<Name extends string, E extends Endpoint, Value> =
  E extends Readonly<Record<Name, z.ZodType>> ? { readonly [Key in Name]: Value } : unknown;
type QuerySchema<E extends Endpoint> = E extends { readonly query: infer Query extends z.ZodObject } ? Query : never;
type BodySchema<E extends Endpoint> = E extends { readonly body: infer Body extends z.ZodType } ? Body : never;

/** The validated input of an operation: the path parameters by name, the query, the body, and the id of the command. */
export type OperationInput<E extends Endpoint> = PathParams<E["path"]> &
  Member<"query", E, z.output<QuerySchema<E>>> &
  Member<"body", E, z.output<BodySchema<E>>> & { readonly commandId?: string | undefined };

/** The input as a caller over RPC gives it, before its validation. An absent query is an empty one. */
export type GivenInput<E extends Endpoint> = { readonly [Name in keyof PathParams<E["path"]>]: string | null } & Member<
  "query",
  E,
  z.input<QuerySchema<E>> | undefined
> &
  Member<"body", E, z.input<BodySchema<E>>> & { readonly commandId?: string | undefined };

/** A request to the HTTP route of an operation. */
export type OperationRequest<E extends Endpoint> = {
  readonly request: Request;
  readonly caller: Caller;
  readonly input: OperationInput<E>;
};

/** The HTTP side of an operation: its description in /openapi.json, and deviations from the ordinary route. */
export type HttpBinding<E extends Endpoint> = {
  readonly tag: string;
  readonly summary: string;
  /** The status of success; 200 by default. */
  readonly status?: number;
  /** The description of the response. */
  readonly answer: string;
  /** The media type of the response; JSON by default. */
  readonly type?: string;
  /** Request headers that the route uses, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An example of the body. */
  readonly example?: object;
  /** The maximum bytes of the body; by default the limit of a message. */
  readonly maxBytes?: number;
  /** A body that is not JSON: its formats by media type, and the function that reads it. */
  readonly upload?: {
    readonly formats: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
    readonly read: (request: Request) => Promise<z.output<BodySchema<E>>>;
  };
  /** True if `Accept: text/event-stream` selects a stream of frames. */
  readonly streams?: boolean;
};

/** An operation. `Args` are its arguments over RPC after the user id; `never` if it has no RPC method. */
export type Operation<E extends Endpoint, Args extends readonly unknown[], Result> = {
  readonly endpoint: E;
  /** Absent if the operation has no HTTP route. */
  readonly http?: HttpBinding<E>;
  /** Converts the arguments over RPC to the input. */
  readonly rpc?: (...args: Args) => GivenInput<E>;
  readonly run: (caller: Caller, input: OperationInput<E>) => Promise<Result>;
  /** Converts the result to the response over HTTP, or to its JSON. Without it, the result is the JSON. */
  readonly respond?: (result: Result, call: OperationRequest<E>) => Promise<Response | object> | Response | object;
  /** Answers HTTP requests for a stream instead of `run`. Without it, `respond` does. */
  readonly stream?: (call: OperationRequest<E>) => Promise<Response>;
};

/** An operation whose types are not known. */
export type AnyOperation = Operation<Endpoint, readonly unknown[], unknown>;

/** Defines an operation; its types follow from the endpoint and the functions. */
export function defineOperation<const E extends Endpoint, Result, Args extends readonly unknown[] = never>(
  endpoint: E,
  definition: Omit<Operation<E, Args, Result>, "endpoint">,
): Operation<E, Args, Result> {
  return { endpoint, ...definition };
}
