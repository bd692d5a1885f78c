// Sign-in of MCP clients over OAuth: what the server publishes, and every request that it must refuse.

import { afterEach, describe, expect, test, vi } from "vitest";
import { createExecutionContext } from "cloudflare:test";
import { handleRequest, routes } from "../../../src/http/http-app.ts";
import {
  allow,
  formatPage,
  openPage,
  redeem,
  refresh,
  registerClient,
  requestTokens,
  signIn,
  type Environment,
} from "../mcp-client.ts";
import { call, callForProblem, ENV, expectSecurityHeaders, ORIGIN } from "../support.ts";
import { createBearer, JWKS_URL, SECRET, signToken, WITH_JWKS, WITH_SECRET } from "../tokens.ts";

const RESOURCE_PATHS = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
const METADATA = `${ORIGIN}${RESOURCE_PATHS[0]}`;
const ISSUER = "https://issuer.example";
const WITH_ISSUER_KEYS = { AUTH_JWKS_URL: JWKS_URL, AUTH_ISSUER: ISSUER };

const now = () => Math.floor(Date.now() / 1_000);
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const ping = (token?: string, env: Environment = WITH_SECRET) =>
  call("POST", "/mcp", { env, body: PING, ...(token === undefined ? {} : createBearer(token)) });

afterEach(() => {
  vi.useRealTimers();
});

describe("the metadata", () => {
  test.each(RESOURCE_PATHS)("%s names this server, which issues tokens with PKCE", async (path) => {
    const resource = await call("GET", path, { env: WITH_SECRET });
    expect(await resource.json()).toEqual({
      resource: `${ORIGIN}/mcp`,
      resource_name: "Orrery",
      authorization_servers: [ORIGIN],
      scopes_supported: ["mcp"],
      bearer_methods_supported: ["header"],
    });
    const server = await call("GET", "/.well-known/oauth-authorization-server", { env: WITH_SECRET });
    expect(await server.json()).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/oauth/authorize`,
      token_endpoint: `${ORIGIN}/oauth/token`,
      registration_endpoint: `${ORIGIN}/oauth/register`,
      revocation_endpoint: `${ORIGIN}/oauth/token`,
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      scopes_supported: ["mcp"],
    });
  });

  test.each([
    ["", {}],
    ["read write", { scopes_supported: ["read", "write"] }],
  ])("names another issuer, with the scopes %j", async (AUTH_SCOPES, scopes) => {
    for (const path of RESOURCE_PATHS) {
      const response = await call("GET", path, { env: { ...WITH_ISSUER_KEYS, AUTH_SCOPES } });
      expect(await response.json()).toEqual({
        resource: `${ORIGIN}/mcp`,
        resource_name: "Orrery",
        authorization_servers: [ISSUER],
        ...scopes,
        bearer_methods_supported: ["header"],
      });
    }
    expect((await call("GET", "/.well-known/oauth-authorization-server", { env: WITH_ISSUER_KEYS })).status).toBe(404);
  });

  test.each<[string, Environment]>([
    ["sign-in is off", {}],
    ["the issuer is unknown", WITH_JWKS],
    ["there is no store", { ...WITH_SECRET, OAUTH_KV: undefined }],
  ])("does not exist if %s", async (_, env) => {
    for (const path of [...RESOURCE_PATHS, "/.well-known/oauth-authorization-server", "/oauth/authorize"]) {
      expect(await callForProblem("GET", path, { env, headers: { accept: "text/html" } })).toMatchObject({
        code: "not_found",
      });
    }
    expect((await call("POST", "/oauth/register", { env, body: {} })).status).toBe(404);
  });

  test("does not exist at an origin where tokens could be read on their way", async () => {
    const request = new Request(`http://192.0.2.1${RESOURCE_PATHS[0]}`);
    const env = { ...ENV, ...WITH_SECRET } as typeof ENV;
    expect((await handleRequest(request, env, createExecutionContext())).status).toBe(404);
  });
});

