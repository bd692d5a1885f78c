// An MCP client that signs a person in over OAuth, one request at a time, and the browser of the person.

import { createExecutionContext } from "cloudflare:test";
import { expect } from "vitest";
import { handleRequest } from "../../src/http/http-app.ts";
import { call, ENV, ORIGIN, type ApiRequest } from "./support.ts";
import { WITH_SECRET } from "./tokens.ts";

export const REDIRECT = "https://client.example/callback";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** The verifier and challenge of RFC 7636, appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

type Parameters = Readonly<Record<string, string>>;
export type Environment = NonNullable<ApiRequest["env"]>;
export type TokenAnswer = {
  readonly status: number;
  readonly error?: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
};

/** Registers a client and returns its id. */
export async function registerClient(metadata: object = {}): Promise<string> {
  const body = {
    client_name: "Test client",
    redirect_uris: [REDIRECT, "http://127.0.0.1:7777/callback"],
    token_endpoint_auth_method: "none",
    ...metadata,
  };
  const response = await call("POST", "/oauth/register", { env: WITH_SECRET, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { client_id: string }).client_id;
}

/** Returns the address of the consent page; empty parameters are left out. */
export function formatPage(clientId: string, changes: Parameters = {}): string {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "state-1",
    scope: "mcp",
    resource: `${ORIGIN}/mcp`,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...changes,
  };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return `/oauth/authorize?${query.toString()}`;
}

/** Requests the consent page like a browser. With `form`, sends it. */
export async function openPage(path: string, headers: Parameters = {}, form?: Parameters): Promise<Response> {
  const request = new Request(`${ORIGIN}${path}`, {
    method: form === undefined ? "GET" : "POST",
    headers: { ...headers, ...(form === undefined ? {} : FORM) },
    ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
    redirect: "manual",
  });
  return handleRequest(request, { ...ENV, ...WITH_SECRET } as typeof ENV, createExecutionContext());
}

/** Opens the page. Returns the handle in its form and the cookies that it sets. */
export async function readPage(path: string): Promise<{ readonly handle: string; readonly cookie: string }> {
  const page = await openPage(path);
  expect(page.status).toBe(200);
  const [, handle = ""] = /name="handle" value="([^"]+)"/.exec(await page.text()) ?? [];
  return {
    handle,
    cookie: page.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; "),
  };
}

/** Opens the page and allows the access with a token. Returns the code for the client. */
export async function allow(clientId: string, token: string): Promise<string> {
  const path = formatPage(clientId);
  const { handle, cookie } = await readPage(path);
  const sent = await openPage(path, { cookie }, { handle, token, decision: "allow" });
  expect(sent.status).toBe(303);
  return new URL(sent.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

/** Sends a request to the token endpoint. */
export async function requestTokens(form: Parameters, env: Environment = WITH_SECRET): Promise<TokenAnswer> {
  const body = new URLSearchParams(form).toString();
  const response = await call("POST", "/oauth/token", { env, headers: FORM, body });
  const text = await response.text();
  return { ...(text === "" ? {} : (JSON.parse(text) as object)), status: response.status } as TokenAnswer;
}

export const redeem = (clientId: string, code: string, changes: Parameters = {}): Promise<TokenAnswer> =>
  requestTokens({
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...changes,
  });

export const refresh = (clientId: string, token: string, env: Environment = WITH_SECRET): Promise<TokenAnswer> =>
  requestTokens({ grant_type: "refresh_token", client_id: clientId, refresh_token: token }, env);

/** Signs a person in with their token. */
export async function signIn(token: string): Promise<TokenAnswer & { readonly clientId: string }> {
  const clientId = await registerClient();
  const tokens = await redeem(clientId, await allow(clientId, token));
  expect(tokens.status).toBe(200);
  return { ...tokens, clientId };
}
