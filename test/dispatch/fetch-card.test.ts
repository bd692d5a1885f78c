import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchCard } from "../../src/dispatch/connect-peer.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { parseSettings } from "../../src/settings.ts";
import { stringLike, createLocalAgent, createScriptedAgent } from "../agents/fixtures/local-agent.ts";
import { createCard } from "./fixtures/faulty-server.ts";

const settings = parseSettings({});
const card = "https://a.dev/.well-known/agent-card.json";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Replaces fetch with a table of responses by URL. Returns the requested URLs. */
function serveResponses(pages: Record<string, () => Response>): string[] {
  const requestedUrls: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    requestedUrls.push(input);
    return pages[input]?.() ?? new Response("nothing here", { status: 404 });
  });
  return requestedUrls;
}

const createRedirect = (location: string) => () => new Response(null, { status: 302, headers: { location } });

describe("fetchCard()", () => {
  test.each([
    ["at the card's own address", card],
    ["at a base URL", "https://a.dev"],
    ["at a base URL with a slash", "https://a.dev/"],
    ["at the root of a page's site", "https://a.dev/some/page#top"],
  ])("finds a card %s", async (_name, url) => {
    serveResponses({ [card]: () => Response.json(createCard("https://a.dev/")) });
    expect(await fetchCard(url, settings)).toMatchObject({
      url: card,
      card: { name: "bad", capabilities: { streaming: true } },
    });
  });

  test("finds a card below a path and under its old name", async () => {
    serveResponses({ "https://a.dev/x/.well-known/agent.json": () => Response.json(createCard("https://a.dev/x")) });
    expect((await fetchCard("https://a.dev/x/", settings)).url).toBe("https://a.dev/x/.well-known/agent.json");
  });

  test("[F83] fills missing fields with defaults", async () => {
    serveResponses({
      [card]: () =>
        Response.json({
          name: "bare",
          supportedInterfaces: [{ url: "/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
        }),
    });
    expect((await fetchCard(card, settings)).card).toEqual({
      name: "bare",
      description: "",
      version: "0.0.0",
      skills: [],
      capabilities: { streaming: false, push_notifications: false },
      planner_passthrough: false,
      hidden: false,
    });
  });

  test("reads a card of version 0.3", async () => {
    const old = {
      name: "old",
      url: "https://a.dev/rpc",
      protocolVersion: "0.3.0",
      skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
      capabilities: { streaming: true },
    };
    serveResponses({ [card]: () => Response.json(old) });
    expect((await fetchCard(card, settings)).card).toMatchObject({
      name: "old",
      skills: [{ id: "s", tags: ["t"], examples: [] }],
    });
  });

  test("reads all fields of a card of the agent kit", async () => {
    const agent = createLocalAgent({
      ...createScriptedAgent(),
      card: { name: "kit", display_name: "Kit", hidden: true },
    });
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => agent.fetch(url, init));
    expect((await fetchCard("https://a.dev", settings)).card).toMatchObject({
      name: "kit",
      display_name: "Kit",
      hidden: true,
    });
  });

  test("follows redirects to public URLs", async () => {
    serveResponses({
      [card]: createRedirect("https://b.dev/1"),
      "https://b.dev/1": createRedirect("/2"),
      "https://b.dev/2": createRedirect("https://a.dev/3"),
      "https://a.dev/3": () => Response.json(createCard("https://a.dev/")),
    });
    expect((await fetchCard(card, settings)).card.name).toBe("bad");
  });

  test("truncates and cleans the texts of a card before they reach a prompt", async () => {
    const long = {
      id: "s",
      name: "n",
      description: "d".repeat(900),
      tags: [],
      examples: Array.from({ length: 20 }, () => "é".repeat(60)),
    };
    const extra = {
      name: " ev\u202eil\u0000 ",
      description: "x".repeat(50_000),
      skills: Array.from({ length: 50 }, () => long),
    };
    serveResponses({ [card]: () => Response.json(createCard("https://a.dev/", extra)) });
    const found = (await fetchCard(card, settings)).card;
    expect(found.name).toBe("evil");
    expect(found.description).toHaveLength(2000);
    expect(found.skills).toHaveLength(32);
    expect(found.skills[0]).toMatchObject({ description: `${"d".repeat(499)}…` });
    expect(found.skills[0]?.examples).toHaveLength(12);
  });
});

describe("fetchCard() error", () => {
  test.each([
    ["no URL at all", "agent", {}],
    ["http", "http://a.dev/", {}],
    ["a private address", "https://127.0.0.1/", {}],
    ["a password", "https://u:p@a.dev/", {}],
    ["a redirect to a metadata address", card, { [card]: createRedirect("http://169.254.169.254/latest") }],
    ["a redirect to loopback", card, { [card]: createRedirect("https://[::1]/") }],
    ["a redirect in circles", card, { [card]: createRedirect(card) }],
    ["a redirect nowhere", card, { [card]: createRedirect("https://") }],
    ["an interface in a private network", card, { [card]: () => Response.json(createCard("https://10.0.0.1/")) }],
    ["no card there", "https://a.dev", {}],
    ["a page", card, { [card]: () => new Response("<html>") }],
    ["a list", card, { [card]: () => Response.json([]) }],
    ["a nameless card", card, { [card]: () => Response.json(createCard("https://a.dev/", { name: " " })) }],
    [
      "a card without JSON-RPC",
      card,
      {
        [card]: () =>
          Response.json(
            createCard("https://a.dev/", {
              supportedInterfaces: [{ url: "https://a.dev/", protocolBinding: "GRPC", protocolVersion: "1.0" }],
            }),
          ),
      },
    ],
    [
      "a card whose skills are no skills",
      card,
      { [card]: () => Response.json(createCard("https://a.dev/", { skills: [null, 7] })) },
    ],
    [
      "a card whose name is an object",
      card,
      { [card]: () => Response.json(createCard("https://a.dev/", { supportedInterfaces: "x" })) },
    ],
    [
      "an interface whose address is none",
      card,
      {
        [card]: () =>
          Response.json(
            createCard("https://a.dev/", {
              supportedInterfaces: [{ url: "https://[", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
            }),
          ),
      },
    ],
    ["a huge card", card, { [card]: () => new Response(`"${"x".repeat(300_000)}"`) }],
    ["an error", card, { [card]: () => new Response("secret", { status: 500 }) }],
  ])("rejects %s with a message", async (_name, url, pages: Record<string, () => Response>) => {
    const requestedUrls = serveResponses(pages);
    const refusal = await fetchCard(url, settings).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(Fault);
    expect(refusal).toMatchObject({ field: "url", message: stringLike(/\.$/) });
    expect(String(refusal)).not.toMatch(/secret|\.\.$|Cannot read|Invalid URL|undefined/);
    expect(requestedUrls.filter((address) => !address.startsWith("https://a.dev"))).toEqual([]);
  });

  test("rejects a card that never arrives", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    const refused = fetchCard(card, settings).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(10_100);
    expect(await refused).toMatchObject({ code: "agent_unreachable" });
    vi.useRealTimers();
  });
});

test("fetchCard() accepts private URLs if the settings allow them", async () => {
  serveResponses({
    "http://127.0.0.1:8788/.well-known/agent-card.json": () => Response.json(createCard("http://127.0.0.1:8788/")),
  });
  expect((await fetchCard("http://127.0.0.1:8788", parseSettings({ ALLOW_PRIVATE_AGENTS: "1" }))).card.name).toBe(
    "bad",
  );
});

test("fetchCard() rejects names that resolve to a private address, also in the card and after a redirect", async () => {
  const resolve = async (name: string) => [name === "inside.dev" ? "10.0.0.7" : "93.184.215.14"];
  const refusal = {
    code: "invalid_request",
    field: "url",
    message: expect.stringContaining("must be public") as string,
  };
  const requested = serveResponses({
    "https://a.dev/.well-known/agent-card.json": () => Response.json(createCard("https://inside.dev/")),
    "https://b.dev/.well-known/agent-card.json": () =>
      new Response(null, { status: 302, headers: { location: "https://inside.dev/card.json" } }),
  });
  for (const url of ["https://inside.dev/", "https://a.dev/", "https://b.dev/"])
    await expect(fetchCard(url, settings, undefined, resolve)).rejects.toMatchObject(refusal);
  expect(JSON.stringify(requested)).not.toContain("inside.dev");
});