describe("a refused request to /mcp", () => {
  test.each<[string, Environment, string | undefined, string]>([
    ["without a token", WITH_SECRET, undefined, `Bearer scope="mcp", resource_metadata="${METADATA}"`],
    [
      "with a wrong token",
      WITH_SECRET,
      "nonsense",
      `Bearer error="invalid_token", scope="mcp", resource_metadata="${METADATA}"`,
    ],
    [
      "with an unknown token of a client",
      WITH_SECRET,
      `${"a".repeat(64)}:${"b".repeat(16)}:${"c".repeat(32)}`,
      `Bearer error="invalid_token", scope="mcp", resource_metadata="${METADATA}"`,
    ],
    ["of another issuer", WITH_ISSUER_KEYS, undefined, `Bearer resource_metadata="${METADATA}"`],
    ["without a known issuer", WITH_JWKS, undefined, "Bearer"],
  ])("%s tells where to get one", async (_, env, token, challenge) => {
    const response = await ping(token, env);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, challenge]);
  });

  test("is unavailable while the store is down", async () => {
    const OAUTH_KV = { get: () => Promise.reject(new Error("secret-host is down")) };
    const response = await ping(`${"a".repeat(64)}:${"b".repeat(16)}:${"c".repeat(32)}`, { ...WITH_SECRET, OAUTH_KV });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("secret-host");
  });
});

