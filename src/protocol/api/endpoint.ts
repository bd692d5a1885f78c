// The contract of one endpoint of the HTTP API, as the server and the typed client share it. The tables in this folder
// hold one endpoint per operation; `http/api` adds what only the server needs, and the client derives its calls.

import * as z from "zod";
import type { FaultCode } from "../wire/fault.ts";

export type Endpoint = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The path with parameters in braces, as in OpenAPI. */
  readonly path: string;
  /** The query by its types. In a URL, numbers are written in decimal, and booleans as `true` and `false`. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** True if the client may name the command: by `id` in the body or, without it, by the header `Idempotency-Key`. */
  readonly isCommand?: true;
  /** The code for a body that does not match the schema; `invalid_request` by default. */
  readonly refusal?: FaultCode;
  readonly output: z.core.$ZodType & Pick<z.ZodType, "parse">;
};

type EndpointTable = Readonly<Record<string, Endpoint>>;

/** Checks the types of a table and returns it with the literal type of each path. */
export function defineEndpoints<const Table extends EndpointTable>(table: Table): Table {
  return table;
}

/** The query of paginated lists: entries per page, and the cursor of the page. */
export const pageQuerySchema = z.strictObject({
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().optional(),
});
export type PageQuery = z.input<typeof pageQuerySchema>;

/** The query that selects a version; without it, the current one. */
export const versionQuerySchema = z.strictObject({ version: z.int().min(1).optional() });

/** The parameters of a path by their names in braces. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown;

type PathArguments<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathArguments<Rest>]
  : [];

/** An argument of this type, which may be omitted if all of its members may. */
type PayloadArgument<Payload> = object extends Payload ? [payload?: Payload] : [payload: Payload];

type PayloadArguments<E extends Endpoint> = E extends { readonly body: infer Body extends z.ZodType }
  ? PayloadArgument<z.input<Body> & (E["isCommand"] extends true ? { id?: string | undefined } : unknown)>
  : E extends { readonly query: infer Query extends z.ZodObject }
    ? PayloadArgument<z.input<Query>>
    : [];

/**
 * The calls of the typed client for a table. Their arguments are the path parameters in order, then the body or, for an
 * endpoint without a body, the query.
 */
export type EndpointCalls<Table extends EndpointTable> = {
  readonly [Name in keyof Table]: (
    ...args: [...PathArguments<Table[Name]["path"]>, ...PayloadArguments<Table[Name]>]
  ) => Promise<z.output<Table[Name]["output"]>>;
};
