// The way to the server over HTTP, which all calls take.

import { Fault, problemSchema } from "../protocol/fault.ts";

/** A bearer token, or where to get a fresh one. */
export type Token = string | (() => string | Promise<string>);

export type ApiOptions = {
  /** Where the server is, with or without a trailing slash: `https://orrery.example`. */
  readonly url: string;
  readonly token?: Token | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/** Paths begin with a slash. A body that is text or a file already is sent as it is, any other as JSON. */
export type Door = {
  /** Answers what JSON or text there is. Throws a `Fault`: the server's own problem, or `unavailable`. */
  readonly call: (method: string, path: string, body?: unknown, type?: string) => Promise<unknown>;
  /** As `call`, and answers the whole response. */
  readonly open: (method: string, path: string, body?: unknown, type?: string) => Promise<Response>;
  /** As `open`, and answers refusals too. Throws when the server cannot be reached. */
  readonly send: (method: string, path: string, body?: unknown, type?: string) => Promise<Response>;
};

export function doorOf({ url, token, fetch = globalThis.fetch }: ApiOptions): Door {
  const base = url.replace(/\/+$/, "");
  const send: Door["send"] = async (method, path, body, type = "application/json") => {
    const bearer = typeof token === "function" ? await token() : token;
    const headers = new Headers({ accept: "application/json" });
    if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
    if (body !== undefined) headers.set("content-type", type);
    const raw = typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
    try {
      return await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body: raw }) });
    } catch (cause) {
      throw new Fault("unavailable", `${url} cannot be reached.`, { cause });
    }
  };
  const open: Door["open"] = async (method, path, body, type) => {
    const response = await send(method, path, body, type);
    if (response.ok) return response;
    throw faultOf(response.status, await response.json().catch(() => null));
  };
  const call: Door["call"] = async (method, path, body, type) => {
    const response = await open(method, path, body, type);
    if (response.headers.get("content-type")?.startsWith("text/") === true) return response.text();
    return response.json().catch(() => null);
  };
  return { call, open, send };
}

/** The path of one thing, or of a part of it. */
export function pathOf(collection: string, id: string, part = ""): string {
  return `/api/v1/${collection}/${encodeURIComponent(id)}${part}`;
}

export function queryOf(page: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(page).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** A proxy in between may answer in its own words: then the status alone decides. */
export function faultOf(status: number, answer: unknown): Fault {
  const problem = problemSchema.safeParse(answer).data;
  if (problem !== undefined) {
    const { type: _, title: __, status: ___, code, detail: words, ...detail } = problem;
    return new Fault(code, words, detail);
  }
  if (status === 401) return new Fault("unauthorized", "The server wants a valid token.");
  if (status === 404) return new Fault("not_found", "There is no such thing on the server.");
  return new Fault(status < 500 ? "invalid_request" : "unavailable", `The server answered with status ${status}.`);
}
