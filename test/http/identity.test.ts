// Who gets in: every route against every kind of bad token, and nobody into what is another's.

import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { routes } from "../../src/http/http-app.ts";
import type { ConversationInfo } from "../../src/protocol/wire/conversation-info.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import { ask, call, must, newConversation, refused, talk, type Ask } from "./support.ts";
import { as, badTokens, bearer, BY_JWKS, BY_SECRET, createIssuer, signed, STRICT } from "./tokens.ts";

const now = () => Math.floor(Date.now() / 1_000);
const guarded = routes.filter((route) => route.isPublic !== true);

/** A request that this route would take, were it not for its user. */
function requestFor({ path, body, example }: (typeof routes)[number], id: string): [path: string, options: Ask] {
  const at = path.replaceAll(/\{\w+\}/g, id);
  if (path.endsWith("/ws")) return [at, { headers: { upgrade: "websocket" } }];
  return [at, body === null ? {} : { body: example ?? { conversation_id: id } }];
}

describe("with AUTH_SECRET, without a good token nobody gets in", () => {
  let bad: Record<string, string>;
  beforeAll(async () => {
    bad = await badTokens();
  });

  test.each(guarded)("$method $path", async (route) => {
    const [path, options] = requestFor(route, "conv-1");
    const tries: [string, Record<string, string>][] = [
      ["no token", {}],
      ["an empty header", { authorization: "" }],
      ["another scheme", { authorization: "Basic YWRhOmFkYQ==" }],
      ["two tokens", { authorization: `Bearer ${await signed({ sub: "ada" })} ${await signed({ sub: "ada" })}` }],
      ...Object.entries(bad).map(([name, token]): [string, Record<string, string>] => [name, bearer(token).headers]),
    ];
    const answers = new Set<string>();
    for (const [name, headers] of tries) {
      const asked = { ...options, env: BY_SECRET, headers: { ...options.headers, ...headers } };
      const response = await call(route.method.toUpperCase(), path, asked);
      expect(response.status, name).toBe(401);
      expect(response.headers.get("www-authenticate"), name).toBe("Bearer");
      answers.add(await response.text());
    }
    expect(answers.size, "the answer does not say what is wrong with a token").toBe(1);
  });

  test("a token in the address is no token", async () => {
    const path = `/api/v1/conversations?token=${await signed({ sub: "ada" })}`;
    expect(await refused("GET", path, { env: BY_SECRET })).toMatchObject({ code: "unauthorized" });
  });

  test("a good one does, a little early or late too", async () => {
    for (const claims of [{ sub: "ada" }, { sub: "ada", exp: now() - 5 }, { sub: "ada", nbf: now() + 5 }]) {
      await ask("GET", "/api/v1/agents", { env: BY_SECRET, ...bearer(await signed(claims)) });
    }
  });

  test.each(["ada@example.org", "auth0|5f7c", "a/b/../c", "用户", "%2e", "O'Hara", "'; DROP TABLE conversation"])(
    "whatever the user is called: %s",
    async (user) => {
      const { conversation_id: id, user_id } = await newConversation(await as(user));
      expect(user_id).toBe(user);
      expect(await ask("GET", `/api/v1/conversations/${id}`, await as(user))).toMatchObject({ user_id: user });
      expect(await refused("GET", `/api/v1/conversations/${id}`, await as(`${user}2`))).toMatchObject({
        code: "not_found",
      });
    },
  );

  test("the issuer and the audience must be the wanted ones", async () => {
    const good = { sub: "ada", iss: "https://issuer.example", aud: "orrery" };
    const at = async (claims: object) => ({ env: STRICT, ...bearer(await signed({ ...claims })) });
    await ask("GET", "/api/v1/agents", await at(good));
    await ask("GET", "/api/v1/agents", await at({ ...good, aud: ["other", "orrery"] }));
    for (const wrong of [
      { ...good, iss: "https://evil.example" },
      { ...good, aud: "other" },
      { sub: "ada", iss: good.iss },
      { sub: "ada", aud: good.aud },
    ]) {
      expect(await refused("GET", "/api/v1/agents", await at(wrong))).toMatchObject({ code: "unauthorized" });
    }
  });
});

