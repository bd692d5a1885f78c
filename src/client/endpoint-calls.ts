// Derives the calls of the client from tables of endpoints (`protocol/api`).

import type { Endpoint, EndpointCalls } from "../protocol/api/endpoint.ts";
import { createHttpClient, buildQueryString, type ApiOptions } from "./http-client.ts";

/**
 * Creates the calls of a table. Sends nothing until one is called. All calls reject with a `Fault` (the problem that the
 * server returned, or `unavailable` if it cannot be reached), or with a `ZodError` if the response does not match its
 * schema.
 */
export function createEndpointCalls<Table extends Readonly<Record<string, Endpoint>>>(
  endpoints: Table,
  options: ApiOptions,
): EndpointCalls<Table> {
  const { call } = createHttpClient(options);
  const calls = Object.entries(endpoints).map(([name, { method, path, body, output }]) => {
    const parameterCount = path.split("{").length - 1;
    const send = async (...args: readonly unknown[]): Promise<unknown> => {
      const payload = args[parameterCount] ?? {};
      const resource = buildPath(path, args);
      const answer =
        body === undefined
          ? call(method, resource + buildQueryString(payload as Parameters<typeof buildQueryString>[0]))
          : call(method, resource, payload);
      return output.parse(await answer);
    };
    return [name, send] as const;
  });
  return Object.fromEntries(calls) as unknown as EndpointCalls<Table>;
}

/** Fills the parameters of a path, in braces, with values in their order. */
export function buildPath(path: string, values: readonly unknown[]): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(values[next++])));
}
