import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AgentEvent } from "../../src/protocol/agents/agent.ts";
import {
  collect,
  stringLike,
  type LocalAgent,
  createLocalAgent,
  createRequest,
  createScriptedAgent,
  joinTextEvents,
} from "../agents/fixtures/local-agent.ts";
import { createCard, formatSse, createTextUpdate } from "./fixtures/faulty-server.ts";
import { createTestDispatcher, createUrlAgent } from "./fixtures/test-dispatcher.ts";

const overHttp = { url: "/", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" };
/** Returns a JSON-RPC answer, whose text names the URL. */
const answerAt = (url: string) =>
  Response.json({
    jsonrpc: "2.0",
    id: 1,
    result: { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: `at ${url}` }] } },
  });
const legacy = { url: "/", protocolVersion: "0.3.0", supportedInterfaces: undefined };

describe("run() on a URL", () => {
  let peers: Record<string, LocalAgent>;
  beforeEach(() => {
    peers = {};
    const reach = (input: string | URL | Request, init?: RequestInit) => {
      const url = String(input);
      const peer = peers[new URL(url).host];
      return peer === undefined ? Promise.reject(new TypeError("no route")) : peer.fetch(url, init);
    };
    vi.stubGlobal("fetch", reach);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function runAgent(
    url: string,
    request = createRequest("go", { user_id: "u-1", language: "en" }),
  ): Promise<AgentEvent[]> {
    return collect(agents.run(createUrlAgent(url), request, new AbortController().signal));
  }

  test("[F85] reuses one client for two calls to the same URL", async () => {
    const peer = createLocalAgent(createScriptedAgent({ type: "text", text: "hi" }));
    peers["one.dev"] = peer;
    for (let i = 0; i < 2; i += 1)
      expect(joinTextEvents(await runAgent("https://one.dev/.well-known/agent-card.json"))).toBe("hi");
    expect(peer.requests.map(({ method }) => method)).toEqual(["GET", "POST", "POST"]);
  });

  test("[P1] sends the provenance of the query, but no other text of the person and no user id", async () => {
    const peer = createLocalAgent(createScriptedAgent({ type: "text", text: "hi" }));
    peers["one.dev"] = peer;
    const untrusted = [{ source: "earlier answers", text: "eve@evil.example" }];
    const provenance = { query: "go", person: ["my secret"], untrusted };
    await runAgent("https://one.dev/.well-known/agent-card.json", createRequest("go", { user_id: "u-1", provenance }));
    const body = (await peer.requests.at(-1)?.text()) ?? "";
    expect(body).toContain(JSON.stringify({ query: "go", person: [], untrusted }));
    expect(body).not.toMatch(/my secret|u-1/);
  });

  test("calls an agent at the URL of its new card after it is registered again", async () => {
    const url = "https://moved.dev/.well-known/agent-card.json";
    let [endpoint, changed_at] = ["https://moved.dev/old", 0];
    const dispatcher = createTestDispatcher(
      {},
      { remote: async () => [{ card: createUrlAgent(url), url, enabled: true, changed_at }] },
    ).agents;
    const run = () => collect(dispatcher.run(createUrlAgent(url), createRequest("go"), new AbortController().signal));
    peers["moved.dev"] = createPeer(({ url: requested, method }) => {
      if (method === "GET") return Response.json(createCard(endpoint));
      const error = { code: -32601, message: "Not here" };
      return requested === endpoint ? answerAt(requested) : Response.json({ jsonrpc: "2.0", id: 1, error });
    });
    expect(joinTextEvents(await run())).toBe("at https://moved.dev/old");
    [endpoint, changed_at] = ["https://moved.dev/new", Date.now() + 1];
    expect(joinTextEvents(await run())).toBe("at https://moved.dev/new");
  });

  test("fails one run of an agent that moved and then reads its card again", async () => {
    const url = "https://away.dev/.well-known/agent-card.json";
    let endpoint = "https://away.dev/old";
    peers["away.dev"] = createPeer(({ url: requested, method }) => {
      if (method === "GET") return Response.json(createCard(endpoint));
      return requested === endpoint ? answerAt(requested) : new Response("Not here", { status: 404 });
    });
    expect(joinTextEvents(await runAgent(url))).toBe("at https://away.dev/old");
    endpoint = "https://away.dev/new";
    expect((await runAgent(url)).at(-1)).toMatchObject({ type: "failed", code: "agent_protocol" });
    expect(joinTextEvents(await runAgent(url))).toBe("at https://away.dev/new");
  });

  test("caches the cards of recently used URLs only", async () => {
    const card = (n: number) => `https://${n}.many.dev/.well-known/agent-card.json`;
    const peer = createLocalAgent(createScriptedAgent());
    for (let n = 0; n <= 300; n += 1) peers[`${n}.many.dev`] = peer;
    for (let n = 0; n <= 300; n += 1) await runAgent(card(n));
    const readAgain = async (n: number): Promise<boolean> => {
      const before = peer.requests.length;
      await runAgent(card(n));
      return peer.requests.slice(before).some(({ method }) => method === "GET");
    };
    expect(await readAgain(300)).toBe(false);
    expect(await readAgain(0)).toBe(true);
  });

  test("does not send the user's id to remote agents", async () => {
    const peer = createLocalAgent(createScriptedAgent());
    peers["two.dev"] = peer;
    await runAgent("https://two.dev/.well-known/agent-card.json");
    expect(JSON.stringify(await readBody(peer))).not.toContain("u-1");
    expect(await readBody(peer)).toMatchObject({ params: { message: { metadata: { language: "en" } } } });
  });

  test("does not call an interface in a private network", async () => {
    peers["three.dev"] = createPeer(() => Response.json(createCard("https://169.254.169.254/")));
    expect(await runAgent("https://three.dev/.well-known/agent-card.json")).toEqual([
      { type: "failed", reason: stringLike(/./), code: "agent_unreachable" },
    ]);
  });

  test("uses A2A 0.3 with a 0.3 agent", async () => {
    const peer = createLocalAgent(
      createScriptedAgent(
        { type: "reasoning", text: "hm" },
        { type: "text", text: "old" },
        { type: "text", text: " friend" },
      ),
    );
    const card = {
      name: "old",
      description: "",
      url: "https://legacy.dev/rpc",
      protocolVersion: "0.3.0",
      capabilities: { streaming: true },
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
      version: "1",
    };
    peers["legacy.dev"] = {
      ...peer,
      fetch: (url, init) => (init?.method === "POST" ? peer.fetch(url, init) : Promise.resolve(Response.json(card))),
    };
    const events = await runAgent("https://legacy.dev/.well-known/agent-card.json");
    expect(await readBody(peer)).toMatchObject({
      method: "message/stream",
      params: { message: { kind: "message", messageId: "msg-1", parts: [{ kind: "text", text: "go" }] } },
    });
    expect(peer.requests[0]?.url).toBe("https://legacy.dev/rpc");
    expect(joinTextEvents(events)).toBe("old friend");
    expect(events.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
      "accepted",
      "reasoning",
      "completed",
    ]);
  });

  test.each<[string, object, (task: object, isFirst: boolean) => unknown]>([
    ["1.0", {}, (task, isFirst) => ({ result: isFirst ? { task } : task })],
    ["1.0 over HTTP", { supportedInterfaces: [overHttp] }, (task, isFirst) => (isFirst ? { task } : task)],
    ["0.3", legacy, (task) => ({ result: { kind: "task", ...task } })],
  ])(
    "[A1] requests a polled task of %s without its history, which would count towards the size limit",
    async (how, more, wrap) => {
      const host = `long-${how.replaceAll(/\W/g, "").toLowerCase()}.dev`;
      let polls = 0;
      peers[host] = createPeer(async (request) => {
        if (request.url.includes("well-known"))
          return Response.json({ ...createCard(`https://${host}/`, { capabilities: {} }), ...more });
        const requested = `${request.url} ${request.method === "POST" ? await request.text() : ""}`;
        polls += 1;
        const state = polls < 3 ? "working" : "completed";
        const status = { state: how === "0.3" ? state : `TASK_STATE_${state.toUpperCase()}` };
        const history = /historyLength(=|":)0/.test(requested) ? "" : "x".repeat(400_000);
        const answer = wrap({ id: "t", contextId: "c", status, as_long_as_its_history: history }, polls === 1);
        return Response.json({ ...(how.includes("HTTP") ? {} : { jsonrpc: "2.0", id: 1 }), ...(answer as object) });
      });
      expect((await runAgent(`https://${host}/.well-known/agent-card.json`)).at(-1)).toEqual({ type: "completed" });
      expect(polls).toBe(3);
    },
  );

  test("polls the task if its stream ends early", async () => {
    peers["half.dev"] = createPeer(async (request) => {
      if (request.method === "GET") return Response.json(createCard("https://half.dev/"));
      const { method, id } = (await request.json()) as { method: string; id: number };
      const done = {
        id: "t-1",
        contextId: "c",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [{ artifactId: "a", parts: [{ text: "all of it" }] }],
      };
      if (method === "GetTask") return Response.json({ jsonrpc: "2.0", id, result: done });
      return new Response(formatSse(createTextUpdate("all of")), { headers: { "content-type": "text/event-stream" } });
    });
    const events = await runAgent("https://half.dev/.well-known/agent-card.json");
    expect(joinTextEvents(events)).toBe("all of it");
    expect(events.at(-1)).toEqual({ type: "completed" });
  });
});

const { agents } = createTestDispatcher();

function createPeer(answer: (request: Request) => Response | Promise<Response>): LocalAgent {
  return { requests: [], background: [], fetch: async (url, init) => answer(new Request(url, init)) };
}

async function readBody(agent: LocalAgent): Promise<unknown> {
  const request = agent.requests.find(({ method }) => method === "POST");
  return request?.clone().json();
}
