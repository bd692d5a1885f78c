// What agents elsewhere are called with, and who hears it.

import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { fetchCard } from "../../src/dispatch/connect-peer.ts";
import { sealCredentials, unsealCredentials } from "../../src/dispatch/remote-credentials.ts";
import type { Credentials } from "../../src/protocol/agents/agent-credentials.ts";
import { collect, requestFor, textOf } from "../agents/fixtures/local.ts";
import { json, known, odd, run, serving, settings, stopAfterEach, taskIn, type Odd } from "./fixtures/foreign.ts";

stopAfterEach();

describe("credentials", () => {
  const KEY = "s3cret-key";
  const inHeader = { securitySchemes: { k: { apiKeySecurityScheme: { location: "header", name: "x-agent-key" } } } };
  const inQuery = { securitySchemes: { k: { apiKeySecurityScheme: { location: "query", name: "key" } } } };
  const done: Odd = ({ id }, response) => void json(response, id, { task: taskIn("COMPLETED", "in") });
  const queryOf = (request: IncomingMessage) => new URL(request.url ?? "", "http://a").searchParams.get("key");

  test.each<[string, Credentials, object, (request: IncomingMessage) => boolean]>([
    ["a bearer token", { type: "bearer", token: KEY }, {}, ({ headers }) => headers.authorization === `Bearer ${KEY}`],
    [
      "a key in the header that the card names",
      { type: "api_key", key: KEY },
      inHeader,
      ({ method, headers }) => method === "GET" || headers["x-agent-key"] === KEY,
    ],
    [
      "a key in the query",
      { type: "api_key", key: KEY },
      inQuery,
      (request) => request.method === "GET" || queryOf(request) === KEY,
    ],
    [
      "a key in the usual header where the person wants a header, and the card names a place in the query alone",
      { type: "api_key", key: KEY, in: "header" },
      { securitySchemes: { k: { apiKeySecurityScheme: { location: "query", name: "the key" } } } },
      ({ headers }) => headers["x-api-key"] === KEY,
    ],
    [
      "a key where the person says, for the card too",
      { type: "api_key", key: KEY, in: "query", name: "key" },
      {},
      (request) => queryOf(request) === KEY,
    ],
  ])("%s goes with every call", async (_name, credentials, card, isGood) => {
    const agent = await odd(done, card, (request) => (isGood(request) ? 200 : 401));
    const events = await run(agent.url, {}, credentials);
    expect(textOf(events)).toBe("in");
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  test("that are missing or wrong fail in words", async () => {
    const guard = ({ headers }: IncomingMessage) => (headers.authorization === "Bearer right" ? 200 : 401);
    const closed = await odd(done, {}, guard);
    for (const credentials of [undefined, { type: "bearer" as const, token: "wrong" }]) {
      await expect(fetchCard(closed.url, settings, credentials)).rejects.toMatchObject({
        code: "agent_unreachable",
        message: "No agent card was found there. The agent asks for credentials.",
      });
    }
    const open = await odd(done, {}, (request) => (request.method === "GET" ? 200 : guard(request)));
    expect((await run(open.url)).at(-1)).toMatchObject({ type: "failed", code: "agent_unauthorized" });
  });

  test("show the extended card", async () => {
    const extended = { name: "odd", description: "For friends.", supportedInterfaces: [] as object[] };
    extended.supportedInterfaces.push({ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" });
    const card = { description: "For all.", capabilities: { extendedAgentCard: true } };
    const agent = await odd(({ id }, response) => void json(response, id, extended), card);
    expect((await fetchCard(agent.url, settings)).card.description).toBe("For all.");
    const found = await fetchCard(agent.url, settings, { type: "bearer", token: KEY });
    expect(found.card.description).toBe("For friends.");
    expect(agent.methods).toEqual(["GetExtendedAgentCard"]);
  });

  test("C2: are told to nobody whom a redirect leads to, nor to whom the card from there names", async () => {
    const heard: string[] = [];
    const hear = (request: IncomingMessage) => {
      heard.push(JSON.stringify(request.headers) + (request.url ?? ""));
      return 200;
    };
    const thief = await odd(done, {}, hear);
    const door = await serving((request, response) =>
      response.writeHead(302, { location: `${thief.url}${request.url ?? ""}` }).end(),
    );
    for (const credentials of [
      { type: "bearer" as const, token: KEY },
      { type: "api_key" as const, key: KEY, in: "query" as const, name: "key" },
    ]) {
      expect(textOf(await run(door, {}, credentials))).toBe("in");
    }
    expect(heard.length).toBeGreaterThan(4);
    expect(heard.join("\n")).not.toContain(KEY);
  });

  test("are sealed for one person and one address, under the secret of the deployment", async () => {
    const owner = { userId: "ada", url: "https://a.dev/" };
    const credentials: Credentials = { type: "bearer", token: KEY };
    const kept = await sealCredentials(credentials, owner, "secret");
    expect(kept).not.toContain(KEY);
    expect(await unsealCredentials(kept, owner, "secret")).toEqual(credentials);
    expect(await sealCredentials(credentials, owner, "secret")).not.toBe(kept);
    for (const [who, secret] of [
      [{ ...owner, userId: "bob" }, "secret"],
      [{ ...owner, url: "https://b.dev/" }, "secret"],
      [owner, "another"],
      [owner, undefined],
    ] as const) {
      await expect(unsealCredentials(kept, who, secret)).rejects.toMatchObject({ code: "agent_unauthorized" });
    }
    expect(await unsealCredentials(await sealCredentials(credentials, owner, undefined), owner, undefined)).toEqual(
      credentials,
    );
  });

  test("that are sealed open when the agent is called", async () => {
    const agent = await odd(done, {}, ({ headers }) => (headers.authorization === `Bearer ${KEY}` ? 200 : 401));
    const start = await known(agent.url, { type: "bearer", token: KEY }, "a secret");
    expect(textOf(await collect(start(requestFor("go"), new AbortController().signal)))).toBe("in");
  });
});
