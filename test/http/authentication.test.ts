// Authentication: every route against every kind of invalid token, and no access to data of another user.

import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "../../src/http/http-app.ts";
import { callRoute, call, createConversation, callForProblem, type ApiRequest } from "./support.ts";
import {
  authenticateAs,
  createInvalidTokens,
  createBearer,
  WITH_JWKS,
  WITH_SECRET,
  createIssuer,
  signToken,
  WITH_ISSUER,
} from "./tokens.ts";

const now = () => Math.floor(Date.now() / 1_000);

type GuardedRequest = ApiRequest & { readonly method: string; readonly path: string };
/** A request of each route, as it is accepted from an authenticated user, and one of each protocol. */
const GUARDED_REQUESTS: readonly GuardedRequest[] = [
  ...routes
    .filter((route) => route.isPublic !== true)
    .map(({ method, path, body, example }) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, "conv-1"),
      ...(path.endsWith("/ws") ? { headers: { upgrade: "websocket" } } : {}),
      ...(body === null ? {} : { body: example ?? { conversation_id: "conv-1" } }),
    })),
  ...["/a2a", "/a2a/message:send", "/agui", "/mcp", "/v1/chat/completions"].map((path) => ({
    method: "POST",
    path,
    body: {},
  })),
  { method: "GET", path: "/v1/models" },
];

describe("authentication with AUTH_SECRET", () => {
  let invalidTokens: Record<string, string>;
  beforeAll(async () => {
    invalidTokens = await createInvalidTokens();
  });

  test.each(GUARDED_REQUESTS)("[U1] rejects every invalid token on $method $path", async (guarded) => {
    const { method, path, ...options } = guarded;
    const attempts: [string, Record<string, string>][] = [
      ["no token", {}],
      ["another scheme", { authorization: "Basic YWRhOmFkYQ==" }],
      ["two tokens", { authorization: `Bearer ${await signToken({ sub: "ada" })} ${await signToken({ sub: "ada" })}` }],
      ...Object.entries(invalidTokens).map(([name, token]): [string, Record<string, string>] => [
        name,
        createBearer(token).headers,
      ]),
    ];
    const answers = new Set<string>();
    for (const [name, headers] of attempts) {
      const requestOptions = { ...options, env: WITH_SECRET, headers: { ...options.headers, ...headers } };
      const response = await call(method, path, requestOptions);
      expect(response.status, name).toBe(401);
      expect(response.headers.get("www-authenticate"), name).toMatch(path === "/mcp" ? /^Bearer .+/ : /^Bearer$/);
      answers.add(await response.text());
    }
    expect(answers.size, "the answer does not reveal what is wrong with a token").toBe(1);
  });

  test("ignores a token in the URL", async () => {
    const path = `/api/v1/conversations?token=${await signToken({ sub: "ada" })}`;
    expect(await callForProblem("GET", path, { env: WITH_SECRET })).toMatchObject({ code: "unauthorized" });
  });

  test("accepts a valid token within the clock tolerance", async () => {
    for (const claims of [{ sub: "ada" }, { sub: "ada", exp: now() - 5 }, { sub: "ada", nbf: now() + 5 }]) {
      await callRoute("GET", "/api/v1/agents", { env: WITH_SECRET, ...createBearer(await signToken(claims)) });
    }
  });

  test.each(["ada@example.org", "auth0|5f7c", "a/b/../c", "用户", "%2e", "O'Hara", "'; DROP TABLE conversation"])(
    "accepts the user id %s",
    async (user) => {
      const { conversation_id: id, user_id } = await createConversation(await authenticateAs(user));
      expect(user_id).toBe(user);
      expect(await callRoute("GET", `/api/v1/conversations/${id}`, await authenticateAs(user))).toMatchObject({
        user_id: user,
      });
      expect(
        await callForProblem("GET", `/api/v1/conversations/${id}`, await authenticateAs(`${user}2`)),
      ).toMatchObject({
        code: "not_found",
      });
    },
  );

  test("requires the configured issuer and audience", async () => {
    const claims = { sub: "ada", iss: "https://issuer.example", aud: "orrery" };
    const createOptions = async (tokenClaims: object) => ({
      env: WITH_ISSUER,
      ...createBearer(await signToken({ ...tokenClaims })),
    });
    await callRoute("GET", "/api/v1/agents", await createOptions(claims));
    await callRoute("GET", "/api/v1/agents", await createOptions({ ...claims, aud: ["other", "orrery"] }));
    for (const wrong of [
      { ...claims, iss: "https://evil.example" },
      { ...claims, aud: "other" },
      { sub: "ada", iss: claims.iss },
      { sub: "ada", aud: claims.aud },
    ]) {
      expect(await callForProblem("GET", "/api/v1/agents", await createOptions(wrong))).toMatchObject({
        code: "unauthorized",
      });
    }
  });
});

