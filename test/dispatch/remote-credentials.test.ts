// Credentials for remote agents, and who receives them.

import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { fetchCard } from "../../src/dispatch/connect-peer.ts";
import { sealCredentials, unsealCredentials } from "../../src/dispatch/remote-credentials.ts";
import type { Credentials } from "../../src/protocol/agents/agent-credentials.ts";
import { collect, createRequest, joinTextEvents } from "../agents/fixtures/local-agent.ts";
import {
  writeJson,
  registerAgent,
  startAgent,
  runAgent,
  startServer,
  settings,
  stopAfterEach,
  createTask,
  type CallHandler,
} from "./fixtures/remote-agent.ts";

stopAfterEach();

describe("agent credentials", () => {
  const KEY = "s3cret-key";
  const inHeader = { securitySchemes: { k: { apiKeySecurityScheme: { location: "header", name: "x-agent-key" } } } };
  const inQuery = { securitySchemes: { k: { apiKeySecurityScheme: { location: "query", name: "key" } } } };
  const done: CallHandler = ({ id }, response) => void writeJson(response, id, { task: createTask("COMPLETED", "in") });
  const getQueryKey = (request: IncomingMessage) => new URL(request.url ?? "", "http://a").searchParams.get("key");

  test.each<[string, Credentials, object, (request: IncomingMessage) => boolean]>([
    ["a bearer token", { type: "bearer", token: KEY }, {}, ({ headers }) => headers.authorization === `Bearer ${KEY}`],
    [
      "a key in the header that the card declares",
      { type: "api_key", key: KEY },
      inHeader,
      ({ method, headers }) => method === "GET" || headers["x-agent-key"] === KEY,
    ],
    [
      "a key in the query",
      { type: "api_key", key: KEY },
      inQuery,
      (request) => request.method === "GET" || getQueryKey(request) === KEY,
    ],
    [
      "a key in the default header if the user wants a header and the card declares only a query parameter",
      { type: "api_key", key: KEY, in: "header" },
      { securitySchemes: { k: { apiKeySecurityScheme: { location: "query", name: "the key" } } } },
      ({ headers }) => headers["x-api-key"] === KEY,
    ],
    [
      "a key in the place that the user chooses, also for the card",
      { type: "api_key", key: KEY, in: "query", name: "key" },
      {},
      (request) => getQueryKey(request) === KEY,
    ],
  ])("are sent with every call: %s", async (_name, credentials, card, isGood) => {
    const agent = await startAgent(done, card, (request) => (isGood(request) ? 200 : 401));
    const events = await runAgent(agent.url, {}, credentials);
    expect(joinTextEvents(events)).toBe("in");
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  test("that are missing or wrong fail with a message", async () => {
    const guard = ({ headers }: IncomingMessage) => (headers.authorization === "Bearer right" ? 200 : 401);
    const closed = await startAgent(done, {}, guard);
    for (const credentials of [undefined, { type: "bearer" as const, token: "wrong" }]) {
      await expect(fetchCard(closed.url, settings, credentials)).rejects.toMatchObject({
        code: "agent_unreachable",
        message: "No agent card was found at this URL. The agent requires credentials.",
      });
    }
    const open = await startAgent(done, {}, (request) => (request.method === "GET" ? 200 : guard(request)));
    expect((await runAgent(open.url)).at(-1)).toMatchObject({ type: "failed", code: "agent_unauthorized" });
  });

  test("give access to the extended card", async () => {
    const extended = { name: "odd", description: "For friends.", supportedInterfaces: [] as object[] };
    extended.supportedInterfaces.push({ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" });
    const card = { description: "For all.", capabilities: { extendedAgentCard: true } };
    const agent = await startAgent(({ id }, response) => void writeJson(response, id, extended), card);
    expect((await fetchCard(agent.url, settings)).card.description).toBe("For all.");
    const found = await fetchCard(agent.url, settings, { type: "bearer", token: KEY });
    expect(found.card.description).toBe("For friends.");
    expect(agent.methods).toEqual(["GetExtendedAgentCard"]);
  });

  test("[C2] are sent neither to the target of a redirect nor to the agent of its card", async () => {
    const requests: string[] = [];
    const recordRequest = (request: IncomingMessage) => {
      requests.push(JSON.stringify(request.headers) + (request.url ?? ""));
      return 200;
    };
    const attacker = await startAgent(done, {}, recordRequest);
    const redirectUrl = await startServer((request, response) =>
      response.writeHead(302, { location: `${attacker.url}${request.url ?? ""}` }).end(),
    );
    for (const credentials of [
      { type: "bearer" as const, token: KEY },
      { type: "api_key" as const, key: KEY, in: "query" as const, name: "key" },
    ]) {
      expect(joinTextEvents(await runAgent(redirectUrl, {}, credentials))).toBe("in");
    }
    expect(requests.length).toBeGreaterThan(4);
    expect(requests.join("\n")).not.toContain(KEY);
  });

  test("are sealed for one user and URL with the secret of the deployment", async () => {
    const owner = { userId: "ada", url: "https://a.dev/" };
    const credentials: Credentials = { type: "bearer", token: KEY };
    const sealed = await sealCredentials(credentials, owner, ["secret"]);
    expect(sealed).not.toContain(KEY);
    expect(await sealCredentials(credentials, owner, ["secret"])).not.toBe(sealed);
    for (const secrets of [["secret"], ["new", "secret"]])
      expect(await unsealCredentials(sealed, owner, secrets)).toEqual(credentials);
    for (const [who, secrets] of [
      [{ ...owner, userId: "bob" }, ["secret"]],
      [{ ...owner, url: "https://b.dev/" }, ["secret"]],
      [owner, ["another"]],
      [owner, []],
    ] as const) {
      await expect(unsealCredentials(sealed, who, secrets)).rejects.toMatchObject({ code: "agent_unauthorized" });
    }
    const plain = await sealCredentials(credentials, owner, []);
    expect(await unsealCredentials(plain, owner, ["secret"])).toEqual(credentials);
  });

  test("are read as an earlier release sealed them", async () => {
    const stored = "v1.PTH33R/BMnvZsFIX.VjLhcbu7lmo0Px/VHqvbGoL5ugA7VLxxWWfaMFC6gftkjXO1DahnLn4bIJ+BwW6/jPZA/OoI";
    const owner = { userId: "ada", url: "https://a.dev/" };
    expect(await unsealCredentials(stored, owner, ["new", "secret"])).toEqual({ type: "bearer", token: KEY });
  });

  test("are unsealed when the agent is called", async () => {
    const agent = await startAgent(done, {}, ({ headers }) => (headers.authorization === `Bearer ${KEY}` ? 200 : 401));
    const start = await registerAgent(agent.url, { type: "bearer", token: KEY }, "a secret");
    expect(joinTextEvents(await collect(start(createRequest("go"), new AbortController().signal)))).toBe("in");
  });
});
