// Signing in to the MCP server over OAuth, with the flows of the current and the previous official client, and a browser
// that keeps cookies and sends forms.

import { Client, StreamableHTTPClientTransport, type OAuthDiscoveryState } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createIssuer } from "../../http/tokens.ts";
import { shareRuntime } from "../../support/shared-runtime.ts";
import { startOpenAISetup, type OpenAISetup } from "./openai-setup.ts";

const INFO = { name: "test", version: "1.0.0" };
const REDIRECT = "http://127.0.0.1:7777/callback";

let setup: OpenAISetup;
beforeAll(async () => {
  setup = await startOpenAISetup();
});

type Tokens = { access_token: string; token_type: string; refresh_token?: string };
type Registered = { client_id: string; issuer?: string };
type Stored = { client?: Registered; tokens?: Tokens; verifier?: string; discovery?: OAuthDiscoveryState; page?: URL };

/** The storage of a client, as an application implements it. */
function createProvider(client?: Registered) {
  const stored: Stored = client === undefined ? {} : { client };
  return {
    stored,
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Test client", redirect_uris: [REDIRECT], token_endpoint_auth_method: "none" },
    state: () => "state-1",
    clientInformation: () => stored.client,
    saveClientInformation: (information: Registered) => void (stored.client = information),
    tokens: () => stored.tokens,
    saveTokens: (tokens: Tokens) => void (stored.tokens = tokens),
    redirectToAuthorization: (page: URL) => void (stored.page = page),
    saveCodeVerifier: (verifier: string) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier ?? "",
    discoveryState: () => stored.discovery,
    saveDiscoveryState: (discovery: OAuthDiscoveryState) => void (stored.discovery = discovery),
  };
}
type Provider = ReturnType<typeof createProvider>;

type Connection = {
  /** Rejects if the person has to sign in. */
  connect(): Promise<void>;
  /** Completes the sign-in with the parameters of the redirect. */
  finish(parameters: URLSearchParams): Promise<void>;
  ask(message: string): Promise<unknown>;
  close(): Promise<void>;
};

function createConnection(url: string, authProvider: Provider): Connection {
  const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
  return {
    connect: () => client.connect(transport),
    finish: (parameters) => transport.finishAuth(parameters),
    ask: async (message) => (await client.callTool({ name: "ask", arguments: { message } })).structuredContent,
    close: () => client.close(),
  };
}

function createOldConnection(url: string, authProvider: Provider): Connection {
  const client = new OldClient(INFO);
  const transport = new OldTransport(new URL(`${url}/mcp`), { authProvider });
  return {
    connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
    finish: (parameters) => transport.finishAuth(parameters.get("code") ?? ""),
    ask: async (message) => (await client.callTool({ name: "ask", arguments: { message } })).structuredContent,
    close: () => client.close(),
  };
}

/** Opens the consent page, fills in the token and sends the form. Resolves with the redirect to the client. */
async function consent(page: URL, token: string): Promise<URL> {
  const shown = await fetch(page);
  const [, handle = ""] = /name="handle" value="([^"]+)"/.exec(await shown.text()) ?? [];
  const answered = await fetch(page, {
    method: "POST",
    headers: {
      cookie: shown.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; "),
    },
    body: new URLSearchParams({ handle, token, decision: "allow" }),
    redirect: "manual",
  });
  expect(answered.status).toBe(303);
  return new URL(answered.headers.get("location") ?? "");
}

/** Signs in and returns the connection of the client, which can call tools. */
async function signIn(create: typeof createConnection, provider: Provider): Promise<Connection> {
  const refused = create(setup.runtime.url, provider);
  await expect(refused.connect()).rejects.toThrow(/unauthorized/i);
  const page = provider.stored.page;
  if (page === undefined) throw new Error("The client did not ask for the sign-in.");
  const back = await consent(page, setup.token);
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
  expect(back.searchParams.get("state")).toBe("state-1");
  await refused.finish(back.searchParams);
  const connection = create(setup.runtime.url, provider);
  await connection.connect();
  return connection;
}

const post = (path: string, body: Record<string, string>) =>
  fetch(setup.runtime.url + path, { method: "POST", body: new URLSearchParams(body) });
const ping = (token: string, path = "/mcp") =>
  setup.ada.request("POST", path, { jsonrpc: "2.0", id: 1, method: "ping" }, { authorization: `Bearer ${token}` });

describe.each([
  ["the current client", createConnection],
  ["the previous client", createOldConnection],
])("%s", (_, create) => {
  test("[U1] registers, lets the person sign in, calls a tool as them, refreshes and revokes its token", async () => {
    const provider = createProvider();
    const connection = await signIn(create, provider);
    const result = await connection.ask(`Hello ${setup.scriptAnswer("Hello there.")}`);
    expect(result).toMatchObject({ status: "completed", answer: "Hello there." });
    const { conversation_id: id } = result as { conversation_id: string };
    expect(await setup.ada.get(`/api/v1/conversations/${id}`)).toMatchObject({ user_id: setup.userId });

    // A refused access token makes the client refresh it.
    const first = provider.stored.tokens;
    if (first?.refresh_token === undefined) throw new Error("No refresh token");
    provider.stored.tokens = { ...first, access_token: `${first.access_token.slice(0, -4)}aaaa` };
    expect(await connection.ask(`Again ${setup.scriptAnswer("Yes.")}`)).toMatchObject({ answer: "Yes." });
    const second = provider.stored.tokens;
    expect(second.access_token).not.toBe(first.access_token);

    const client_id = provider.stored.client?.client_id ?? "";
    expect((await ping(second.access_token)).status).toBe(200);
    const revoked = await post("/oauth/token", { client_id, token: second.refresh_token ?? "" });
    expect(revoked.status).toBe(200);
    expect((await ping(second.access_token)).status).toBe(401);
    await connection.close();
  });
});

describe("with tokens of another issuer", () => {
  let issuer: Server;
  let url: string;
  beforeAll(async () => {
    const { jwks } = await createIssuer();
    issuer = createServer((request, response) => {
      const metadata = {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(request.url === "/jwks.json" ? jwks : metadata));
    });
    await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  });
  afterAll(() => issuer.close());

  test.each([
    ["the current client", createConnection],
    ["the previous client", createOldConnection],
  ])("%s finds the issuer, its scopes and the resource", async (_, create) => {
    const vars = { AUTH_JWKS_URL: `${url}/jwks.json`, AUTH_ISSUER: url, AUTH_SCOPES: "orrery.use openid" };
    const runtime = await shareRuntime({ vars });
    const provider = createProvider({ client_id: "known", issuer: url });
    await expect(create(runtime.url, provider).connect()).rejects.toThrow(/unauthorized/i);
    const page = provider.stored.page;
    expect(`${page?.origin}${page?.pathname}`).toBe(`${url}/authorize`);
    expect(Object.fromEntries(page?.searchParams ?? [])).toMatchObject({
      client_id: "known",
      scope: "orrery.use openid",
      resource: `${runtime.url}/mcp`,
      code_challenge_method: "S256",
    });
  });
});
