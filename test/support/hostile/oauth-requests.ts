// Valid requests of a client that signs a person in over OAuth, and the sign-in that they need.

import type { Form, ValidRequest } from "./mutate-request.ts";

/** The results of a sign-in. `code` has been used; `page` is the address of the consent page with its cookie. */
export type SignIn = {
  readonly clientId: string;
  readonly code: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly page: ConsentPage;
};
type ConsentPage = { readonly path: string; readonly handle: string; readonly cookie: string };

const REDIRECT = "http://127.0.0.1:7777/callback";
const METADATA = { client_name: "Test client", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" };
/** The example of RFC 7636, appendix B. */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const createCodeForm = (clientId: string, code: string): Form => ({
  grant_type: "authorization_code",
  client_id: clientId,
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
});

/** Registers a client and signs a person in with their token. Throws if the server refuses a step. */
export async function signIn(url: string, token: string): Promise<SignIn> {
  const register = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(METADATA) };
  const { client_id: clientId } = (await (await fetch(`${url}/oauth/register`, register)).json()) as {
    client_id: string;
  };
  const { path, handle, cookie } = await openConsentPage(url, clientId);
  const body = new URLSearchParams({ handle, token, decision: "allow" });
  const allowed = await fetch(url + path, { method: "POST", headers: { cookie }, body, redirect: "manual" });
  const code = URL.parse(allowed.headers.get("location") ?? "")?.searchParams.get("code") ?? "";
  const exchange = { method: "POST", body: new URLSearchParams(createCodeForm(clientId, code)) };
  const response = await fetch(`${url}/oauth/token`, exchange);
  if (!response.ok) throw new Error(`The sign-in failed: ${await response.text()}`);
  const tokens = (await response.json()) as { access_token: string; refresh_token: string };
  const page = await openConsentPage(url, clientId);
  return { clientId, code, accessToken: tokens.access_token, refreshToken: tokens.refresh_token, page };
}

async function openConsentPage(url: string, clientId: string): Promise<ConsentPage> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: "state-1",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  const path = `/oauth/authorize?${query.toString()}`;
  const response = await fetch(url + path);
  const [, handle = ""] = /name="handle" value="([^"]+)"/.exec(await response.text()) ?? [];
  const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { path, handle, cookie: cookie.join("; ") };
}

/** Returns the requests of each step. Steps that work only once are refused when they are repeated. */
export function createOAuthRequests(
  { clientId, code, accessToken, refreshToken, page }: SignIn,
  token: string,
): ValidRequest[] {
  const post = (name: string, path: string, form: Form, headers: ValidRequest["headers"] = {}): ValidRequest => ({
    name: `OAuth ${name}`,
    method: "POST",
    path,
    headers,
    body: { form },
  });
  const { path, handle, cookie } = page;
  return [
    { name: "OAuth register", method: "POST", path: "/oauth/register", body: { json: METADATA } },
    { name: "OAuth consent page", method: "GET", path },
    post("wrong token", path, { handle, token: "x.y.z", decision: "allow" }, { cookie }),
    post("consent", path, { handle, token, decision: "allow" }, { cookie }),
    post("denial", path, { handle, decision: "deny" }, { cookie }),
    post("code", "/oauth/token", createCodeForm(clientId, code)),
    post("refresh", "/oauth/token", {
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: refreshToken,
    }),
    post("revoke", "/oauth/token", { client_id: clientId, token: accessToken, token_type_hint: "access_token" }),
  ];
}
