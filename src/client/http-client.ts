// The HTTP client that all calls share: headers, token, errors and queries.

import { Fault, problemDetailsSchema } from "../protocol/wire/fault.ts";

/** A bearer token, or a function that returns a current one. The function is called for every request. */
export type TokenSource = string | (() => string | Promise<string>);

export type ApiOptions = {
  /** The base URL of the server, with or without a trailing slash: `https://orrery.example`. */
  readonly url: string;
  readonly token?: TokenSource | undefined;
  /** Returns the language tag in which the server writes its problems; by default that of `fetch`, or English. */
  readonly language?: (() => string) | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/**
 * Paths begin with a slash. A string or `Blob` is sent unchanged; any other body is sent as JSON. `type` is the content
 * type of the body, `application/json` by default. An error of the token function is passed on.
 */
export type HttpClient = {
  /**
   * Returns the body: as text if its content type is `text/…`, otherwise as parsed JSON, and null if it is not JSON.
   * Rejects with a `Fault`: the problem that the server returned, or `unavailable` if it cannot be reached.
   */
  readonly call: (method: string, path: string, body?: unknown, type?: string) => Promise<unknown>;
  /** Like `call`, but returns the response with its body unread. */
  readonly open: (method: string, path: string, body?: unknown, type?: string) => Promise<Response>;
  /** Like `open`, but also returns error responses. Rejects with `unavailable` if the server cannot be reached. */
  readonly send: (method: string, path: string, body?: unknown, type?: string) => Promise<Response>;
};

/** Creates the HTTP client of one server. */
export function createHttpClient({ url, token, language, fetch = globalThis.fetch }: ApiOptions): HttpClient {
  const base = url.replace(/\/+$/, "");
  const send: HttpClient["send"] = async (method, path, body, type = "application/json") => {
    const bearer = typeof token === "function" ? await token() : token;
    const headers = new Headers({ accept: "application/json" });
    if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
    if (language !== undefined) headers.set("accept-language", language());
    if (body !== undefined) headers.set("content-type", type);
    const raw = typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
    try {
      return await fetch(base + path, {
        method: method.toUpperCase(),
        headers,
        ...(body === undefined ? {} : { body: raw }),
      });
    } catch (cause) {
      throw new Fault("unavailable", `${url} cannot be reached.`, { cause });
    }
  };
  const open: HttpClient["open"] = async (method, path, body, type) => {
    const response = await send(method, path, body, type);
    if (response.ok) return response;
    throw toResponseFault(response.status, await response.json().catch(() => null));
  };
  const call: HttpClient["call"] = async (method, path, body, type) => {
    const response = await open(method, path, body, type);
    if (response.headers.get("content-type")?.startsWith("text/") === true) return response.text();
    return response.json().catch(() => null);
  };
  return { call, open, send };
}

/** Formats a query string with its question mark; omits undefined values. Returns "" if none are left. */
export function buildQueryString(page: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const defined = Object.entries(page).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(defined.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/**
 * Converts an error response to the `Fault` in its body. A body of another form, as of a proxy, yields `unauthorized`
 * for 401, `not_found` for 404, `invalid_request` for other statuses below 500, and `unavailable` from 500 on.
 */
export function toResponseFault(status: number, body: unknown): Fault {
  const problem = problemDetailsSchema.safeParse(body).data;
  if (problem !== undefined) {
    const { type: _, title: __, status: ___, code, detail: words, ...detail } = problem;
    return new Fault(code, words, detail);
  }
  if (status === 401) return new Fault("unauthorized", "The server wants a valid token.");
  if (status === 404) return new Fault("not_found", "There is no such thing on the server.");
  return new Fault(status < 500 ? "invalid_request" : "unavailable", `The server answered with status ${status}.`);
}