describe("a code", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["another verifier", { code_verifier: "a".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["another redirect URI", { redirect_uri: "http://127.0.0.1:7777/callback" }],
    ["another resource", { resource: "https://elsewhere.example/mcp" }],
  ])("is refused with %s", async (_, changes) => {
    const clientId = await registerClient();
    const code = await allow(clientId, await signToken({ sub: "ada" }));
    expect((await redeem(clientId, code, changes)).status).toBe(400);
  });

  test("is refused for another client", async () => {
    const code = await allow(await registerClient(), await signToken({ sub: "ada" }));
    expect(await redeem(await registerClient(), code)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("works once; a second use ends the access of the first", async () => {
    const clientId = await registerClient();
    const code = await allow(clientId, await signToken({ sub: "ada" }));
    const { access_token: token } = await redeem(clientId, code);
    expect((await ping(token)).status).toBe(200);
    expect(await redeem(clientId, code)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect((await ping(token)).status).toBe(401);
  });
});

test.each(["client", "refresh token", "access token", "code", "page"] as const)(
  "refuses the id of a %s that is longer than the store allows",
  async (kind) => {
    const long = "x".repeat(600);
    const clientId = await registerClient();
    const send: Record<typeof kind, () => Promise<{ readonly status: number }>> = {
      client: () => refresh(long, "a:b:c"),
      "refresh token": () => refresh(clientId, `${long}:b:c`),
      "access token": () => requestTokens({ client_id: clientId, token: `${long}:b:c` }),
      code: () => redeem(clientId, `${long}:b:c`),
      page: () => openPage(formatPage(long)),
    };
    // The revocation of an unknown token succeeds (RFC 7009).
    expect((await send[kind]()).status).toBe({ client: 401, "access token": 200 }[kind as string] ?? 400);
  },
);

describe("a token of a client", () => {
  test("[U1] is refused by every other interface", async () => {
    const { access_token: token } = await signIn(await signToken({ sub: "ada" }));
    const others = ["/a2a", "/a2a/message:send", "/agui", "/v1/chat/completions", "/mcp/"].map(
      (path) => ["post", path] as const,
    );
    const guarded = routes
      .filter(({ isPublic }) => isPublic !== true)
      .map(({ method, path }) => [method, path] as const);
    for (const [method, path] of [...guarded, ...others]) {
      const response = await call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "conv-1"), {
        env: WITH_SECRET,
        headers: { ...createBearer(token).headers, ...(path.endsWith("/ws") ? { upgrade: "websocket" } : {}) },
        ...(method === "get" ? {} : { body: {} }),
      });
      expect([path, response.status]).toEqual([path, path === "/mcp/" ? 404 : 401]);
    }
  });

  test("does not reveal the user or their token", async () => {
    const token = await signToken({ sub: "ada@example.org" });
    expect(JSON.stringify(await signIn(token))).not.toMatch(/ada|eyJ/);
  });

  test("is limited as its user", async () => {
    const { access_token: token } = await signIn(await signToken({ sub: "ada" }));
    const keys: string[] = [];
    const REQUESTS = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 }) };
    expect((await ping(token, { ...WITH_SECRET, REQUESTS })).status).toBe(200);
    expect(keys).toEqual(["user:ada"]);
  });

  test("lasts an hour, and its grant 30 days, if the token of the person does not expire", async () => {
    const grant = await signIn(await signToken({ sub: "ada" }));
    expect(grant.expires_in).toBe(3_600);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
    expect((await ping(grant.access_token)).status).toBe(401);
    const second = await refresh(grant.clientId, grant.refresh_token);
    expect((await ping(second.access_token)).status).toBe(200);
    vi.setSystemTime(Date.now() + 30 * 86_400_000);
    expect(await refresh(grant.clientId, second.refresh_token)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("ends with the token of the person, and so does its grant", async () => {
    const grant = await signIn(await signToken({ sub: "ada", exp: now() + 600 }));
    expect(grant.expires_in).toBeLessThanOrEqual(630);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 500_000 });
    expect((await ping(grant.access_token)).status).toBe(200);
    vi.setSystemTime(Date.now() + 150_000);
    expect((await ping(grant.access_token)).status).toBe(401);
    expect(await refresh(grant.clientId, grant.refresh_token)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  test("ends when AUTH_SECRET changes, and so does its grant", async () => {
    const grant = await signIn(await signToken({ sub: "ada" }));
    const changed = { AUTH_SECRET: `${SECRET}, changed` };
    expect((await ping(grant.access_token, changed)).status).toBe(401);
    expect(await refresh(grant.clientId, grant.refresh_token, changed)).toMatchObject({ error: "invalid_grant" });
    expect((await ping(grant.access_token)).status, "the failed refresh has deleted the grant").toBe(401);
  });

  test("is revoked only by its own client", async () => {
    const grant = await signIn(await signToken({ sub: "ada" }));
    await requestTokens({ client_id: await registerClient(), token: grant.access_token });
    expect((await ping(grant.access_token)).status).toBe(200);
    await requestTokens({ client_id: grant.clientId, token: grant.access_token });
    expect((await ping(grant.access_token)).status).toBe(401);
  });
});

test("only pages of ALLOWED_ORIGINS read answers", async () => {
  const env = { ...WITH_SECRET, ALLOWED_ORIGINS: "https://chat.example" };
  for (const path of [...RESOURCE_PATHS, "/.well-known/oauth-authorization-server", "/oauth/token"]) {
    for (const origin of ["https://chat.example", "https://evil.example"]) {
      const response = await call(path === "/oauth/token" ? "POST" : "GET", path, { env, headers: { origin } });
      const expected = origin === "https://chat.example" ? origin : null;
      expect([path, response.headers.get("access-control-allow-origin")]).toEqual([path, expected]);
    }
  }
});

test("requests of clients without a token are limited by address", async () => {
  const REQUESTS = { limit: async ({ key }: { key: string }) => ({ success: key !== "from:192.0.2.7" }) };
  const headers = { "cf-connecting-ip": "192.0.2.7" };
  for (const [path, limit] of [
    ["/oauth/register", { REGISTRATIONS: REQUESTS }],
    ["/oauth/token", { REQUESTS }],
  ] as const) {
    const response = await call("POST", path, { env: { ...WITH_SECRET, ...limit }, headers, body: {} });
    expectSecurityHeaders(response);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"]);
  }
});