describe("authentication with AUTH_JWKS_URL", () => {
  let issuer: Awaited<ReturnType<typeof createIssuer>>;
  beforeAll(async () => {
    issuer = await createIssuer();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function mockJwks(answer: () => Response): void {
    vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(answer()));
  }

  test("returns 503 for a valid token when the keys cannot be read", async () => {
    const options = {
      env: { AUTH_JWKS_URL: "https://down.example/jwks.json" },
      ...createBearer(await issuer.sign("RS256", { sub: "ada" })),
    };
    mockJwks(() => new Response("no", { status: 500 }));
    expect(await callForProblem("GET", "/api/v1/agents", options)).toMatchObject({ code: "unavailable" });
    mockJwks(() => new Response("<html>"));
    expect(await callForProblem("GET", "/api/v1/agents", options)).toMatchObject({ code: "unavailable" });
    expect(await callForProblem("GET", "/api/v1/agents", { ...options, ...createBearer("garbage") })).toMatchObject({
      code: "unauthorized",
    });
  });

  test("returns 500 for a valid token when the URL is invalid", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const options = { env: { AUTH_JWKS_URL: "nonsense" }, ...createBearer(await issuer.sign("RS256", { sub: "ada" })) };
    expect(await callForProblem("GET", "/api/v1/agents", options)).toMatchObject({ code: "internal" });
    expect(String(logged.mock.calls[0]?.[1])).toContain("AUTH_JWKS_URL: ");
    expect((await call("GET", "/health", options)).status).toBe(500);
  });

  test.each(["RS256", "ES256", "EdDSA"])("accepts %s", async (alg) => {
    mockJwks(() => Response.json(issuer.jwks));
    await callRoute("GET", "/api/v1/agents", {
      env: WITH_JWKS,
      ...createBearer(await issuer.sign(alg, { sub: "ada" })),
    });
  });

  test("rejects the public key as a secret, unknown keys and other algorithms", async () => {
    mockJwks(() => Response.json(issuer.jwks));
    const otherIssuer = await createIssuer();
    const tokens = {
      confused: await issuer.signWithPublicKey("RS256"),
      "signed with the shared secret": await signToken({ sub: "ada" }),
      "a key of another issuer": await otherIssuer.sign("RS256", { sub: "ada" }),
      "an unknown key": await issuer.sign("RS256", { sub: "ada" }, "unknown"),
      "another key's id": await issuer.sign("ES256", { sub: "ada" }, "RS256"),
      "an algorithm that is not allowed": await issuer.sign("PS256", { sub: "ada" }),
      expired: await issuer.sign("ES256", { sub: "ada", exp: now() - 120 }),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const response = await call("GET", "/api/v1/agents", { env: WITH_JWKS, ...createBearer(token) });
      expect(response.status, name).toBe(401);
    }
  });

  test("uses only the secret when both are configured", async () => {
    const env = { ...WITH_SECRET, ...WITH_JWKS };
    await callRoute("GET", "/api/v1/agents", { env, ...createBearer(await signToken({ sub: "ada" })) });
    expect(
      await callForProblem("GET", "/api/v1/agents", {
        env,
        ...createBearer(await issuer.sign("RS256", { sub: "ada" })),
      }),
    ).toMatchObject({ code: "unauthorized" });
  });
});