describe("with AUTH_JWKS_URL", () => {
  let issuer: Awaited<ReturnType<typeof createIssuer>>;
  beforeAll(async () => {
    issuer = await createIssuer();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  function publish(answer: () => Response): void {
    vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(answer()));
  }

  test("keys that cannot be read are not held against the token", async () => {
    const options = {
      env: { AUTH_JWKS_URL: "https://down.example/jwks.json" },
      ...bearer(await issuer.sign("RS256", { sub: "ada" })),
    };
    publish(() => new Response("no", { status: 500 }));
    expect(await refused("GET", "/api/v1/agents", options)).toMatchObject({ code: "unavailable" });
    publish(() => new Response("<html>"));
    expect(await refused("GET", "/api/v1/agents", options)).toMatchObject({ code: "unavailable" });
    expect(await refused("GET", "/api/v1/agents", { ...options, ...bearer("garbage") })).toMatchObject({
      code: "unauthorized",
    });
  });

  test("an address that is none is not held against the token either", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const options = { env: { AUTH_JWKS_URL: "nonsense" }, ...bearer(await issuer.sign("RS256", { sub: "ada" })) };
    expect(await refused("GET", "/api/v1/agents", options)).toMatchObject({ code: "internal" });
    expect(String(logged.mock.calls[0]?.[1])).toContain("AUTH_JWKS_URL: ");
    expect((await call("GET", "/health", options)).status).toBe(500);
  });

  test.each(["RS256", "ES256", "EdDSA"])("%s is good", async (alg) => {
    publish(() => Response.json(issuer.jwks));
    await ask("GET", "/api/v1/agents", { env: BY_JWKS, ...bearer(await issuer.sign(alg, { sub: "ada" })) });
  });

  test("the public key is no secret, and other keys and algorithms are none of ours", async () => {
    publish(() => Response.json(issuer.jwks));
    const stranger = await createIssuer();
    const tokens = {
      confused: await issuer.confused("RS256"),
      "signed with the shared secret": await signed({ sub: "ada" }),
      "a stranger's key": await stranger.sign("RS256", { sub: "ada" }),
      "a key that nobody knows": await issuer.sign("RS256", { sub: "ada" }, "unknown"),
      "another key's id": await issuer.sign("ES256", { sub: "ada" }, "RS256"),
      "an algorithm that is not allowed": await issuer.sign("PS256", { sub: "ada" }),
      expired: await issuer.sign("ES256", { sub: "ada", exp: now() - 120 }),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const response = await call("GET", "/api/v1/agents", { env: BY_JWKS, ...bearer(token) });
      expect(response.status, name).toBe(401);
    }
  });

  test("with both, the secret decides", async () => {
    const env = { ...BY_SECRET, ...BY_JWKS };
    await ask("GET", "/api/v1/agents", { env, ...bearer(await signed({ sub: "ada" })) });
    expect(
      await refused("GET", "/api/v1/agents", { env, ...bearer(await issuer.sign("RS256", { sub: "ada" })) }),
    ).toMatchObject({ code: "unauthorized" });
  });
});

describe("[U1] [H3] what is another's cannot be told from what is not there", () => {
  let conversation: string;
  let task: string;
  let sub: string;
  let schedule: string;
  beforeAll(async () => {
    const ada = await as("ada");
    const { conversation_id: daily } = await talk("Every 5 minutes tell me what 6 * 7 is. Yes, confirmed.", ada);
    const recurring = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${daily}/tasks`, ada);
    schedule = must(recurring.tasks[0]).task_id;
    ({ conversation_id: conversation } = await talk("首先查询现在时间然后计算678乘以8776的结果", ada));
    const { tasks } = await ask<{ tasks: Task[] }>("GET", `/api/v1/conversations/${conversation}/tasks`, ada);
    ({ task_id: task, conversation_id: sub } = must(tasks[0]));
  });

  const withId = guarded.filter(({ path }) => path.includes("{id}") || path === "/api/v1/tickets");

  test.each(withId)("$method $path", async (route) => {
    const answers = new Set<string>();
    const eve = await as("eve");
    const ids = /tasks|schedules/.test(route.path)
      ? [schedule, task, "task-none", `task-${"0".repeat(32)}`]
      : [conversation, sub, "conv-none", "x".repeat(200)];
    for (const id of ids) {
      const [path, options] = requestFor(
        { ...route, ...(route.path === "/api/v1/tickets" ? { example: { conversation_id: id } } : {}) },
        id,
      );
      const response = await call(route.method.toUpperCase(), path, {
        ...options,
        env: BY_SECRET,
        headers: { ...options.headers, ...eve.headers },
      });
      expect(response.status).toBe(404);
      answers.add(JSON.stringify([[...response.headers], await response.text()]));
    }
    expect(answers.size).toBe(1);
  });

  test("nor does the attempt leave anything behind or change anything", async () => {
    const ada = await as("ada");
    expect(await ask("GET", `/api/v1/conversations/${conversation}`, ada)).toMatchObject({ status: "completed" });
    const list = await ask<{ conversations: ConversationInfo[] }>("GET", "/api/v1/conversations", await as("eve"));
    expect(list.conversations).toEqual([]);
    expect(await ask("GET", "/api/v1/schedules", await as("eve"))).toMatchObject({ schedules: [] });
    expect(await ask("GET", `/api/v1/schedules/${schedule}`, ada)).toMatchObject({ status: "active", failures: 0 });
    expect(await ask("GET", `/api/v1/schedules/${schedule}/results`, ada)).toEqual({ results: [] });
  });

  test("the same id is another conversation for another user", async () => {
    const body = { conversation_id: conversation };
    const accepted = await talk("hello", await as("eve"), body);
    expect(accepted).toMatchObject({ conversation_id: conversation, seq: 2 });
    const { events } = await ask<{ events: unknown[] }>(
      "GET",
      `/api/v1/conversations/${conversation}/events`,
      await as("eve"),
    );
    expect(JSON.stringify(events)).not.toContain("5950128");
  });
});
